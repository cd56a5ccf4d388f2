import { expect, test } from '@jest/globals';
import { compileOnce } from '../../../packages/payments/src/database/compile-once.js';
import { TRANSACTION_LIMITS } from '../../../packages/payments/src/database/transaction-scope.js';
import { insertCart } from '../../../src/tables/carts.js';
import type { Db } from '../../../src/tables/database.js';
import { openSharedDatabase } from '../../support/test-database.js';

const { db } = await openSharedDatabase();

const cartsBetween = compileOnce((queries: Db, { first, last }: { readonly first: number; readonly last: number }) => {
  const carts = queries.selectFrom('carts').select(['id', 'createdAt']).orderBy('id').limit(2);
  return carts.where('createdAt', '<=', last).where('createdAt', '>=', first);
});

test('a query that is compiled once uses the values of each call, and sees the rows of its own transaction', async () => {
  await insertCart(db.queries, 'a', 1);

  const inside = await db.transaction(async (tx) => {
    await insertCart(tx, 'b', 2);
    return [await cartsBetween(tx, { first: 1, last: 2 }), await cartsBetween(tx, { last: 2, first: 2 })];
  });

  expect(inside.map((carts) => carts.map(({ id }) => id))).toEqual([['a', 'b'], ['b']]);
  expect(await cartsBetween(db.queries, { first: 1, last: 1 })).toEqual([{ id: 'a', createdAt: 1 }]);
});

test('case 189: in a part that was rolled back, a query that is compiled once is refused', async () => {
  let late: Promise<unknown> = Promise.resolve();
  await db.transaction(
    async (tx) => {
      let wake = () => {};
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      await tx.savepoint(() => {
        late = woken.then(() => cartsBetween(tx, { first: 1, last: 2 })).catch(({ code }) => code);
        return late;
      });
      wake();
      await late;
    },
    { ...TRANSACTION_LIMITS, partMs: 1 },
  );

  expect(await late).toBe('TRANSACTION_OVER');
});
