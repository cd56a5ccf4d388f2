import { describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { insertCart } from '../../src/db/carts.js';
import { type Database, openDatabase, type Queries } from '../../src/db/database.js';
import { until } from '../support/crowd.js';
import { temporaryDatabase } from '../support/temporary-database.js';

/** The embedded database has no connection to lose. */
const onPostgres = process.env['TEST_DATABASE_URL'] === undefined ? describe.skip : describe;

onPostgres('a connection that PostgreSQL breaks off', () => {
  test('in the middle of a transaction undoes it, is told, and is replaced', async () => {
    await using place = await temporaryDatabase('');
    const lost: string[] = [];
    await using db = await open(place.url, lost);
    await using other = await open(place.url, []);

    const work = db.transaction(async (queries) => {
      await insertCart(queries, 'undone', 1);
      await breakOff(other.queries, await processOf(queries));
      // The end of the connection arrives while nothing is being asked over it.
      await until(() => lost.length > 0, { withinMs: 10_000, everyMs: 1 });
      await insertCart(queries, 'never', 1);
    });

    await expect(work).rejects.toThrow();
    await insertCart(db.queries, 'after', 1);
    expect(await db.queries.selectFrom('carts').select('id').execute()).toEqual([{ id: 'after' }]);
  });

  test('while idle is told, and replaced', async () => {
    await using place = await temporaryDatabase('');
    const lost: string[] = [];
    await using db = await open(place.url, lost);
    await using other = await open(place.url, []);

    await breakOff(other.queries, await processOf(db.queries));
    await until(() => lost.length > 0, { withinMs: 10_000, everyMs: 1 });

    await expect(db.ping()).resolves.toBeUndefined();
  });
});

async function open(url: string, lost: string[]): Promise<Database> {
  const db = openDatabase(url, (error) => lost.push(String(error)));
  await db.migrate();
  return db;
}

async function processOf(queries: Queries): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(queries);
  return rows[0]?.pid ?? 0;
}

async function breakOff(queries: Queries, process: number): Promise<void> {
  await sql`select pg_terminate_backend(${process}::integer)`.execute(queries);
}
