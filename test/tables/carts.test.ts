import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { addToCart } from '../../src/shop/change-cart.js';
import { MAX_LINES, MAX_QUANTITY } from '../../src/shop/rules/cart.js';
import type { Product } from '../../src/shop/rules/product.js';
import { findCart, insertCart } from '../../src/tables/carts.js';
import { testProducts } from '../support/catalog.js';
import { numbers } from '../support/crowd.js';
import { openSharedDatabase } from '../support/test-database.js';

const { db, queries, openAgain } = await openSharedDatabase();

const clock = { now: () => 5 };
const product: Product = { ...testProducts()[0], id: 'product-0' };

/** Returns more products than the sample catalog has. */
const manyProducts = (count: number) => numbers(count).map((index) => ({ ...product, id: `product-${index}` }));

const add = (item: Product, quantity = 1, by = db) =>
  addToCart({ db: by, clock, random: randomBytes }, 'cart', { product: item, quantity });

test('a cart accepts fifty products, also of more added at once, and more pieces of these', async () => {
  await insertCart(queries, 'cart', 1);

  const changes = await Promise.all(manyProducts(MAX_LINES + 5).map((item) => add(item)));
  const cart = await findCart(queries, 'cart', 1);
  const another = await add({ ...product, id: 'another' });
  const unchanged = await findCart(queries, 'cart', 1);
  const [line] = cart?.lines ?? [];
  const same = await add({ ...product, id: line?.productId ?? '' });

  expect(changes.filter(({ kind }) => kind === 'refused')).toHaveLength(5);
  expect(cart?.lines).toHaveLength(MAX_LINES);
  expect(another).toEqual({ kind: 'refused', reason: 'too_many_lines' });
  expect(unchanged).toEqual(cart);
  expect(same).toMatchObject({ kind: 'changed' });
});

test('a cart accepts ninety-nine pieces of a product, also of more added at once by two processes', async () => {
  await insertCart(queries, 'cart', 1);
  const other = openAgain();
  await add(product, MAX_QUANTITY - 2);

  const changes = await Promise.all([db, other, db, other].map((by) => add(product, 1, by)));

  expect(changes.filter(({ kind }) => kind === 'changed')).toHaveLength(2);
  expect((await findCart(queries, 'cart', 1))?.lines).toMatchObject([{ quantity: 99 }]);
});
