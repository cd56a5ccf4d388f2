import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import LibSql from 'libsql';
import { isDatabaseError, isRepeatable } from '../../../packages/payments/src/database/database-error.js';
import { GroupCommit } from '../../../packages/payments/src/database/group-commit.js';
import { retryWhileBusy, WriteLock } from '../../../packages/payments/src/database/sqlite-lock.js';
import { insertCart } from '../../../src/tables/carts.js';
import { type Database, type Db, openDatabase } from '../../../src/tables/database.js';

interface FileDatabase extends AsyncDisposable {
  readonly db: Database;
  /** Returns the carts that another program reads from the file. */
  storedCarts(): readonly string[];
}

async function openFileDatabase(): Promise<FileDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'tianguis-'));
  const path = join(directory, 'shop.db');
  const db = openDatabase(`file:${path}`, () => {});
  await db.migrate();
  return {
    db,
    storedCarts() {
      const other = new LibSql(path, { readonly: true });
      const rows = other.prepare('select id from carts order by id').all() as { readonly id: string }[];
      other.close();
      return rows.map(({ id }) => id);
    },
    async [Symbol.asyncDispose]() {
      await db[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `cart-${10 + index}`);
const store = (db: Database, id: string) => db.transaction((queries) => insertCart(queries, id, 1));

test('twenty concurrent transactions are committed together, and none resolves before the commit', async () => {
  await using file = await openFileDatabase();
  const stored: (readonly string[])[] = [];

  await Promise.all(names(20).map((id) => store(file.db, id).then(() => stored.push(file.storedCarts()))));

  expect(stored).toEqual(names(20).map(() => names(20)));
});

test('a transaction that fails in a group undoes its own changes and no others', async () => {
  await using file = await openFileDatabase();
  const [first = '', second = '', ...others] = names(6);

  const ends = await Promise.allSettled([
    store(file.db, first),
    file.db.transaction(async (queries) => {
      await insertCart(queries, second, 1);
      throw new Error('midway');
    }),
    // The key of the first transaction.
    store(file.db, first),
    ...others.map((id) => store(file.db, id)),
    insertCart(file.db.queries, first, 1),
  ]);

  const stored = others.map(() => 'fulfilled');
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', ...stored, 'rejected']);
  expect(file.storedCarts()).toEqual([first, ...others]);
});

test('when the disk becomes full, exactly the transactions that resolve are stored', async () => {
  await using file = await openFileDatabase();
  const { queries } = file.db;
  const ids = names(40).map((name) => `${name}-${'x'.repeat(3_000)}`);
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(queries);
  await sql.raw(`pragma max_page_count = ${(rows[0]?.page_count ?? 0) + 20}`).execute(queries);

  const ends = await Promise.allSettled(ids.map((id) => store(file.db, id)));

  const resolved = ids.filter((_, index) => ends[index]?.status === 'fulfilled');
  const codes = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.code] : []));
  expect(new Set(codes)).toEqual(new Set(['SQLITE_FULL']));
  expect(file.storedCarts()).toEqual(resolved);
  await sql.raw('pragma max_page_count = 1000000').execute(queries);
  await store(file.db, 'zz-later');
  expect(file.storedCarts()).toEqual([...resolved, 'zz-later']);
});

/** Stores a cart and removes the savepoint: only the whole group can be rolled back. */
async function storeWithoutSavepoint(queries: Db): Promise<void> {
  await insertCart(queries, 'half', 1);
  await sql`release member`.execute(queries);
}

async function failWithoutSavepoint(queries: Db): Promise<void> {
  await storeWithoutSavepoint(queries);
  throw new Error('midway');
}

test.each([
  ['rollback', failWithoutSavepoint],
  ['commit', storeWithoutSavepoint],
])('a transaction whose %s fails is not stored, and later writes succeed', async (_what, work) => {
  await using file = await openFileDatabase();

  const failing = file.db.transaction(work);
  const concurrent = store(file.db, 'concurrent').catch(() => store(file.db, 'concurrent'));

  await expect(failing).rejects.toThrow();
  await concurrent;
  await store(file.db, 'later');
  expect(file.storedCarts()).toEqual(['concurrent', 'later']);
});

test('a failed rollback rejects the earlier transactions of its group with a transient error and stores none', async () => {
  await using file = await openFileDatabase();

  const first = store(file.db, 'first');
  const failing = file.db.transaction(failWithoutSavepoint);

  const lost = await first.catch((error: unknown) => error);
  await expect(failing).rejects.toThrow('midway');
  expect([isDatabaseError(lost), isRepeatable(lost)]).toEqual([true, true]);
  await store(file.db, 'later');
  expect(file.storedCarts()).toEqual(['later']);
});

test('the commit hooks of a group run in order of its transactions when all are on disk', async () => {
  await using file = await openFileDatabase();
  const stored: unknown[] = [];
  const storeWithHook = (id: string) =>
    file.db.transaction(async (queries) => {
      queries.onCommit(() => stored.push([id, file.storedCarts()]));
      await insertCart(queries, id, 1);
    });

  await Promise.all(names(3).map(storeWithHook));

  expect(stored).toEqual(names(3).map((id) => [id, names(3)]));
});

test('a group that is rolled back calls no commit hook', async () => {
  await using file = await openFileDatabase();
  const calls: string[] = [];

  const first = file.db.transaction(async (queries) => {
    queries.onCommit(() => calls.push('hook'));
    await insertCart(queries, 'first', 1);
  });
  const failing = file.db.transaction(failWithoutSavepoint);

  await expect(first).rejects.toThrow('a savepoint was not rolled back');
  await expect(failing).rejects.toThrow('midway');
  expect([calls, file.storedCarts()]).toEqual([[], []]);
});

test('a rollback that the driver refuses as well leaves no open transaction, and later writes succeed', async () => {
  const database = new LibSql(':memory:');
  database.exec('create table numbers (value integer)');
  const errors: unknown[] = [];
  const refused = new Set(['rollback to member; release member', 'rollback']);
  const failing = new Proxy(database, {
    get(target, name) {
      if (name === 'inTransaction' || name === 'open') return target[name];
      return (statement: string) => {
        if (refused.delete(statement)) throw new Error('disk I/O error');
        target.exec(statement);
      };
    },
  });
  const group = new GroupCommit(failing, (error) => errors.push(error));
  const first = await group.begin(Number.POSITIVE_INFINITY);
  database.exec('insert into numbers values (1)');
  group.rollback(first);

  const second = await group.begin(Number.POSITIVE_INFINITY);
  database.exec('insert into numbers values (2)');
  await group.commit(second);

  expect(database.prepare('select value from numbers').all()).toEqual([{ value: 2 }]);
  expect(errors).toHaveLength(2);
  database.close();
});

test('case 179: a caller is refused at its deadline while the holder of the write lock never ends, and the next one gets the lock', async () => {
  const lock = new WriteLock();
  await lock.acquire(Number.POSITIVE_INFINITY);

  const refused = lock.acquire(performance.now() + 1);
  const next = lock.acquire(Number.POSITIVE_INFINITY);

  await expect(refused).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
  lock.release();
  await next;
});

test.each(['SQLITE_BUSY', 'SQLITE_BUSY_RECOVERY'])(
  'a statement waits while another process holds the file (%s)',
  async (code) => {
    const faults = [Object.assign(new Error('database is locked'), { code })];

    const read = () => {
      for (const fault of faults.splice(0)) throw fault;
      return 'read';
    };

    expect(await retryWhileBusy(read)).toBe('read');
    await expect(retryWhileBusy(() => Promise.reject(new Error('no such table')))).rejects.toThrow('no such table');
  },
);
