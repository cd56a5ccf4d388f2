import { expect, test } from 'vitest';
import { addToCart } from '../../src/checkout/change-cart.js';
import {
  countCartPieces,
  emptyCartOf,
  findCart,
  incrementCartVersion,
  insertCart,
  putCartLine,
} from '../../src/db/carts.js';
import type { Database } from '../../src/db/database.js';
import { insertOrder } from '../../src/db/orders.js';
import { MAX_LINES, MAX_QUANTITY } from '../../src/domain/cart.js';
import { centavos } from '../../src/domain/money.js';
import type { Product } from '../../src/domain/product.js';
import { numbers } from '../support/crowd.js';
import { LINE, orderRow } from '../support/rows.js';
import { sampleProducts } from '../support/sample-products.js';
import { openTestDatabase } from '../support/test-database.js';

const clock = { now: () => 5 };
const product: Product = { ...sampleProducts()[0], id: 'product-0' };

/** Returns more products than the sample catalog has. */
const manyProducts = (count: number) =>
  numbers(count).map((index) => ({ ...product, id: `product-${index}` }));

const add = (db: Database, item: Product, quantity = 1) =>
  addToCart({ db, clock }, 'cart', { product: item, quantity });

test('a cart accepts fifty products, also of more added at once, and more pieces of these', async () => {
  await using database = await openTestDatabase();
  await insertCart(database.db.queries, 'cart', 1);

  const changes = await Promise.all(manyProducts(MAX_LINES + 5).map((item) => add(database.db, item)));
  const cart = await findCart(database.db.queries, 'cart', 1);
  const another = await add(database.db, { ...product, id: 'another' });
  const unchanged = await findCart(database.db.queries, 'cart', 1);
  const [line] = cart?.lines ?? [];
  const same = await add(database.db, { ...product, id: line?.productId ?? '' });

  expect(changes.filter(({ kind }) => kind === 'refused')).toHaveLength(5);
  expect(cart?.lines).toHaveLength(MAX_LINES);
  expect(another).toEqual({ kind: 'refused', reason: 'too_many_lines' });
  expect(unchanged).toEqual(cart);
  expect(same).toMatchObject({ kind: 'changed' });
});

test('a cart accepts ninety-nine pieces of a product, also of more added at once by two processes', async () => {
  await using database = await openTestDatabase();
  await insertCart(database.db.queries, 'cart', 1);
  const other = database.openAgain();
  await add(database.db, product, MAX_QUANTITY - 2);

  const changes = await Promise.all([database.db, other, database.db, other].map((db) => add(db, product)));

  expect(changes.filter(({ kind }) => kind === 'changed')).toHaveLength(2);
  expect(await countCartPieces(database.db.queries, 'cart')).toBe(99);
});

test('a paid order removes its own quantities from the cart and no more', async () => {
  await using database = await openTestDatabase();
  const { queries } = database.db;
  await insertCart(queries, 'cart', 1);
  const line = { cartId: 'cart', seenPrice: centavos(100), at: 1 };
  await putCartLine(queries, { ...line, productId: 'taza-talavera', quantity: 5 });
  await putCartLine(queries, { ...line, productId: 'jarra', quantity: 1 });
  await putCartLine(queries, { ...line, productId: 'rebozo', quantity: 2 });
  await incrementCartVersion(queries, 'cart', 2);
  const order = orderRow({ cartId: 'cart' });
  await insertOrder(queries, order, [
    { ...LINE, quantity: 2 },
    { ...LINE, productId: 'jarra', quantity: 3 },
  ]);

  await database.db.transaction((transaction) => emptyCartOf(transaction, order, 2));

  const cart = await findCart(queries, 'cart', 1);
  expect(cart?.lines.map(({ productId, quantity }) => [productId, quantity])).toEqual([
    ['rebozo', 2],
    ['taza-talavera', 3],
  ]);
});
