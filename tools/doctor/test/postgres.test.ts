/** The doctor and PostgreSQL, also behind PgBouncer. */
import { expect, test } from '@jest/globals';
import { openDatabase } from '../../../src/tables/database.js';
import { openPgBouncer, type PgBouncerOptions } from '../../../test/support/pgbouncer.js';
import { openDatabaseOf } from '../../../test/support/temporary-database.js';
import { runDoctor } from '../run-doctor.js';
import { problemsOf } from './support.js';

/** Runs on PostgreSQL only. It then must not be skipped silently. */
const server = process.env['TEST_DATABASE_URL'] ?? '';
const testOnPostgres = server === '' ? test.skip : test;

/** Returns the problems of the checks that read the database. */
async function problems(databaseUrl: string): Promise<readonly string[]> {
  const environment = { DATABASE_URL: databaseUrl, PUBLIC_URL: 'http://localhost:2' };
  const files = { projectDirectory: '/nonexistent', envFile: '/nonexistent/.env' };
  const results = await runDoctor({ environment, production: false, offline: false, ...files, timeoutMs: 30_000 });
  return ['database', 'connection pooler'].flatMap((check) => problemsOf(results, check));
}

/** Opens a database with the tables of the shop. */
async function openMigrated() {
  const database = await openDatabaseOf(server);
  await using db = openDatabase(database.url, () => {});
  await db.migrate();
  return database;
}

testOnPostgres('case 176: a database that is not UTF-8 is an error that names server_encoding', async () => {
  await using database = await openDatabaseOf(
    server,
    `encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`,
  );

  expect(await problems(database.url)).toEqual([
    'database error The database is not UTF-8: its server_encoding is LATIN1.',
  ]);
});

testOnPostgres('a database without a connection pooler has no problem', async () => {
  await using database = await openMigrated();

  expect(await problems(database.url)).toEqual([]);
});

testOnPostgres.each<[PgBouncerOptions, readonly (string | RegExp)[]]>([
  [{ mode: 'session', showsVersion: true }, [/^connection pooler note .* PgBouncer 1\.[\d.]+ with session pooling\.$/]],
  [
    { mode: 'transaction', showsVersion: true },
    [/^connection pooler note .* PgBouncer 1\.[\d.]+ with transaction pooling\.$/],
  ],
  [
    { mode: 'transaction' },
    [/^connection pooler note .* PgBouncer \(its version is shown to stats_users only\) with transaction pooling\.$/],
  ],
  [
    { mode: 'statement', showsVersion: true },
    [
      /^database error .*\(PgBouncer refuses transactions with statement pooling\)\.$/,
      /^connection pooler error .* with statement pooling\.$/,
    ],
  ],
])('case 177: PgBouncer with %j is reported with its pooling and version', async (options, expected) => {
  await using database = await openMigrated();
  await using bouncer = await openPgBouncer(server, options);

  expect(await problems(bouncer.through(database.url))).toEqual(expected.map((each) => expect.stringMatching(each)));
});

testOnPostgres.each([
  [
    'a startup parameter that PgBouncer does not take',
    '?options=-c%20geqo%3Doff',
    'PgBouncer refuses the startup parameter (options|geqo)',
  ],
  ['a database that PgBouncer does not have', '-nowhere', 'PgBouncer has no such database'],
])('case 177: %s is reported as the cause', async (_what, suffix, reason) => {
  await using bouncer = await openPgBouncer(server, { mode: 'transaction' });
  const url = new URL(server);
  url.pathname += suffix.startsWith('?') ? '' : suffix;
  const databaseUrl = bouncer.through(url.href) + (suffix.startsWith('?') ? suffix : '');

  expect(await problems(databaseUrl)).toEqual([
    expect.stringMatching(new RegExp(`^database error DATABASE_URL cannot be used: ${reason}\\.$`)),
  ]);
});
