import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabase } from '../../src/tables/database.js';
import { importTestCatalog } from './catalog.js';
import { copyTemplate, type Template } from './template-database.js';

/** The database exists, or another connection creates it at the same time. */
const EXISTS: readonly unknown[] = ['42P04', '23505'];

export interface TemporaryDatabase extends AsyncDisposable {
  readonly url: string;
}

/**
 * Creates a database for one test: a schema in the PostgreSQL server of TEST_DATABASE_URL, or a SQLite file. It has the
 * content of the template, but a schema has no tables with the template `tables`.
 */
export async function temporaryDatabase(directory: string, template?: Template): Promise<TemporaryDatabase> {
  const server = process.env['TEST_DATABASE_URL'];
  if (server) {
    const schema = await createDatabase(await databaseOfThisWorker(server), directory);
    if (template === 'catalog') await fillSchema(schema.url);
    return schema;
  }
  if (template) await copyTemplate(template, join(directory, 'shop.db'));
  return createDatabase(undefined, directory);
}

/** Creates a SQLite file in `directory`, or a schema on a PostgreSQL server. Disposal drops the schema. */
export async function createDatabase(server: string | undefined, directory: string): Promise<TemporaryDatabase> {
  if (!server) {
    return { url: `file:${join(directory, 'shop.db')}`, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const schema = `tianguis_${randomUUID().replaceAll('-', '')}`;
  await runOnce(server, `create schema ${schema}`);
  const url = new URL(server);
  url.searchParams.set('options', `-c search_path=${schema}`);
  return {
    url: url.href,
    [Symbol.asyncDispose]: () => runOnce(server, `drop schema if exists ${schema} cascade`),
  };
}

/** Creates a PostgreSQL database of its own, with these options of `create database`. Disposal drops it. */
export async function openDatabaseOf(server: string, options = ''): Promise<TemporaryDatabase> {
  const name = `tianguis_${randomUUID().replaceAll('-', '')}`;
  await runOnce(server, `create database ${name} ${options}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    [Symbol.asyncDispose]: () => runOnce(server, `drop database if exists ${name} with (force)`),
  };
}

/** Creates one database per test worker. Catalog queries fail if another worker drops a schema at the same time. */
async function databaseOfThisWorker(server: string): Promise<string> {
  const url = new URL(server);
  url.pathname = `/tianguis_test_${process.env['JEST_WORKER_ID'] ?? '1'}`;
  try {
    await runOnce(server, `create database ${url.pathname.slice(1)}`);
  } catch (error) {
    if (!EXISTS.includes((error as { code?: unknown }).code)) throw error;
  }
  return url.href;
}

async function fillSchema(url: string): Promise<void> {
  await using db = openDatabase(url, () => {});
  await db.migrate();
  await importTestCatalog(db);
}

async function runOnce(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
