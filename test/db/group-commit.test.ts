import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextRun } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import LibSql from 'libsql';
import { insertCart } from '../../src/db/carts.js';
import { type Database, openDatabase } from '../../src/db/database.js';
import { isDatabaseError, isTransientError } from '../../src/db/database-error.js';
import { GroupCommit } from '../../src/db/group-commit.js';

interface Place extends AsyncDisposable {
  readonly db: Database;
  /** The carts that another program finds in the file. */
  onDisk(): readonly string[];
}

async function openPlace(): Promise<Place> {
  const directory = await mkdtemp(join(tmpdir(), 'tianguis-'));
  const path = join(directory, 'shop.db');
  const db = openDatabase(`file:${path}`, () => {});
  await db.migrate();
  return {
    db,
    onDisk() {
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
const put = (db: Database, id: string) => db.transaction((queries) => insertCart(queries, id, 1));

describe('transactions that arrive together', () => {
  test('reach the disk together, and none is told before', async () => {
    await using place = await openPlace();
    const seen: (readonly string[])[] = [];

    await Promise.all(names(20).map((id) => put(place.db, id).then(() => seen.push(place.onDisk()))));

    expect(seen).toEqual(names(20).map(() => names(20)));
  });

  test('and those that come a few turns of the event loop later reach it with them', async () => {
    await using place = await openPlace();
    const together = async (turn: number) => {
      const first = put(place.db, `first-${turn}`).then(() => place.onDisk());
      await nextRun();
      await nextRun();
      await put(place.db, `second-${turn}`);
      return (await first).includes(`second-${turn}`);
    };

    // A machine that stands still in between parts some of them.
    let found = false;
    for (let turn = 0; turn < 100 && !found; turn += 1) found = await together(turn);

    expect(found).toBe(true);
  });

  test('take back their own part alone when they fail', async () => {
    await using place = await openPlace();
    const [first = '', second = '', ...others] = names(6);

    const ends = await Promise.allSettled([
      put(place.db, first),
      place.db.transaction(async (queries) => {
        await insertCart(queries, second, 1);
        throw new Error('changed its mind');
      }),
      // A key that is taken by the first.
      put(place.db, first),
      ...others.map((id) => put(place.db, id)),
      insertCart(place.db.queries, first, 1),
    ]);

    expect(ends.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      ...others.map(() => 'fulfilled'),
      'rejected',
    ]);
    expect(place.onDisk()).toEqual([first, ...others]);
  });

  test('are seen by no reader before the disk has them', async () => {
    await using place = await openPlace();
    const { queries } = place.db;
    const count = () => queries.selectFrom('carts').select('id').execute();

    const { before, after } = await place.db
      .transaction(async (inside) => {
        await insertCart(inside, 'cart', 1);
        return { before: await count(), inside: await inside.selectFrom('carts').select('id').execute() };
      })
      .then(async (found) => ({ before: found, after: await count() }));

    expect(before).toEqual({ before: [], inside: [{ id: 'cart' }] });
    expect(after).toEqual([{ id: 'cart' }]);
  });

  test('are each told the truth when the disk is full in the middle', async () => {
    await using place = await openPlace();
    const { queries } = place.db;
    const long = (id: string) => `${id}-${'x'.repeat(3_000)}`;
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(queries);
    await sql.raw(`pragma max_page_count = ${(rows[0]?.page_count ?? 0) + 20}`).execute(queries);

    const ends = await Promise.allSettled(names(40).map((id) => put(place.db, long(id))));

    const told = ends.flatMap(({ status }, index) =>
      status === 'fulfilled' ? [long(names(40)[index] ?? '')] : [],
    );
    const faults = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.code] : []));
    expect(new Set(faults)).toEqual(new Set(['SQLITE_FULL']));
    expect(told.length).toBeLessThan(40);
    expect(place.onDisk()).toEqual(told);
    await sql.raw('pragma max_page_count = 1000000').execute(queries);
    await put(place.db, 'zz-later');
    expect(place.onDisk()).toEqual([...told, 'zz-later']);
  });

  test('are on the disk or refused when the database is closed, and none waits for ever', async () => {
    await using place = await openPlace();
    const writing = Promise.allSettled(names(9).map((id) => put(place.db, id)));

    await place.db[Symbol.asyncDispose]();

    const ends = await writing;
    const told = names(9).filter((_, index) => ends[index]?.status === 'fulfilled');
    expect(place.onDisk()).toEqual(told);
  });
});

describe('a transaction whose rollback fails', () => {
  test('is not stored, and later writes succeed', async () => {
    await using place = await openPlace();

    // Without its savepoint, the transaction can be rolled back only with its whole batch.
    const failing = place.db.transaction(async (queries) => {
      await insertCart(queries, 'half', 1);
      await sql`release member`.execute(queries);
      throw new Error('midway');
    });
    const beside = put(place.db, 'beside');

    await expect(failing).rejects.toThrow('midway');
    await expect(beside).resolves.toBeUndefined();
    await put(place.db, 'later');
    expect(place.onDisk()).toEqual(['beside', 'later']);
  });

  test('fails the transactions of its batch with a fault that passes, and none of them is stored', async () => {
    await using place = await openPlace();

    const first = put(place.db, 'first');
    const failing = place.db.transaction(async (queries) => {
      await insertCart(queries, 'half', 1);
      await sql`release member`.execute(queries);
      throw new Error('midway');
    });

    const lost = await first.catch((error: unknown) => error);
    await expect(failing).rejects.toThrow('midway');
    expect([isDatabaseError(lost), isTransientError(lost)]).toEqual([true, true]);
    await put(place.db, 'later');
    expect(place.onDisk()).toEqual(['later']);
  });

  test('whose commit fails for the same reason is not stored, and later writes succeed', async () => {
    await using place = await openPlace();

    const failing = place.db.transaction(async (queries) => {
      await insertCart(queries, 'half', 1);
      await sql`release member`.execute(queries);
    });

    await expect(failing).rejects.toThrow();
    await put(place.db, 'later');
    expect(place.onDisk()).toEqual(['later']);
  });

  test('in the driver as well leaves no open transaction behind, and later writes succeed', async () => {
    const database = new LibSql(':memory:');
    database.exec('create table numbers (value integer)');
    const faults: unknown[] = [];
    const refused = new Set(['rollback to member; release member', 'rollback']);
    const breaking = new Proxy(database, {
      get(target, name) {
        if (name === 'inTransaction' || name === 'open') return target[name];
        return (statement: string) => {
          if (refused.delete(statement)) throw new Error('disk I/O error');
          target.exec(statement);
        };
      },
    });
    const group = new GroupCommit(breaking, (error) => faults.push(error));
    await group.begin(Number.POSITIVE_INFINITY);
    database.exec('insert into numbers values (1)');
    group.rollback();

    await group.begin(Number.POSITIVE_INFINITY);
    database.exec('insert into numbers values (2)');
    await group.commit();

    expect(database.prepare('select value from numbers').all()).toEqual([{ value: 2 }]);
    expect(faults).toHaveLength(2);
    database.close();
  });
});
