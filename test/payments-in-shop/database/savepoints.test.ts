/** Parts of a transaction that may fail alone. */
import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { TRANSACTION_LIMITS } from '../../../packages/payments/src/database/transaction-scope.js';
import { insertCart } from '../../../src/tables/carts.js';
import type { Transaction } from '../../../src/tables/database.js';
import { openSharedDatabase } from '../../support/test-database.js';

const { db } = await openSharedDatabase();

async function cartIds(): Promise<readonly string[]> {
  const carts = await db.queries.selectFrom('carts').select('id').orderBy('id').execute();
  return carts.map(({ id }) => id);
}

/** Writes a cart, runs the part, and writes another cart. */
function writeAround(name: string, part: (tx: Transaction) => Promise<unknown>, partMs = TRANSACTION_LIMITS.partMs) {
  return db.transaction(
    async (tx) => {
      await insertCart(tx, `${name}-before`, 1);
      const result = await tx.savepoint(async () => {
        await insertCart(tx, `${name}-part`, 1);
        return part(tx);
      });
      await insertCart(tx, `${name}-later`, 1);
      return result;
    },
    { ...TRANSACTION_LIMITS, partMs },
  );
}

const broken = (tx: Transaction) => sql`select * from no_such_table`.execute(tx);

test('case 189: a part of a transaction is stored with it, and a part that throws alone is not', async () => {
  const kept = await writeAround('a', async () => 'value');
  const thrown = await writeAround('b', () => Promise.reject(new Error('no')));

  expect(kept).toEqual({ ok: true, value: 'value' });
  expect(thrown).toMatchObject({ ok: false, error: { message: 'no' } });
  expect(await cartIds()).toEqual(['a-before', 'a-later', 'a-part', 'b-before', 'b-later']);
});

test.each<[string, (tx: Transaction) => Promise<unknown>]>([
  ['with a statement', broken],
  [
    'with a statement that it catches, before it throws',
    (tx) => broken(tx).catch(() => Promise.reject(new Error('no'))),
  ],
  [
    'without a wait',
    () => {
      throw new Error('no');
    },
  ],
  [
    'in an inner part',
    async (tx) => {
      await tx.savepoint(() => broken(tx));
      throw new Error('no');
    },
  ],
  [
    'with a code that a call of the network has',
    () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' })),
  ],
])('case 189: a part that fails %s is rolled back alone, also beside parallel transactions', async (_how, part) => {
  const names = ['a', 'b', 'c', 'd'];

  const results = await Promise.all(names.map((name) => writeAround(name, name < 'c' ? part : async () => {})));

  expect(results.map(({ ok }) => ok)).toEqual([false, false, true, true]);
  const around = names.flatMap((name) => [`${name}-before`, `${name}-later`]);
  expect(await cartIds()).toEqual([...around, 'c-part', 'd-part'].sort());
});

test.each(['SQLITE_BUSY', '40001', '40P01', 'TRANSACTION_OVER'])(
  'case 189: a part that fails with the fault %s of the database ends the whole transaction',
  async (code) => {
    const fault = Object.assign(new Error('no'), { code });

    await expect(writeAround('a', () => Promise.reject(fault))).rejects.toBe(fault);

    expect(await cartIds()).toEqual([]);
  },
);

test('case 189: a part that takes too long is rolled back, and what it does later is refused', async () => {
  let wake = () => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const hooks: string[] = [];
  let late: Promise<unknown> = Promise.resolve();

  const result = await db.transaction(
    async (tx) => {
      const tried = await tx.savepoint(() => {
        tx.onCommit(() => hooks.push('part'));
        late = woken.then(() => insertCart(tx, 'late', 1)).catch(({ code }) => code);
        return late;
      });
      wake();
      expect(await late).toBe('TRANSACTION_OVER');
      tx.onCommit(() => hooks.push('later'));
      await insertCart(tx, 'later', 1);
      return tried;
    },
    { ...TRANSACTION_LIMITS, partMs: 1 },
  );

  expect(result).toMatchObject({ ok: false, error: { name: 'SavepointTimeoutError' } });
  expect([await cartIds(), hooks]).toEqual([['later'], ['later']]);
});
