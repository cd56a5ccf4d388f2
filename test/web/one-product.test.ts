/** A shop that sells one product, which is not shipped. */
import { expect, test } from '@jest/globals';
import { MUG, testProducts } from '../support/catalog.js';
import { Customer } from '../support/customer.js';
import { openFileShop } from '../support/shared-shop.js';
import { loader } from '../support/variants.js';

const shop = await openFileShop();
const load = loader(shop);
const products = testProducts();
const mug = products.find(({ id }) => id === MUG);
const other = products.find(({ category }) => category.id !== mug?.category.id);

async function showOnly(...ids: readonly string[]): Promise<void> {
  await shop.queries.updateTable('products').set({ visible: 0 }).execute();
  await shop.queries.updateTable('products').set({ visible: 1 }).where('id', 'in', ids).execute();
}

test('a catalog offers a search with two products, and categories with two categories', async () => {
  await showOnly(MUG);
  const one = await load('/');
  const searched = await load('/?q=nada');
  await showOnly(MUG, other?.id ?? '');
  const two = await load('/');

  expect(one).toContain(`href="/products/${mug?.slug}"`);
  const has = (text: string) => ['data-test="search"', 'class="categories"'].map((part) => text.includes(part));
  expect([one, searched, two].map(has)).toEqual([
    [false, false],
    [true, false],
    [true, true],
  ]);
});

test('the cart announces no shipping for a product that is not shipped', async () => {
  await showOnly(MUG);
  const customer = await Customer.withCart(shop, { product_id: MUG, quantity: '1' });

  const { text } = await customer.get('/cart');
  expect(text).toContain('En este paso no se cobra nada.');
  expect(text).not.toContain('envío');
});
