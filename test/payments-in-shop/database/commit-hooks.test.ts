import { afterAll, expect, test } from '@jest/globals';
import { insertCart } from '../../../src/tables/carts.js';
import { openDatabase, type Transaction } from '../../../src/tables/database.js';
import { openSharedDatabase } from '../../support/test-database.js';

const shared = await openSharedDatabase();
const errors: [unknown, string][] = [];
const db = openDatabase(shared.url, (error, event) => errors.push([error, event]));
afterAll(async () => db[Symbol.asyncDispose]());

async function cartIds(): Promise<readonly string[]> {
  const carts = await shared.queries.selectFrom('carts').select('id').execute();
  return carts.map(({ id }) => id);
}

test('commit hooks run in their order, after the work and before the transaction resolves', async () => {
  const calls: string[] = [];

  await db.transaction(async (queries) => {
    queries.onCommit(() => calls.push('first'));
    await insertCart(queries, 'stored', 1);
    queries.onCommit(() => calls.push('second'));
    calls.push('work');
  });
  calls.push('resolved');

  expect(calls).toEqual(['work', 'first', 'second', 'resolved']);
});

test('a commit hook runs when other connections see the rows', async () => {
  let seen: Promise<readonly string[]> | undefined;

  await db.transaction(async (queries) => {
    queries.onCommit(() => {
      seen = cartIds();
    });
    await insertCart(queries, 'stored', 1);
  });

  expect(await seen).toEqual(['stored']);
});

test.each<[string, (queries: Transaction) => Promise<unknown>]>([
  ['throws', () => Promise.reject(new Error('midway'))],
  ['breaks a unique key', (queries) => insertCart(queries, 'stored', 1)],
])('a transaction that %s calls no commit hook', async (_what, fail) => {
  const calls: string[] = [];

  const failing = db.transaction(async (queries) => {
    queries.onCommit(() => calls.push('hook'));
    await insertCart(queries, 'stored', 1);
    await fail(queries);
  });

  await expect(failing).rejects.toThrow();
  expect(calls).toEqual([]);
});

test('a repeated try calls only its own commit hooks', async () => {
  const calls: number[] = [];
  let tries = 0;
  const write = () =>
    db.transaction(async (queries) => {
      tries += 1;
      const number = tries;
      queries.onCommit(() => calls.push(number));
      await insertCart(queries, 'stored', 1);
      if (number === 1) throw new Error('midway');
    });

  await write().catch(write);

  expect(calls).toEqual([2]);
});

test('a commit hook that throws is reported, and the transaction resolves and calls the other hooks', async () => {
  const calls: string[] = [];
  const fault = new Error('in the hook');

  const result = await db.transaction(async (queries) => {
    queries.onCommit(() => {
      throw fault;
    });
    queries.onCommit(() => calls.push('next'));
    await insertCart(queries, 'stored', 1);
    return 'done';
  });

  expect([result, calls, await cartIds()]).toEqual(['done', ['next'], ['stored']]);
  expect(errors).toEqual([[fault, 'database.commit_hook_failed']]);
});
