import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import supertest from 'supertest';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { storeSettings } from '../../../../test/support/shop-settings.js';
import { i18nIn } from '../../../locales/i18n.js';
import { STATE_CODES } from '../../../shop/rules/contact.js';
import { DEFAULT_TABLE } from '../../../shop/rules/default-table.js';
import type { ShippingZone } from '../../../shop/rules/shipping-table.js';
import { productFeed } from '../feature.js';
import { feedShipping } from '../feed-shipping.js';

const shop = await openFileShop();

async function readFeed(encoding = 'gzip', path = '/feeds/products.xml') {
  const { text, headers, status } = await supertest(shop.url).get(path).set('Accept-Encoding', encoding);
  expect([status, headers['content-type']]).toEqual([200, 'application/xml']);
  expect(headers['content-encoding']).toBe(encoding || undefined);
  return text;
}

test('the feed is built once a minute, with any query string, compressed or not', async () => {
  const products = shop.queries.updateTable('products').where('id', '=', 'taza-talavera');
  const before = await readFeed();

  await products.set({ visible: 0 }).execute();
  const during = [await readFeed('gzip', '/feeds/products.xml?2'), await readFeed('')];
  shop.clock.advance(60_001);
  const after = await readFeed();
  await products.set({ visible: 1 }).execute();

  const { headers } = await supertest(shop.url).get('/feeds/products.xml');
  expect(headers['cache-control']).toBe('no-cache');
  expect(before).toContain('<g:id>taza-talavera</g:id>');
  expect(during).toEqual([before, before]);
  expect(after).not.toContain('taza-talavera');
});

test('nothing can be bought in the feed of a closed shop, until the shop opens', async () => {
  const closed = { until: new Date(shop.clock.now() + 3 * 86_400_000).toISOString().slice(0, 10), texts: {} };
  await storeSettings(shop.queries, { closing: closed });
  shop.clock.advance(2_000);
  const during = await readFeed();
  const page = (await supertest(shop.url).get('/products/taza-de-talavera?closed')).text;
  shop.clock.advance(5 * 86_400_000);
  const after = await readFeed();

  expect(during).toContain('<g:availability>out_of_stock<');
  expect(during).not.toContain('<g:availability>in_stock<');
  expect(page).not.toContain('https://schema.org/InStock');
  expect(after).toContain('<g:availability>in_stock<');
});

test('a product whose id is longer than a feed allows is left out, as the link to the feed says', async () => {
  const { queries } = shop;
  const row = await queries.selectFrom('products').selectAll().limit(1).executeTakeFirstOrThrow();
  const longer = (length: number, place: number) => {
    const id = 'x'.repeat(length);
    return { ...row, id, slug: id, position: 100_000 + place };
  };
  await queries
    .insertInto('products')
    .values([longer(50, 1), longer(51, 2)])
    .execute();
  shop.clock.advance(60_001);

  const feed = await readFeed();
  await queries.deleteFrom('products').where('position', '>', 100_000).execute();

  expect(feed.match(/<g:id>x+</g)).toEqual([`<g:id>${'x'.repeat(50)}<`]);
  const { t } = i18nIn(shop.context.web.settings.current().translations, 'es-MX');
  expect(productFeed.adminRoutes?.(shop.context.web)[0]?.link?.label(t)).toMatch(
    /más de 50 caracteres.*precios de envío por estado.*Google Merchant Center/,
  );
});

test('a catalog larger than a batch has each product once', async () => {
  const { queries } = shop;
  const row = await queries.selectFrom('products').selectAll().limit(1).executeTakeFirstOrThrow();
  const many = Array.from({ length: 1_001 }, (_, index) => {
    const id = `many-${index}`;
    return { ...row, id, slug: id, position: 200_000 + index };
  });
  for (let first = 0; first < many.length; first += 500)
    await queries
      .insertInto('products')
      .values(many.slice(first, first + 500))
      .execute();
  shop.clock.advance(60_001);

  const ids = (await readFeed()).match(/<g:id>many-\d+</g) ?? [];
  await queries.deleteFrom('products').where('position', '>=', 200_000).execute();

  expect([ids.length, new Set(ids).size]).toEqual([1_001, 1_001]);
});

const zone = (states: ShippingZone['states'], price: number | null, postalCodes: readonly string[] = []) => ({
  ...{ name: '', states, postalCodes },
  delivery: price === null ? null : delivery([{ upTo: null, price: centavos(price) }]),
});
const delivery = (steps: readonly { readonly upTo: number | null; readonly price: ReturnType<typeof centavos> }[]) => ({
  ...{ by: 'weight' as const, freeFrom: centavos(1_000_00), days: null },
  steps,
});
const REST = STATE_CODES.filter((state) => state !== 'YUC' && state !== 'CMX');
const MUG = { price: centavos(289_00), requiresShipping: true, weight: null };
const shippingOf = (zones: readonly ShippingZone[], product = MUG) =>
  feedShipping({ ...DEFAULT_TABLE, zones }, product);

test('one price for all of Mexico is listed, and a product that is not shipped has no price', () => {
  const zones = [zone(['YUC'], 99_00), zone([...REST, 'CMX'], 99_00, ['06'])];

  expect(shippingOf(zones)).toBe(99_00);
  expect(shippingOf(zones, { ...MUG, requiresShipping: false })).toBeNull();
});

test.each([
  ['state', [zone(['YUC'], 150_00), zone([...REST, 'CMX'], 99_00)]],
  ['postal code', [zone([...REST, 'CMX', 'YUC'], 99_00), zone([], 10_00, ['44100'])]],
])('prices that differ by %s are left out, because Google reads no regions of Mexico', (_what, zones) => {
  expect(shippingOf(zones)).toBeNull();
});

test('a price is left out where a state has no delivery', () => {
  expect(shippingOf([zone(['CMX'], null), zone([...REST, 'YUC'], 99_00)])).toBeNull();
});

test('the price of a delivery is that of one piece, by its weight or the default, and free from its price', () => {
  const steps = [
    { upTo: 1_000, price: centavos(80_00) },
    { upTo: null, price: centavos(120_00) },
  ];
  const zones = [{ ...zone([...REST, 'CMX', 'YUC'], 0), delivery: delivery(steps) }];

  expect(shippingOf(zones)).toBe(80_00);
  expect(shippingOf(zones, { ...MUG, weight: 1_001 } as never)).toBe(120_00);
  expect(shippingOf(zones, { ...MUG, price: centavos(1_000_00) })).toBe(0);
});

test('the merchant who states that the products have no barcode has each item say so, and no other shop', async () => {
  const during = async (value: boolean) => {
    await storeSettings(shop.queries, { 'product-feed.no-identifiers': value });
    shop.clock.advance(2_000);
    return readFeed();
  };

  const stated = await during(true);
  const retracted = await during(false);

  const count = (text: string) => stated.split(text).length - 1;
  expect(count('<g:identifier_exists>no<')).toBe(count('<item>'));
  expect(retracted).not.toContain('identifier_exists');
});
