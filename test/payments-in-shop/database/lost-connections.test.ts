import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { isDatabaseError } from '../../../packages/payments/src/database/database-error.js';
import { insertCart } from '../../../src/tables/carts.js';
import { type Database, type Db, openDatabase } from '../../../src/tables/database.js';
import { until, within } from '../../support/crowd.js';
import { temporaryDatabase } from '../../support/temporary-database.js';

/** The embedded database has no connection to lose. */
const testOnPostgres = process.env['TEST_DATABASE_URL'] !== undefined ? test : test.skip;

testOnPostgres('a connection that breaks during a transaction is logged, undone and replaced', async () => {
  await using location = await temporaryDatabase('');
  const errors: string[] = [];
  await using db = await open(location.url, errors);
  await using other = await open(location.url, []);

  const work = db.transaction(async (queries) => {
    await insertCart(queries, 'undone', 1);
    await terminate(other.queries, await processIdOf(queries));
    // The end of the connection arrives while no statement runs.
    await until(() => errors.length > 0);
    await insertCart(queries, 'never', 1);
  });

  await expect(work).rejects.toThrow();
  await insertCart(db.queries, 'after', 1);
  expect(await db.queries.selectFrom('carts').select('id').execute()).toEqual([{ id: 'after' }]);
});

testOnPostgres('an idle connection that breaks is logged and replaced', async () => {
  await using location = await temporaryDatabase('');
  const errors: string[] = [];
  await using db = await open(location.url, errors);
  await using other = await open(location.url, []);

  await terminate(other.queries, await processIdOf(db.queries));
  await until(() => errors.length > 0);

  await expect(db.ping()).resolves.toBeUndefined();
});

testOnPostgres(
  'a statement ends with a database error when the network to the server stops',
  async () => {
    await using location = await temporaryDatabase('');
    const server = new URL(location.url);
    const { port, hostname } = server;
    const sockets: Socket[] = [];
    const proxy = createServer((client) => {
      const upstream = connect(Number(port), hostname);
      sockets.push(client, upstream);
      client.pipe(upstream).pipe(client);
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    server.port = String((proxy.address() as AddressInfo).port);
    await using db = await open(server.href, []);
    await db.ping();

    for (const socket of sockets) socket.unpipe();
    const error = await within(60_000, db.ping()).catch((thrown: unknown) => thrown);
    await expect(db.ping()).resolves.toBeUndefined();
    for (const socket of sockets) socket.destroy();
    proxy.close();

    expect(isDatabaseError(error)).toBe(true);
  },
  90_000,
);

async function open(url: string, errors: string[]): Promise<Database> {
  const db = openDatabase(url, (error) => errors.push(String(error)));
  await db.migrate();
  return db;
}

async function processIdOf(queries: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(queries);
  return rows[0]?.pid ?? 0;
}

async function terminate(queries: Db, processId: number): Promise<void> {
  await sql`select pg_terminate_backend(${processId}::integer)`.execute(queries);
}
