/** The product list: filters, sorting, and the form of its prices and stocks. */
import { beforeEach, expect, test } from '@jest/globals';
import { centavos, holdsCardNumber } from '@tianguis/payments/rules';
import { addUser, openBackOffice } from '../../../../test/support/admin.js';
import { testProducts } from '../../../../test/support/catalog.js';
import { numbers } from '../../../../test/support/crowd.js';
import { openDoor } from '../../../../test/support/replica.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import type { Product } from '../../../shop/rules/product.js';
import { findProductEvents, findStoredProduct, writeProducts } from '../../../tables/product-changes.js';
import { takeStock } from '../../../tables/stock.js';
import type { Slots } from '../../../web/slots.js';

const shop = await openFileShop();
const { queries } = shop;
const merchant = await openBackOffice(shop);
const LIST = '/admin/products';
const [MUG] = testProducts();
/** Barcodes that pass as card numbers, and the first of them. */
const BARCODES = numbers(2400)
  .map((number) => String(7_501_031_300_000 + number))
  .filter(holdsCardNumber)
  .slice(0, 24);
const [BARCODE = ''] = BARCODES;

type Values = Readonly<Record<string, string>>;

/** Price in pesos, stock, and whether the product is visible. */
const CATALOG: readonly (readonly [id: string, price: number, stock: number | null, visible: boolean])[] = [
  ['mesa', 300, 6, true],
  ['silla', 100, 5, true],
  ['banco', 500, null, true],
  ['vaso', 200, 0, true],
  [BARCODE, 400, 1, false],
];

const write = (products: readonly Product[]) =>
  writeProducts(
    queries,
    products.map((product, place) => ({ product, position: place + 1 })),
    1,
  );

beforeEach(async () => {
  await queries.deleteFrom('productEvents').execute();
  await queries.deleteFrom('products').execute();
  const products = CATALOG.map(([id, pesos, stock, visible]) => ({
    ...{ ...MUG, id, slug: id, price: centavos(pesos * 100), stock, visible, name: { 'es-MX': `Producto ${id}` } },
  }));
  await write(products);
});

/** 25 products with one piece each are the catalog. */
async function fillLow(image: string = MUG.image): Promise<void> {
  await queries.deleteFrom('products').execute();
  await write(numbers(25).map((number) => ({ ...MUG, id: `p${number}`, slug: `p${number}`, stock: 1, image })));
}

async function productOf(id: string): Promise<Product> {
  const stored = await findStoredProduct(queries, id);
  if (!stored) throw new Error(`no product ${id}`);
  return stored.product;
}

const pricesOf = async (...ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await productOf(id)).price / 100));
const stocksOf = async (...ids: readonly string[]) => Promise.all(ids.map(async (id) => (await productOf(id)).stock));

/** Returns the fields of the form of the list, as a browser posts them. */
function valuesIn(html: string): Values {
  const inputs = html.matchAll(/<input (?![^>]*type="checkbox")[^>]*name="([\w-]+:[\w-]+)"[^>]*? value="([^"]*)"/g);
  return Object.fromEntries([...inputs].map(([, name, value]) => [name, value]));
}

const open = async (path = LIST, client = merchant) => valuesIn((await client.get(path)).text);
const idsIn = (html: string) => [...html.matchAll(/aria-labelledby="name:([\w-]+)"/g)].map(([, id]) => id);
const errorsIn = (html: string) => [...html.matchAll(/<li><a href="#([\w:-]+)">/g)].map(([, field]) => field);

test.each([
  ['', ['mesa', 'silla', 'banco', 'vaso', BARCODE]],
  ['?filter=hidden', [BARCODE]],
  ['?filter=sold_out', ['vaso']],
  ['?filter=low', ['silla', BARCODE]],
  ['?filter=low&sort=stock', [BARCODE, 'silla']],
  ['?sort=stock', ['vaso', BARCODE, 'silla', 'mesa', 'banco']],
  ['?sort=price_asc', ['silla', 'vaso', 'mesa', BARCODE, 'banco']],
  ['?sort=price_desc', ['banco', BARCODE, 'mesa', 'vaso', 'silla']],
  ['?q=silla&filter=low', ['silla']],
  ['?q=silla&filter=hidden', []],
  ['?filter=all&sort=id', ['mesa', 'silla', 'banco', 'vaso', BARCODE]],
])('the list at %s has these products', async (query, ids) => {
  const { status, text } = await merchant.get(`${LIST}${query}`);

  expect([status, idsIn(text)]).toEqual([200, ids]);
});

test('the filter of products without a weight has those that are shipped', async () => {
  const [table, chair] = [await productOf('mesa'), await productOf('silla')];
  await write([table, { ...chair, weight: 4_000 }].map((product) => ({ ...product, requiresShipping: true })));

  const { text } = await merchant.get(`${LIST}?filter=no_weight`);

  expect(idsIn(text)).toEqual(['mesa']);
  expect(text).toContain('<option value="no_weight" selected>Sin peso</option>');
});

test('the list has a small picture of each product, and its links keep search, filter and order', async () => {
  const image = `/pictures/${'a'.repeat(64)}`;
  await fillLow(image);

  const { text } = await merchant.get(`${LIST}?q=taza&filter=low&sort=stock`);

  expect(text).toContain('href="/admin/products?q=taza&amp;filter=low&amp;sort=stock&amp;page=2"');
  expect(text).toContain('<option value="low" selected>');
  expect(text).toContain('<option value="stock" selected>');
  expect(text.match(new RegExp(`src="${image}" srcset="${image}/400 400w`, 'g'))).toHaveLength(24);
});

test('one form saves the edited prices and stocks, and only these products have a new version and an event', async () => {
  const form = await open();
  const changes = { 'price:mesa': '$ 1,310.50', 'stock:vaso': '9', [`price:${BARCODE}`]: '380', 'stock:silla': '5 ' };

  const saved = await merchant.post(LIST, { ...form, ...changes });
  const same = await merchant.post(LIST, await open());

  expect([saved.headers['location'], same.headers['location']]).toEqual([
    ...[`${LIST}?result=saved&raised=mesa`, `${LIST}?result=unchanged`],
  ]);
  expect(await pricesOf('mesa', BARCODE, 'silla')).toEqual([1_310.5, 380, 100]);
  expect(await stocksOf('mesa', 'vaso', 'silla', 'banco')).toEqual([6, 9, 5, null]);
  const rows = await queries.selectFrom('products').select(['id', 'version']).orderBy('position').execute();
  expect(rows.map(({ version }) => version)).toEqual([2, 1, 1, 2, 2]);
  const events = await queries.selectFrom('productEvents').select('productId').orderBy('productId').execute();
  expect(events.map(({ productId }) => productId)).toEqual([BARCODE, 'mesa', 'vaso']);
  const [event] = await findProductEvents(queries, 'vaso', 1);
  expect(event).toMatchObject({ by: 'admin', kind: 'changed', detail: { stock: ['0', '9'] } });
});

test('a page of 24 products whose ids are barcodes that pass as card numbers is saved', async () => {
  const barcodes = BARCODES.map((id) => ({ ...MUG, id, slug: id, stock: 1 }));
  await queries.deleteFrom('products').execute();
  await write(barcodes);
  const form = await open();

  const saved = await merchant.post(LIST, {
    ...form,
    ...Object.fromEntries(BARCODES.map((id) => [`stock:${id}`, '2'])),
  });

  expect(saved.headers['location']).toBe(`${LIST}?result=saved`);
  expect(new Set(await stocksOf(...BARCODES))).toEqual(new Set([2]));
});

test('a refused cell has its error at its row, nothing is saved, and every typed value is in its field', async () => {
  await write([{ ...(await productOf('mesa')), priceBefore: centavos(35_000) }]);
  const path = `${LIST}?filter=low`;
  const typed = { 'price:silla': '1.099,00', 'stock:silla': '7', [`stock:${BARCODE}`]: '-1' };

  const { status, text } = await merchant.post(path, { ...(await open(path)), ...typed });
  const reaching = await merchant.post(LIST, { ...(await open()), 'price:mesa': '350' });

  expect([status, errorsIn(text)]).toEqual([422, ['price:silla', `stock:${BARCODE}`]]);
  expect(text).toContain('>Producto silla: ');
  expect(valuesIn(text)).toMatchObject(typed);
  expect([reaching.status, errorsIn(reaching.text)]).toEqual([422, ['price:mesa']]);
  expect(reaching.text).toContain('Debe ser menor que el precio anterior.');
  expect(await queries.selectFrom('productEvents').select('id').execute()).toEqual([]);
  const saved = await merchant.post(path, { ...valuesIn(text), 'price:silla': '99', [`stock:${BARCODE}`]: '2' });
  expect(saved.headers['location']).toBe(`${path}&result=saved`);
  expect(await stocksOf('silla', BARCODE)).toEqual([7, 2]);
});

test('a row that changed meanwhile is named with its present value, and saving again applies the typed ones', async () => {
  const form = await open();
  await merchant.post(LIST, { ...form, 'price:mesa': '310', 'price:silla': '110' });
  await takeStock(queries, [{ productId: BARCODE, quantity: 1 }], 2);
  await queries.deleteFrom('products').where('id', '=', 'banco').execute();

  const typed = { 'price:mesa': '320', [`stock:${BARCODE}`]: '3', 'stock:vaso': '4', 'price:banco': '1' };
  const refused = await merchant.post(LIST, { ...form, ...typed });
  const between = [...(await pricesOf('mesa', 'silla')), ...(await stocksOf(BARCODE, 'vaso'))];
  const again = await merchant.post(LIST, valuesIn(refused.text));

  expect([refused.status, errorsIn(refused.text)]).toEqual([409, ['price:mesa', `stock:${BARCODE}`]]);
  for (const part of [
    'Producto mesa: Cambió mientras lo editabas. Ahora: $310.00.',
    'Ahora: 0.',
    'Ya no existen: banco.',
  ])
    expect(refused.text).toContain(part);
  expect(between).toEqual([310, 110, 0, 0]);
  expect(again.status).toBe(303);
  expect(await pricesOf('mesa', 'silla')).toEqual([320, 110]);
  expect(await stocksOf(BARCODE, 'vaso')).toEqual([3, 4]);
});

test('of two managers who save the same rows at once in other orders, one is refused', async () => {
  const form = await open();
  const first = { ...form, 'stock:mesa': '7', 'stock:vaso': '1' };
  const second = Object.fromEntries(Object.entries({ ...form, 'stock:mesa': '8', 'stock:vaso': '2' }).toReversed());

  const answers = await Promise.all([merchant.post(LIST, first), merchant.post(LIST, second)]);

  const statuses = answers.map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([303, 409]);
  expect(await stocksOf('mesa', 'vaso')).toEqual(statuses[0] === 303 ? [7, 1] : [8, 2]);
});

test('a change of a product refuses no form that edits others, and a sale stays where no stock was edited', async () => {
  const form = await open();
  await merchant.post(LIST, { ...form, 'price:mesa': '310' });
  await takeStock(queries, [{ productId: 'silla', quantity: 2 }], 2);

  const answer = await merchant.post(LIST, { ...form, 'price:silla': '90', 'stock:vaso': '1' });

  expect(answer.headers['location']).toBe(`${LIST}?result=saved`);
  expect(await pricesOf('mesa', 'silla')).toEqual([310, 90]);
  expect(await stocksOf('silla', 'vaso')).toEqual([3, 1]);
});

test('an unusual stock is saved after the confirmation of its row', async () => {
  const typed = { ...(await open()), 'stock:silla': '500', 'stock:mesa': '' };

  const asked = await merchant.post(LIST, typed);
  const half = await merchant.post(LIST, { ...typed, 'confirmed_stock:silla': '500' });
  const before = await stocksOf('silla', 'mesa');
  const confirmed = { 'confirmed_stock:silla': '500', 'confirmed_stock:mesa': 'unlimited' };
  const saved = await merchant.post(LIST, { ...typed, ...confirmed });

  expect([errorsIn(asked.text), errorsIn(half.text)]).toEqual([['stock:mesa', 'stock:silla'], ['stock:mesa']]);
  expect(asked.text).toContain('name="confirmed_stock:silla" type="checkbox" value="500"');
  expect([before, saved.status, await stocksOf('silla', 'mesa')]).toEqual([[5, 6], 303, [500, null]]);
});

test('a user of role fulfillment edits stocks only, and a viewer reads the list', async () => {
  await addUser(shop, 'luz', 'fulfillment');
  await addUser(shop, 'eva', 'viewer');
  const [luz, eva] = [await openBackOffice(shop, 'luz'), await openBackOffice(shop, 'eva')];
  const form = await open(LIST, luz);
  const typed = { ...form, 'stock:mesa': '7', 'price:mesa': '1', 'seen_price:mesa': '2' };

  const refused = [await luz.post(LIST, typed), await eva.post(LIST, typed), await eva.post(`${LIST}-stock`, typed)];
  const saved = await luz.post(`${LIST}-stock?filter=low`, typed);
  const read = await eva.get(LIST);

  expect(Object.keys(form).filter((name) => name.startsWith('price:'))).toEqual([]);
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
  expect(saved.headers['location']).toBe(`${LIST}?filter=low&result=saved`);
  expect([await pricesOf('mesa'), await stocksOf('mesa')]).toEqual([[300], [7]]);
  expect((await findProductEvents(queries, 'mesa', 1))[0]?.by).toBe('luz');
  expect([valuesIn(read.text), idsIn(read.text).length]).toEqual([{}, 5]);
  for (const part of ['Precio: $300.00', 'Existencias: Sin límite']) expect(read.text).toContain(part);
});

test('after a change that empties the last page of a filter, the first one has the result', async () => {
  await fillLow();
  const path = `${LIST}?filter=low&page=2`;

  const answer = await merchant.post(path, { ...(await open(path)), 'stock:p24': '9' });
  const shown = await merchant.agent.get(answer.headers['location'] ?? '').redirects(1);

  expect(answer.headers['location']).toBe(`${path}&result=saved`);
  expect([shown.status, idsIn(shown.text).length]).toEqual([200, 24]);
  expect(shown.text).toContain('data-test="admin-result"');
});

test('a post from another site changes nothing', async () => {
  const typed = { ...(await open()), 'price:mesa': '1', 'stock:mesa': '1' };

  for (const path of [LIST, `${LIST}-stock`]) {
    const answer = await merchant.agent.post(path).type('form').set('Sec-Fetch-Site', 'cross-site').send(typed);
    expect(answer.status).toBe(403);
  }

  expect([await pricesOf('mesa'), await stocksOf('mesa')]).toEqual([[300], [6]]);
});

test('the list shows below a product what features say about it, in their order', async () => {
  const { web } = shop.context;
  const waiting: Slots = {
    'products.row': (_res, rows) => new Map(rows.map(({ product: { id } }) => [id, `3 <${id}>`])),
  };
  const oneOnly: Slots = { 'products.row': async () => new Map([['vaso', 'more']]) };
  const nothing: Slots = { 'products.row': () => undefined };
  await using other = await openDoor({ ...web, slots: [...web.slots, waiting, nothing, oneOnly] });
  const admin = await openBackOffice(other);

  const { text } = await admin.get(LIST);

  const linesOf = (id: string) => {
    const [, row = ''] = text.split(`<bdi>Producto ${id}</bdi>`);
    const [own = ''] = row.split('data-test="admin-row"');
    return [...own.matchAll(/<p class="quiet">(3[^<]*|more)<\/p>/g)].map(([, line]) => line);
  };
  expect([linesOf('vaso'), linesOf('mesa')]).toEqual([['3 &lt;vaso&gt;', 'more'], ['3 &lt;mesa&gt;']]);
});
