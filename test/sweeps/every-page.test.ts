/** Every page in every locale. The journeys audit pages in further states. */
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Locale } from '../../src/shop/rules/locale.js';
import { LOCALES } from '../../src/shop/rules/locales.js';
import { insertOrder } from '../../src/tables/orders.js';
import { auditAtEachWidth } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { SHIPPED } from '../support/catalog.js';
import { mugOrder } from '../support/customer.js';
import { allOrders } from '../support/inspect.js';
import { linkedPages, pagesIn } from '../support/pages.js';
import { LINE, orderRow } from '../support/rows.js';
import { openSharedShop } from '../support/shared-shop.js';
import { fillCart, signIn, untilOrderIs } from '../support/steps.js';

const shop = await openSharedShop({ foreignGateway: true });

/** Buys a mug in the browser, whose session then owns the paid order. */
async function buy(page: Page) {
  const { control } = shop.simulator;
  await fillCart(page);
  await page.context().request.post('/checkout/hosted', { form: mugOrder, maxRedirects: 0 });
  control.paySession(control.sessions().at(-1)?.id ?? '');
  const order = (await allOrders(shop)).at(-1) ?? orderRow();
  await page.goto(`/checkout/return/${order.token}`);
  await untilOrderIs(page, 'paid');
  return order;
}

async function insertUnpaid() {
  const now = shop.clock.now();
  const order = orderRow({ number: 'TG-2222-3333', token: 'u'.repeat(32), createdAt: now, updatedAt: now });
  await insertOrder(shop.queries, order, [LINE]);
  return order;
}

/** Returns what is wrong on the current page, with each `<details>` of it open. */
async function problemsOf(page: Page, locale: Locale): Promise<readonly string[]> {
  await page.evaluate(`for (const details of document.querySelectorAll('main details')) details.open = true`);
  const lang = await page.locator('html').getAttribute('lang');
  const buttons = page.locator('header .languages button').filter({ visible: true });
  const offered = await buttons.evaluateAll((all) => all.map((button) => button.getAttribute('lang')));
  const others = LOCALES.filter((each) => each !== locale);
  return [
    ...(lang === locale ? [] : [`is in ${lang}`]),
    ...(offered.join() === others.join() ? [] : [`offers the languages ${offered.join()}`]),
    ...(await auditAtEachWidth(page)),
  ];
}

test.each(LOCALES)(
  'every page in %s meets WCAG 2.2 AA and scrolls in one direction only, on phone and desktop, and its header offers the other languages',
  async (locale) => {
    const visit = await openVisit(shop);
    const { page } = visit;
    visit.allowTrouble(/^console error: Failed to load resource: .* 404/);
    const orders = [await insertUnpaid(), await buy(page)];
    await signIn(page);
    await fillCart(page, SHIPPED);
    await page.context().addCookies([{ name: 'lang', value: locale, url: shop.url }]);
    const opened = new Set(['/nowhere', '/admin/nowhere']);
    for (const order of orders) for (const path of await pagesIn(locale, page, shop, order)) opened.add(path);

    const found: [string, readonly string[]][] = [];
    // A set also iterates over what is added meanwhile.
    for (const path of opened) {
      await page.goto(path);
      found.push([path, await problemsOf(page, locale)]);
      for (const linked of await linkedPages(page, shop, locale, [...opened])) opened.add(linked);
    }

    expect(found.filter(([, problems]) => problems.length > 0)).toEqual([]);
  },
  300_000,
);
