/** The form of a product's page in a shop without that of all members: price, stock and visibility of its group. */
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { addUser, openBackOffice } from '../../../../test/support/admin.js';
import { openDoor } from '../../../../test/support/replica.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { importVariants, ROWS } from '../../../../test/support/variants.js';
import { findGroup, findProductEvents } from '../../../tables/product-changes.js';

const shop = await openFileShop();
const small = await openDoor({ ...shop.context.web, productEditor: undefined });
afterAll(() => small[Symbol.asyncDispose]());
const merchant = await openBackOffice(small);
await addUser(shop, 'luz', 'fulfillment');
const luz = await openBackOffice(small, 'luz');
const RED = '/admin/products/playera-roja';
const BLUE = '/admin/products/playera-azul';

beforeEach(async () => {
  const rows = ROWS.map((row) => ({ ...row, stock: '5', visible: 'yes', category_es_mx: 'Ropa' }));
  await importVariants(shop, rows);
});

/** Returns the fields of the form, as a browser posts them. */
async function open(path: string, client = merchant): Promise<Readonly<Record<string, string>>> {
  return valuesIn((await client.get(path)).text);
}

function valuesIn(html: string) {
  const [form = ''] = /<form class="card"[\s\S]*?<\/form>/.exec(html) ?? [];
  const boxes = [...form.matchAll(/name="([\w-]+)" type="checkbox" value="yes" checked>/g)];
  const inputs = form.matchAll(/<input (?![^>]*type="checkbox")[^>]*name="([\w-]+)"[^>]*? value="([^"]*)"/g);
  return Object.fromEntries([
    ...[...inputs].map(([, name, value]) => [name, value]),
    ...boxes.map(([, name]) => [name, 'yes']),
  ]);
}

const group = async () => (await findGroup(shop.queries, 'playera-roja')).map(({ product }) => product);
const errorsIn = (html: string) => [...html.matchAll(/<li><a href="#([\w-]+)">/g)].map(([, field]) => field);

test('the page edits price, stock and visibility of each variant, and has no part of the form of all members', async () => {
  const { text } = await merchant.get(RED);
  const changes = { price: '$ 260', price_before: '300', 'stock-2': '9', 'visible-3': '' };

  const saved = await merchant.post(RED, { ...valuesIn(text), ...changes, description_es_mx: 'X', 'stock-new': '1' });
  const same = await merchant.post(RED, await open(RED));

  expect(text).not.toMatch(/-new"|name="(?:name|variant|featured|tax_rate)|admin-duplicate|admin-delete/);
  expect([saved.headers['location'], same.headers['location']]).toEqual([
    ...[`${RED}?result=saved`, `${RED}?result=unchanged`],
  ]);
  expect(await group()).toMatchObject([
    { price: 26_000, priceBefore: 30_000, stock: 5, visible: true, description: { 'es-MX': 'De algodón' } },
    { price: 28_000, priceBefore: null, stock: 9, visible: true },
    { price: 25_000, priceBefore: null, stock: 5, visible: false },
  ]);
  const [event] = await findProductEvents(shop.queries, 'playera-azul', 1);
  expect(event).toMatchObject({ by: 'admin', kind: 'changed', detail: { stock: ['5', '9'] } });
});

test('a refused cell has its error at its row, nothing is saved, and every typed value is in its field', async () => {
  const typed = { price: '1', price_before: '1', 'price-2': '1.5,0', 'stock-3': '500', 'visible-2': '' };

  const { status, text } = await merchant.post(RED, { ...(await open(RED)), ...typed });
  const corrected = { ...valuesIn(text), price_before: '', 'price-2': '90', 'confirmed_stock-3': '500' };
  const before = await group();
  const saved = await merchant.post(RED, corrected);

  expect([status, errorsIn(text)]).toEqual([422, ['price_before', 'price-2', 'stock-3']]);
  expect(text).toMatch(/href="#price-2">azul: /);
  const { 'visible-2': _, ...shown } = typed;
  expect(valuesIn(text)).toMatchObject(shown);
  expect(before.map(({ price }) => price)).toEqual([25_000, 28_000, 25_000]);
  expect([saved.status, (await group()).map(({ price, stock, visible }) => [price, stock, visible])]).toEqual([
    303,
    [
      [100, 5, true],
      [9_000, 5, false],
      [25_000, 500, true],
    ],
  ]);
});

test('of two managers who save one group, the second sees the own values and saves them again', async () => {
  const form = await open(RED);
  await merchant.post(RED, { ...form, price: '310' });

  const { status, text } = await merchant.post(RED, { ...form, price: '320' });
  const between = (await group())[0];
  const saved = await merchant.post(RED, valuesIn(text));

  expect([status, errorsIn(text), between?.price]).toEqual([409, [], 31_000]);
  expect(text).toContain('El producto cambió mientras lo editabas');
  expect([saved.status, (await group())[0]?.price]).toEqual([303, 32_000]);
});

test('a user of role fulfillment has the stock of each variant and changes nothing else', async () => {
  const form = await open(BLUE, luz);

  const typed = { ...form, 'stock-2': '6', 'stock-3': '7', 'price-2': '1', visible: '' };
  const refused = await luz.post(RED, typed);
  const saved = await luz.post(`${BLUE}/stock`, typed);

  const editable = Object.keys(form).filter((name) => !/^(id|version|seen_stock)/.test(name));
  expect(editable).toEqual(['stock', 'stock-2', 'stock-3']);
  expect([refused.status, saved.headers['location']]).toEqual([403, `${BLUE}?result=saved`]);
  expect(await group()).toMatchObject([
    { price: 25_000, stock: 5, visible: true },
    { price: 28_000, stock: 6 },
    { price: 25_000, stock: 7 },
  ]);
});

test('a list without products says that a file adds them', async () => {
  await shop.queries.deleteFrom('productEvents').execute();
  await shop.queries.deleteFrom('products').execute();

  const { text } = await merchant.get('/admin/products');

  expect(text).toContain('Todavía no hay productos. Se agregan con un archivo CSV.');
});
