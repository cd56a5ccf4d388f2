/** The slots of pages, filled as a feature fills them. */
import { expect, test } from '@jest/globals';
import supertest from 'supertest';
import { createApp } from '../../src/app.js';
import { pathTo } from '../../src/web/paths.js';
import type { Slots } from '../../src/web/slots.js';
import { testProducts } from '../support/catalog.js';
import { Customer } from '../support/customer.js';
import { openFileShop } from '../support/shared-shop.js';
import { LIMITED, setStock } from '../support/stock.js';

const shop = await openFileShop();
const { web } = shop.context;
const product = testProducts().find(({ id }) => id === LIMITED);

const section = (text: string) => ({ view: '/../test/support/section', model: { text } });
const FIRST: Slots = { 'product.sold-out': (_res, { id }) => section(`first ${id}`) };
const NOTHING: Slots = { 'product.sold-out': () => undefined };
const SEVERAL: Slots = { 'product.sold-out': async () => [section('second'), section('third')] };

/** Returns what the page of the product shows in the slot, in a shop whose features fill it like this. */
async function readSections(): Promise<readonly string[]> {
  const app = createApp({ ...web, slots: [...web.slots, FIRST, NOTHING, SEVERAL] });
  const { text } = await supertest(app).get(`/products/${product?.slug}`);
  return [...text.matchAll(/data-test="section">([^<]*)</g)].map(([, shown = '']) => shown);
}

test('the page of a sold-out product shows what each feature adds, in their order, and a product in stock nothing of it', async () => {
  await setStock(shop, 0);
  const soldOut = await readSections();
  await setStock(shop, 1);

  expect(soldOut).toEqual([`first ${LIMITED}`, 'second', 'third']);
  expect(await readSections()).toEqual([]);
});

test('a refused form of a slot is shown with its status, and its error is none of the quantity', async () => {
  await setStock(shop, 1);
  const customer = new Customer(shop);
  await customer.send('/cart/items', { product_id: LIMITED, quantity: 'x' });
  const refused = { typed: { email: 'luz' }, errors: [{ field: 'email', message: 'Not an address.' }], status: 409 };
  await shop.queries
    .updateTable('typedForms')
    .set({ content: JSON.stringify(refused) })
    .execute();

  const page = await customer.get(`/products/${product?.slug}?answer=1`);

  expect([page.status, page.text.includes('Not an address.')]).toEqual([409, false]);
  expect(page.text).toContain('name="quantity" type="text" inputmode="numeric" required autocomplete="off" value="1"');
});

test('the parameters of a path are encoded', () => {
  expect(pathTo('/admin/discounts/:code/end', { code: 'MÁS 5/6' })).toBe('/admin/discounts/M%C3%81S%205%2F6/end');
});
