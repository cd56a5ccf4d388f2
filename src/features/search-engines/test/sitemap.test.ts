import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import supertest from 'supertest';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { storeSettings } from '../../../../test/support/shop-settings.js';
import { openTestShop } from '../../../../test/support/test-shop.js';
import { LOCALES } from '../../../shop/rules/locales.js';

const shop = await openFileShop();

test('the sitemap is built once in ten minutes, with any query string, and then without a hidden product', async () => {
  const { queries } = shop.context.checkout.db;
  const slugs = async (path = '/sitemap.xml', encoding = 'gzip') => {
    const { text, headers } = await supertest(shop.url).get(path).set('Accept-Encoding', encoding);
    expect(headers['content-encoding']).toBe(encoding || undefined);
    expect(headers['vary']).toContain('Accept-Encoding');
    return [...text.matchAll(/<loc>[^<]*\/products\/([^<]+)<\/loc>/g)].map(([, slug]) => slug);
  };
  const before = await slugs();

  await queries.updateTable('products').set({ visible: 0 }).where('id', '=', 'taza-talavera').execute();
  const during = [await slugs('/sitemap.xml?2'), await slugs('/sitemap.xml', '')];
  shop.clock.advance(600_001);
  const after = await slugs();
  await queries.updateTable('products').set({ visible: 1 }).where('id', '=', 'taza-talavera').execute();

  expect(before.filter((slug) => slug === 'taza-de-talavera')).toHaveLength(LOCALES.length);
  expect(during).toEqual([before, before]);
  expect(after).not.toContain('taza-de-talavera');
});

test('a sitemap of more than 50,000 addresses is an index of files, which together have each page once', async () => {
  await using large = await openTestShop();
  // The columns that have no default.
  await sql`insert into products (id, slug, position, category, price, tax_rate, requires_shipping, visible, featured, image,
      clave_prod_serv, clave_unidad, texts, search_text, version, updated_at)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 50000)
    select 'p' || n, 'p' || n, 1000000 + n, 'c', 100, '16', 1, 1, 0, '/logo.svg', '', '', '{}', '', 1, 0 from numbers`.execute(
    large.queries,
  );
  const get = async (path: string) => supertest(large.url).get(path).set('Accept-Encoding', 'gzip');
  const addressesIn = (xml: string) => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address);

  const index = await get('/sitemap.xml');

  expect(index.text).toContain('<sitemapindex');
  const files = addressesIn(index.text).map((address) => new URL(address).pathname);
  expect(files).toEqual(files.map((_, place) => `/sitemap-${place + 1}.xml`));
  const lists: string[][] = [];
  for (const path of files) lists.push(addressesIn((await get(path)).text));
  expect(lists.filter(({ length }) => length > 50_000)).toEqual([]);
  const products = lists.flat().filter((address) => /\/products\/p\d+$/.test(address));
  expect([products.length, new Set(products).size]).toEqual(
    Array(2).fill(50_000 * large.context.web.config.locales.length),
  );
  expect((await get(`/sitemap-${files.length + 1}.xml`)).status).toBe(404);
});

test('feed readers and crawlers ask again for the sitemap and robots.txt', async () => {
  const answers = ['/sitemap.xml', '/robots.txt'].map((path) => supertest(shop.url).get(path));

  expect((await Promise.all(answers)).map(({ headers }) => headers['cache-control'])).toEqual(['no-cache', 'no-cache']);
});

test('a browser that asks for favicon.ico gets the uploaded logo, or else the file of the brand', async () => {
  const iconOf = async () => (await supertest(shop.url).get('/favicon.ico')).headers['location'];
  const logo = `/pictures/${'c'.repeat(64)}`;
  const former = await iconOf();

  await storeSettings(shop.queries, { 'brand.logo': logo });
  shop.clock.advance(2_000);

  expect([await iconOf(), former]).toEqual([logo, expect.stringContaining('/favicon.svg')]);
});
