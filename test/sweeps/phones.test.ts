import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { brand } from '../../src/locales/brand.js';
import { LOCALES } from '../../src/shop/rules/locales.js';
import { openVisit } from '../support/browser.js';
import { MUG, SHIPPED } from '../support/catalog.js';
import { changeBrand } from '../support/changed-brand.js';
import { mugDelivery } from '../support/customer.js';
import { pagesBelowOrder, pagesOf } from '../support/pages.js';
import { placePaidOrder } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';
import { fillCart, signIn } from '../support/steps.js';

const LONG_NAME = 'Artesanías de Oaxaca';
changeBrand({
  heroImage: '/share.png',
  whatsapp: '951 123 4567',
  texts: Object.fromEntries(LOCALES.map((locale) => [locale, { announcement: 'Envío gratis en tu primera compra' }])),
});
const shop = await openFileShop();
for (const locale of LOCALES)
  Object.assign(shop.context.web.settings.current().contentIn(locale).get('terms') ?? {}, { header: true });

/** A wide font, and the text spacing of WCAG 1.4.12. */
const WIDE_TEXT = `
:root { --display: "DejaVu Sans", Verdana, sans-serif; --body: var(--display); }
* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }`;

/** Shows the long name and the wide text, and opens each `<details>`. Returns how far the page scrolls sideways, and how many rows the header has. */
const MEASURE = `(() => {
  const wide = new CSSStyleSheet();
  wide.replaceSync(${JSON.stringify(WIDE_TEXT)});
  document.adoptedStyleSheets = [wide];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    if (text.data === ${JSON.stringify(brand.name)}) text.data = ${JSON.stringify(LONG_NAME)};
  }
  for (const details of document.querySelectorAll('details')) details.open = true;
  const bar = document.querySelector('.site-bar');
  const boxes = [...bar.children].map((part) => part.getBoundingClientRect()).filter(({ width }) => width > 0);
  const middle = bar.getBoundingClientRect().top + bar.offsetHeight / 2;
  return {
    name: document.querySelector('.brand').textContent.includes(${JSON.stringify(LONG_NAME)}),
    sideways: document.documentElement.scrollWidth - innerWidth,
    rows: boxes.every(({ top, bottom }) => top < middle && bottom > middle) && bar.offsetHeight < 80 ? 1 : 2,
  };
})()`;

async function expectToFit(page: Page, paths: readonly string[]): Promise<void> {
  const found: unknown[] = [];
  for (const path of paths) {
    await page.goto(path);
    found.push([path, await page.evaluate(MEASURE)]);
  }
  expect(found).toEqual(paths.map((path) => [path, { name: true, sideways: 0, rows: 1 }]));
}

test.each(LOCALES)(
  'with a long shop name and a wide font, no page in %s scrolls sideways at 320 pixels, and the header has one row',
  async (locale) => {
    const visit = await openVisit(shop, { viewport: { width: 320, height: 640 } });
    const { page } = visit;
    visit.allowTrouble(/^console error: Failed to load resource: .* 404/);
    const { order } = await placePaidOrder(shop, mugDelivery);
    const { token, number } = order;
    await shop.queries.updateTable('orders').set({ locale }).where('token', '=', token).execute();
    const home = locale === LOCALES[0] ? '' : `/${locale}`;
    await signIn(page);
    await page.context().addCookies([{ name: 'lang', value: locale, url: shop.url }]);

    const ofLocale = (path: string) => !/^(?:\/en)?(?:\/$|$|\/products\/|\/pages\/)/.test(path);
    await expectToFit(page, [
      ...[
        home || '/',
        `${home}?q=nada`,
        `${home}/products/taza-de-talavera`,
        `${home}/pages/terms`,
        '/cart',
        '/nowhere',
      ],
    ]);
    for (const product of [MUG, SHIPPED]) await fillCart(page, product);
    const pages = (await pagesOf(page, shop, order)).filter(ofLocale);
    expect(pages).toEqual(
      expect.arrayContaining(['/cart', '/checkout', '/checkout/card', `/orders/${token}`, '/admin']),
    );
    await expectToFit(page, [...pages, ...(await pagesBelowOrder(page, { number }))]);
    await visit.context.clearCookies();
    await expectToFit(page, ['/admin/sign-in']);
  },
);
