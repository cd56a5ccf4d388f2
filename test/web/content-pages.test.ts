import { expect, test } from '@jest/globals';
import { brand } from '../../src/locales/brand.js';
import { LOCALES } from '../../src/shop/rules/locales.js';
import { openBackOffice } from '../support/admin.js';
import { Customer } from '../support/customer.js';
import { receiveMails } from '../support/mailbox.js';
import { payByCard } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop();

const get = (path: string) => new Customer(shop).get(path);

/** Returns path and title of each link to a page of `content/`. */
const pagesIn = (html: string) =>
  [...html.matchAll(/<a class="foot-link" href="((?:\/en)?\/pages\/[\w-]+)"[^>]*>([^<]*)</g)].map(
    ([, path = '', title = '']) => ({ path, title }),
  );

test.each(LOCALES)('the footer in %s links to every text under its title', async (locale) => {
  const home = locale === LOCALES[0] ? '' : `/${locale}`;
  const pages = pagesIn((await get(home || '/')).text);

  expect(pages.map(({ path }) => path)).toEqual(
    expect.arrayContaining([`${home}/pages/privacy`, `${home}/pages/terms`]),
  );
  for (const { path, title } of pages) {
    const { status, headers, text } = await get(path);
    expect([status, headers['content-language']]).toEqual([200, locale]);
    expect(headers['cache-control']).toBe('private, no-cache');
    expect(text).toContain(`<h1>${title}</h1>`);
    expect(text).toContain(`<title>${title} ·`);
  }
});

test('each link of a text to another page of the shop is answered', async () => {
  const customer = new Customer(shop);
  const linked = new Set<string>();
  let hasSample = false;
  for (const { path } of pagesIn((await get('/')).text)) {
    const { text } = await get(path);
    hasSample ||= text.includes('data-test="sample"');
    const [, article = ''] = /<article[^>]*>([\s\S]*?)<\/article>/.exec(text) ?? [];
    for (const [, href = ''] of article.matchAll(/href="([^"#:]+)"/g))
      linked.add(new URL(href, `${shop.url}${path}`).pathname);
  }

  // The texts of a merchant may have no links.
  expect(linked.has('/pages/privacy') || !hasSample).toBe(true);
  for (const path of linked) expect([path, (await customer.get(path)).status]).toEqual([path, 200]);
});

test('a text that does not exist is not found, and a text takes no POST', async () => {
  const customer = new Customer(shop);

  for (const path of ['/pages/nothing', '/pages/__proto__', '/pages/..%2f..%2fpackage', '/pages'])
    expect([path, (await customer.get(path)).status]).toEqual([path, 404]);
  expect((await customer.post('/pages/terms', {})).status).toBe(405);
});

test('a sample text says so to customers without its file, and the overview of the back office links to its form, or names the file', async () => {
  const overview = await (await openBackOffice(shop)).get('/admin');
  for (const { path, title } of pagesIn((await get('/')).text)) {
    const { text } = await get(path);
    const { sample } = shop.context.web.settings.current().contentIn('es-MX').get(path.replace('/pages/', '')) ?? {};
    const [, notice = ''] = /data-test="sample">([^<]*)/.exec(text) ?? [];
    expect([title, notice !== '']).toEqual([title, sample !== undefined]);
    expect(notice).not.toContain('.md');
    const slug = path.replace('/pages/', '');
    const form = shop.context.web.contentForm?.path({ locale: 'es-MX', slug });
    const link = (href: string) => `href="${href}" lang="es-MX">${title}</a>`;
    if (sample) expect(overview.text).toContain(form ? link(form) : `${link(path)}: <code>${sample}</code>`);
  }
});

test('the identity of the merchant is on every page and in the receipt', async () => {
  const customer = await Customer.withCart(shop);
  await payByCard(shop, customer);
  const [receipt] = await receiveMails(shop);
  const pages = await Promise.all(['/', '/cart', '/pages/terms', '/nothing'].map((path) => customer.get(path)));

  for (const value of Object.values(brand.merchant)) {
    for (const { text } of pages) expect(text.replaceAll('&amp;', '&')).toContain(value);
    expect(receipt?.text).toContain(value);
    expect(receipt?.html.replaceAll('&amp;', '&')).toContain(value);
  }
});
