import { beforeEach, expect, test } from '@jest/globals';
import { addUser, openBackOffice } from '../../../../test/support/admin.js';
import { until } from '../../../../test/support/crowd.js';
import { Customer } from '../../../../test/support/customer.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { findProductEvents, recordProductEvents, writeProducts } from '../../../tables/product-changes.js';
import { takeStock } from '../../../tables/stock.js';
import { editedProduct, MUG, PATH } from './edited-product.js';

const shop = await openFileShop();
const { queries } = shop.context.checkout.db;
const merchant = await openBackOffice(shop);
const { restore, stored, fields } = editedProduct(shop);

beforeEach(restore);

const priceOn = (html: string) => /\$[\d,]+\.\d\d/.exec(html)?.[0];

test('the product list finds products by name and id, hidden ones too, and an unknown id is not found', async () => {
  await writeProducts(queries, [{ product: { ...MUG, visible: false }, position: 1 }], 1);

  const all = await merchant.get('/admin/products');
  const byName = await merchant.get('/admin/products?q=TALAVERA');
  const byId = await merchant.get('/admin/products?q=taza-talavera');
  const unknown = [
    await merchant.get('/admin/products?page=9'),
    await merchant.get('/admin/products/nothing'),
    await merchant.post('/admin/products/nothing', await fields()),
  ];

  for (const { text } of [all, byName, byId]) expect(text).toContain(`href="${PATH}"`);
  expect(byName.text.match(/href="\/admin\/products\/[\w-]+"/g)).toHaveLength(1);
  expect(unknown.map(({ status }) => status)).toEqual([404, 404, 404]);
});

test('the history of a product has labels, formatted values and authors in the language of the page', async () => {
  const event = { productId: 'taza-talavera', at: 1, by: 'sample catalog' };
  const texts = { name_es_mx: ['Taza de talavera azul', 'Taza'], featured: ['no', 'yes'] } as const;
  await recordProductEvents(queries, [
    { ...event, kind: 'created', detail: {} },
    { ...event, kind: 'changed', detail: texts },
  ]);
  await merchant.post(PATH, await fields({ price: '1,099.50', stock: '7', visible: '' }));

  const { text } = await merchant.get(PATH);

  const history = text.slice(text.indexOf('data-test="admin-history"')).replace(/<[^>]+>/g, '');
  for (const part of [
    'Precio: $289.00 → $1,099.50',
    'Existencias: Sin límite → 7',
    'En venta: Sí → No',
    'Destacado: No → Sí',
    '· Catálogo de ejemplo',
  ])
    expect(history).toContain(part);
  expect(history).toMatch(/Nombre(?: \([^)]+\))?: Taza de talavera azul → Taza/);
});

test('a user of role fulfillment changes the stock of a product and nothing else, and is named in its history', async () => {
  await addUser(shop, 'luz', 'fulfillment');
  const luz = await openBackOffice(shop, 'luz');
  const page = await luz.get(PATH);
  const changes = await fields({ stock: '12', price: '1', name_es_mx: 'Taza', visible: '' });

  const refused = await luz.post(PATH, changes);
  const invalid = await luz.post(`${PATH}/stock`, { ...changes, stock: '-1' });
  const answer = await luz.post(`${PATH}/stock`, changes);
  const again = await luz.post(`${PATH}/stock`, changes);

  expect(page.text).toContain(`action="${PATH}/stock"`);
  expect(page.text.match(/<(?:input|textarea) [^>]*name="(?!id|version|seen_stock|back)\w+"/g)).toHaveLength(1);
  expect([refused.status, invalid.status, again.status]).toEqual([403, 422, 409]);
  expect(invalid.text).toContain('id="stock-error"');
  expect(answer.headers['location']).toBe(`${PATH}?result=saved`);
  expect((await stored()).product).toEqual({ ...MUG, stock: 12 });
  const [event, before] = await findProductEvents(queries, 'taza-talavera', 2);
  const from = MUG.stock === null ? '' : String(MUG.stock);
  expect(event).toMatchObject({ by: 'luz', kind: 'changed', detail: { stock: [from, '12'] } });
  expect(before?.by).not.toBe('luz');
});

test('a price before is saved, and one that the price reaches is refused at its field until it is emptied', async () => {
  const saved = await merchant.post(PATH, await fields({ price: '249', price_before: '$ 289.00' }));
  const { product } = await stored();
  const raised = await merchant.post(PATH, await fields({ price: '289' }));
  const kept = await stored();
  const ended = await merchant.post(PATH, await fields({ price: '289', price_before: '' }));
  const { text } = await merchant.get(PATH);

  expect([saved.status, raised.status, ended.status]).toEqual([303, 422, 303]);
  expect([product, kept.product, (await stored()).product]).toMatchObject([
    ...[
      { price: 24_900, priceBefore: 28_900 },
      { price: 24_900, priceBefore: 28_900 },
    ],
    { price: 28_900, priceBefore: null },
  ]);
  expect(raised.text).toMatch(/id="price_before-error"[\s\S]*name="price_before"[^>]*value="289\.00"/);
  expect(raised.text).not.toContain('id="price-error"');
  const history = text.slice(text.indexOf('data-test="admin-history"')).replace(/<[^>]+>/g, '');
  for (const part of ['Precio anterior: — → $289.00', 'Precio anterior: $289.00 → —']) expect(history).toContain(part);
});

test('a form of an older version is refused with the typed values, and saving it again applies them', async () => {
  const form = await fields({ price: '300' });
  await merchant.post(PATH, await fields({ price: '310' }));

  const { status, text } = await merchant.post(PATH, form);
  const between = await stored();
  const version = /name="version" value="(\d+)"/.exec(text)?.[1] ?? '';
  await merchant.post(PATH, { ...form, version });

  expect([status, between.product.price]).toEqual([409, 31_000]);
  expect(text).toContain('value="300"');
  expect(text).toContain('El producto cambió mientras lo editabas');
  expect((await stored()).product.price).toBe(30_000);
});

test('a price that is saved during a sale leaves the stock of the sale, and a stock that is saved is refused', async () => {
  await writeProducts(queries, [{ product: { ...MUG, stock: 5 }, position: 1 }], 1);
  const [price, stock] = [await fields({ price: '300' }), await fields({ stock: '9' })];
  await takeStock(queries, [{ productId: 'taza-talavera', quantity: 1 }], 2);

  const refused = await merchant.post(PATH, stock);
  const saved = await merchant.post(PATH, price);

  expect([refused.status, saved.status]).toEqual([409, 303]);
  expect((await stored()).product).toMatchObject({ price: 30_000, stock: 4 });
});

test('a hidden product cannot be seen or bought', async () => {
  const customer = await Customer.withCart(shop);

  await merchant.post(PATH, await fields({ visible: '' }));

  expect((await customer.get(`/products/${MUG.slug}`)).status).toBe(404);
  expect((await customer.get('/cart')).text).toContain(MUG.name['es-MX']);
  expect((await customer.payHosted()).status).toBe(409);
});

test('a new price is in a cart at once, and on cached pages after 2 s', async () => {
  const customer = await Customer.withCart(shop);
  const visitor = new Customer(shop);
  const readPrice = async () => priceOn((await visitor.get(`/products/${MUG.slug}`)).text);
  expect(await readPrice()).toBe('$289.00');

  await merchant.post(PATH, await fields({ price: '300' }));

  expect((await customer.get('/cart')).text).toContain('$300.00');
  await until(async () => (await readPrice()) === '$300.00', { withinMs: 15_000 });
});

test.each([
  ['1', '11'],
  ['4', '41'],
  ['0', '11'],
  ['4', ''],
])('a stock of %s that is changed to "%s" is saved only after its confirmation', async (before, after) => {
  await writeProducts(queries, [{ product: { ...MUG, stock: Number(before) }, position: 1 }], 1);
  await addUser(shop, `clerk-${before}-${after}`, 'fulfillment');
  const clerk = await openBackOffice(shop, `clerk-${before}-${after}`);
  const post = async (changes: Readonly<Record<string, string>>) => clerk.post(`${PATH}/stock`, await fields(changes));

  const asked = await post({ stock: after });
  const [, confirmed = ''] = /name="confirmed_stock" type="checkbox" value="(\w+)"/.exec(asked.text) ?? [];
  const other = await post({ stock: '1000', confirmed_stock: confirmed });
  const unchanged = (await stored()).product.stock;
  const saved = await post({ stock: after, confirmed_stock: confirmed });

  expect([asked.status, other.status, unchanged]).toEqual([422, 422, Number(before)]);
  expect(asked.text).toContain('id="stock-error"');
  expect(saved.headers['location']).toBe(`${PATH}?result=saved`);
  expect((await stored()).product.stock).toBe(after === '' ? null : Number(after));
});

test.each([
  ['1', '10'],
  ['40', '400'],
  ['0', '10'],
  ['', '500'],
])('a stock of "%s" that is changed to %s needs no confirmation', async (before, after) => {
  const stock = before === '' ? null : Number(before);
  await writeProducts(queries, [{ product: { ...MUG, stock }, position: 1 }], 1);

  const answer = await merchant.post(PATH, await fields({ stock: after }));

  expect(answer.headers['location']).toBe(`${PATH}?result=saved`);
});

test('the page of a product shows its photo in three sizes, and how its further pictures changed', async () => {
  const image = `/pictures/${'a'.repeat(64)}`;
  await writeProducts(queries, [{ product: { ...MUG, image }, position: 1 }], 1);
  const pictures: [string, string] = [`${image}, ${image}`, image];
  const event = { productId: MUG.id, kind: 'changed', by: 'ana', at: shop.clock.now() } as const;
  await recordProductEvents(queries, [{ ...event, detail: { pictures, image: ['/logo.svg', image] } }]);

  const { text } = await merchant.get(PATH);

  expect(text).toContain(`src="${image}"`);
  expect(text).toContain(`srcset="${image}/400 400w, ${image}/800 800w, ${image}/1600 1600w"`);
  for (const part of ['Más imágenes: <bdi>2</bdi> → <bdi>1</bdi>', '<bdi>Foto subida</bdi>'])
    expect(text).toContain(part);
  expect(text).not.toContain('<bdi>/pictures/');
});

test('a search that finds no product says so', async () => {
  expect((await merchant.get('/admin/products?q=zzz')).text).toContain('Ningún producto coincide');
});
