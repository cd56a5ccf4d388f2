/** What code inside of a transaction may use, and how a transaction ends that takes too long. */
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { isDatabaseError, isRepeatable } from '../../../packages/payments/src/database/database-error.js';
import { TRANSACTION_LIMITS } from '../../../packages/payments/src/database/transaction-scope.js';
import { insertCart } from '../../../src/tables/carts.js';
import type { Database } from '../../../src/tables/database.js';
import { openSharedDatabase } from '../../support/test-database.js';

const { db, openAgain } = await openSharedDatabase();
const limiter = db.limiter({ name: randomUUID(), max: 1, seconds: 60 });

async function cartIds({ queries }: Database = db): Promise<readonly string[]> {
  const carts = await queries.selectFrom('carts').select('id').orderBy('id').execute();
  return carts.map(({ id }) => id);
}

test.each<[string, () => Promise<unknown>]>([
  ['read', () => cartIds()],
  ['write', () => insertCart(db.queries, 'outside', 1)],
  ['transaction', () => db.transaction((queries) => insertCart(queries, 'outside', 1))],
  ['ping', () => db.ping()],
  ['count of a limit', () => limiter.count('a')],
  ['look at a limit', () => limiter.peek('a')],
])(
  'case 178: a %s outside of the running transaction is refused at once with what to use instead',
  async (_what, use) => {
    const refusal = await db.transaction(async (queries) => {
      await insertCart(queries, 'inside', 1);
      return use().catch((error: unknown) => error);
    });

    expect(refusal).toMatchObject({ message: expect.stringContaining('use the queries of the transaction') });
    await use();
    expect(await cartIds()).toContain('inside');
  },
);

test('case 178: another database, and code that goes on after its transaction, are not refused', async () => {
  const other = openAgain();
  let wake = () => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  let later: Promise<readonly string[]> | undefined;

  await db.transaction(async () => {
    await cartIds(other);
    later = woken.then(() => cartIds());
  });
  wake();

  expect(await later).toEqual([]);
});

test('a commit hook may use the database, because the transaction is over', async () => {
  let seen: Promise<readonly string[]> | undefined;

  await db.transaction(async (queries) => {
    queries.onCommit(() => {
      seen = cartIds();
    });
    await insertCart(queries, 'stored', 1);
  });

  expect(await seen).toEqual(['stored']);
});

/** Starts a transaction that exceeds its limit, and writes twice when it wakes. */
function oversleep() {
  let wake = () => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  let report: (ends: PromiseSettledResult<unknown>[]) => void = () => {};
  const lateWrites = new Promise<PromiseSettledResult<unknown>[]>((resolve) => {
    report = resolve;
  });
  const work = db.transaction(
    async (queries) => {
      // On a busy machine the limit may come first.
      await insertCart(queries, 'before', 1).catch(() => {});
      await woken;
      const late = ['late-1', 'late-2'].map((id) => insertCart(queries, id, 1));
      report(await Promise.allSettled([...late, insertCart(db.queries, 'outside', 1)]));
    },
    { ...TRANSACTION_LIMITS, totalMs: 1 },
  );
  return { work, wake, lateWrites };
}

test('case 179: a transaction that takes too long is rejected as a transient fault, and others write the same rows', async () => {
  const { work, wake, lateWrites } = oversleep();

  const waiting = insertCart(db.queries, 'before', 1);
  const error = await work.catch((thrown: unknown) => thrown);
  await waiting;
  wake();
  await lateWrites;

  expect([isDatabaseError(error), isRepeatable(error)]).toEqual([true, true]);
  expect(await cartIds()).toEqual(['before']);
});

test('case 179: the writes of a callback that wakes after its limit run nowhere, also not in the transaction of another', async () => {
  const { work, wake, lateWrites } = oversleep();
  await expect(work).rejects.toThrow('the transaction took too long');

  const ends = await db.transaction(async (queries) => {
    await insertCart(queries, 'other', 1);
    wake();
    return lateWrites;
  });

  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await cartIds()).toEqual(['other']);
});

test('case 179: a statement for which a transaction did not wait is not committed on its own', async () => {
  const ids = ['first', 'second', 'third'];
  let forgotten: Promise<PromiseSettledResult<unknown>[]> | undefined;

  await db.transaction(async (queries) => {
    forgotten = Promise.allSettled(ids.map((id) => insertCart(queries, id, 1)));
  });
  const ends = await forgotten;

  expect(ends?.at(-1)?.status).toBe('rejected');
  expect(await cartIds()).not.toContain('third');
});
