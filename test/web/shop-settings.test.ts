/** The settings of the shop that another process stored. */
import { expect, test } from '@jest/globals';
import { brand } from '../../src/locales/brand.js';
import { Customer } from '../support/customer.js';
import { receiveMails } from '../support/mailbox.js';
import { placePaidOrder } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';
import { storeSettings } from '../support/shop-settings.js';
import { openTestShop } from '../support/test-shop.js';

const shop = await openSharedShop();

const MERCHANT = { 'brand.name': 'Taller <Luz>', 'brand.merchant.address': 'Calle Nueva 5', 'brand.color': '#0b6e99' };

/** Each test has its own address: pages are cached for 2 s. */
async function homeWith(query: string): Promise<string> {
  return (await new Customer(shop).get(`/?category=none-${query}`)).text;
}

test('a page shows name, color, hours and announcement 1 s after the change, also one that was cached', async () => {
  const before = await homeWith('a');
  await storeSettings(shop.queries, {
    ...MERCHANT,
    'brand.texts.es-MX.hours': 'Lunes a viernes, 9 a 18 h',
    'brand.texts.es-MX.announcement': 'Cerramos el lunes',
  });
  const same = await homeWith('a');
  shop.clock.advance(1_000);
  const after = await homeWith('a');

  expect([before, same].map((html) => html.includes('Luz'))).toEqual([false, false]);
  expect(after).toContain(`<title>${brand.texts['es-MX'].title} · Taller &lt;Luz&gt;</title>`);
  for (const text of ['Calle Nueva 5', 'Lunes a viernes, 9 a 18 h', 'Cerramos el lunes', '/assets/color-0b6e99.css'])
    expect(after).toContain(text);
  const stylesheet = await new Customer(shop).get('/assets/color-0b6e99.css');
  expect([stylesheet.headers['content-type'], stylesheet.text]).toEqual([
    'text/css; charset=utf-8',
    ':root { --brand: #0b6e99; }\n',
  ]);
});

test('a value that is removed, unknown or of another type has its default', async () => {
  await storeSettings(shop.queries, {
    ...MERCHANT,
    'brand.unknown.x': 'x',
    'brand.__proto__.x': 'x',
    'brand.merchant': 'x',
  });
  await storeSettings(shop.queries, { 'brand.name': null, 'brand.merchant.phone': 7 });
  shop.clock.advance(1_000);
  const html = await homeWith('b');

  expect(html).toContain(`${brand.name}</title>`);
  expect(html).toContain('Calle Nueva 5');
  expect(html).toContain(brand.merchant.phone);
  expect({}).not.toHaveProperty('x');
});

test('the gateway and the mails of the worker get the stored color and name', async () => {
  await storeSettings(shop.queries, MERCHANT);
  shop.clock.advance(1_000);
  await placePaidOrder(shop);
  const [receipt] = await receiveMails(shop);

  expect(receipt?.html).toContain('#0b6e99');
  expect(receipt?.html).toContain('Calle Nueva 5');
  expect(receipt?.from).toBe('"Taller <Luz>" <tienda@localhost>');
});

test.each([
  ['ventas@tienda.mx', 'Taller Peña <ventas@tienda.mx>'],
  ['Ventas <ventas@tienda.mx>', 'Ventas <ventas@tienda.mx>'],
])('with MAIL_FROM=%s, mails of a shop with a stored name come from %s', async (MAIL_FROM, from) => {
  await using own = await openTestShop({ env: { MAIL_FROM } });
  await storeSettings(own.queries, { 'brand.name': 'Taller Peña' });
  own.clock.advance(1_000);
  await placePaidOrder(own);
  const [receipt] = await receiveMails(own);

  expect(receipt?.from).toBe(from);
});

test('while the settings cannot be read, pages show those that were read before', async () => {
  await storeSettings(shop.queries, MERCHANT);
  await shop.queries.updateTable('shopSettingsValues').set({ value: '{' }).execute();
  shop.clock.advance(1_000);
  const html = await homeWith('c');

  expect(html).toContain(`${brand.name}</title>`);
  expect(shop.logged.filter((line) => line.includes('settings.read_failed'))).toHaveLength(1);
});
