import { describe, expect, test } from '@jest/globals';
import { products } from '../../src/catalog/sample-products.js';
import { addToCart, setCartQuantity } from '../../src/checkout/change-cart.js';
import {
  bumpCart,
  countCartPieces,
  emptyCartOf,
  findCart,
  insertCart,
  lockCart,
  putCartLine,
} from '../../src/db/carts.js';
import type { Database } from '../../src/db/database.js';
import { insertOrder } from '../../src/db/orders.js';
import { MAX_LINES } from '../../src/domain/cart.js';
import { centavos } from '../../src/domain/money.js';
import type { Product } from '../../src/domain/product.js';
import { LINE, orderRow } from '../support/rows.js';
import { openTestDatabase } from '../support/test-database.js';

const clock = { now: () => 5 };

/** As many different things as a test needs; the shop itself sells fewer. */
function things(count: number): readonly Product[] {
  const [model] = products;

  return Array.from({ length: count }, (_, place) => ({ ...model, id: `thing-${place}` }));
}

async function cartOf(db: Database, products: readonly Product[]): Promise<string> {
  await insertCart(db.queries, 'cart', 1);
  for (const product of products) await addToCart({ db, clock }, 'cart', { product, quantity: 1 });
  return 'cart';
}

describe('a cart', () => {
  test('keeps every one of twenty different things added at the same instant', async () => {
    await using place = await openTestDatabase();
    const cartId = await cartOf(place.db, []);

    const changes = await Promise.all(
      things(20).map((product) => addToCart({ db: place.db, clock }, cartId, { product, quantity: 1 })),
    );

    const cart = await findCart(place.db.queries, cartId);
    expect(changes.map(({ kind }) => kind)).toEqual(things(20).map(() => 'changed'));
    expect(cart?.lines).toHaveLength(20);
    expect(cart?.version).toBe(21);
  });

  test('adds up the same thing added twenty times at the same instant by two processes', async () => {
    await using place = await openTestDatabase();
    const other = place.openAgain();
    const [product] = things(1) as [Product];
    const cartId = await cartOf(place.db, []);

    await Promise.all(
      Array.from({ length: 20 }, (_, turn) =>
        addToCart({ db: turn % 2 ? place.db : other, clock }, cartId, { product, quantity: 1 }),
      ),
    );

    expect(await countCartPieces(place.db.queries, cartId)).toBe(20);
  });

  test('takes fifty different things and no more, and more of what it holds all the same', async () => {
    await using place = await openTestDatabase();
    const products = things(MAX_LINES + 1);
    const cartId = await cartOf(place.db, products.slice(0, MAX_LINES));
    const before = await findCart(place.db.queries, cartId);
    const add = (product: Product | undefined) =>
      product && addToCart({ db: place.db, clock }, cartId, { product, quantity: 1 });

    const oneMore = await add(products[MAX_LINES]);
    const unchanged = await findCart(place.db.queries, cartId);
    const sameAgain = await add(products[0]);

    expect(oneMore).toEqual({ kind: 'refused', reason: 'too_many_lines' });
    expect(unchanged).toEqual(before);
    expect(sameAgain).toMatchObject({ kind: 'changed' });
  });

  test('takes fifty things and no more when fifty-five come at the same instant', async () => {
    await using place = await openTestDatabase();
    const cartId = await cartOf(place.db, []);

    const changes = await Promise.all(
      things(MAX_LINES + 5).map((product) =>
        addToCart({ db: place.db, clock }, cartId, { product, quantity: 1 }),
      ),
    );

    expect(changes.filter(({ kind }) => kind === 'refused')).toHaveLength(5);
    expect((await findCart(place.db.queries, cartId))?.lines).toHaveLength(MAX_LINES);
  });

  test('takes ninety-nine of a thing and no more, and a refused add changes nothing', async () => {
    await using place = await openTestDatabase();
    const [product] = things(1) as [Product];
    const cartId = await cartOf(place.db, []);
    await addToCart({ db: place.db, clock }, cartId, { product, quantity: 98 });

    const changes = await Promise.all(
      [1, 1, 1].map((quantity) => addToCart({ db: place.db, clock }, cartId, { product, quantity })),
    );

    expect(changes.filter(({ kind }) => kind === 'changed')).toHaveLength(1);
    expect(await countCartPieces(place.db.queries, cartId)).toBe(99);
  });

  test('that is set to what it holds stays the same version', async () => {
    await using place = await openTestDatabase();
    const [product] = things(1) as [Product];
    const cartId = await cartOf(place.db, [product]);
    const before = await findCart(place.db.queries, cartId);

    await setCartQuantity({ db: place.db, clock }, cartId, { product, quantity: 1 });

    expect(await findCart(place.db.queries, cartId)).toEqual(before);
  });

  test('that nobody knows is none, and one made anew takes its place', async () => {
    await using place = await openTestDatabase();
    const [product] = things(1) as [Product];

    const change = await addToCart({ db: place.db, clock }, 'forged-id', { product, quantity: 1 });

    expect(await findCart(place.db.queries, 'forged-id')).toBeUndefined();
    expect(await countCartPieces(place.db.queries, 'forged-id')).toBe(0);
    expect(change).toMatchObject({ kind: 'changed', cartId: expect.not.stringMatching('forged-id') });
  });

  test('loses what an order paid for, and of a thing no more than that', async () => {
    await using place = await openTestDatabase();
    const { queries } = place.db;
    await insertCart(queries, 'cart', 1);
    const line = { cartId: 'cart', seenPrice: centavos(100), at: 1 };
    await putCartLine(queries, { ...line, productId: 'taza-talavera', quantity: 5 });
    await putCartLine(queries, { ...line, productId: 'jarra', quantity: 1 });
    await putCartLine(queries, { ...line, productId: 'rebozo', quantity: 2 });
    const order = orderRow({ cartId: 'cart' });
    const ordered = [
      { ...LINE, quantity: 2 },
      { ...LINE, productId: 'jarra', quantity: 3 },
    ];
    await insertOrder(queries, order, ordered);

    await place.db.transaction(async (transaction) => {
      await lockCart(transaction, 'cart');
      await emptyCartOf(transaction, order, 2);
    });

    const cart = await findCart(queries, 'cart');
    expect(cart?.lines.map(({ productId, quantity }) => [productId, quantity])).toEqual([
      ['rebozo', 2],
      ['taza-talavera', 3],
    ]);
  });

  test('grows its version by one with each bump', async () => {
    await using place = await openTestDatabase();
    await insertCart(place.db.queries, 'cart', 1);

    await bumpCart(place.db.queries, 'cart', 2);

    expect(await findCart(place.db.queries, 'cart')).toEqual({ id: 'cart', version: 2, lines: [] });
  });
});
