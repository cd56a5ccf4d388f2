/** A database of version 0.2.0: its tables, and the rows that its drill wrote, one order or more of each state. */
import { readFileSync } from 'node:fs';
import { isPostgres } from '@tianguis/payments/database';
import { sql } from 'kysely';
import type { Db } from '../../src/tables/database.js';
import { openTestDatabase, type TestDatabase } from './test-database.js';

/** When the rows were written, by their own times. */
const WRITTEN_AT = 1_795_770_630_000;
const TIMES = /\b1795770\d{6}\b|\b179577[1-9]\d{6}\b/g;

const read = (name: string) => readFileSync(new URL(`../tables/version-0.2.0/${name}.sql`, import.meta.url), 'utf8');

/** Opens a database with tables and rows of version 0.2.0, as if they were written now. */
export async function openEarlierDatabase(): Promise<TestDatabase> {
  const database = await openTestDatabase({ migrated: false });
  const later = Date.now() - WRITTEN_AT;
  const rows = read('rows').replace(TIMES, (time) => String(Number(time) + later));
  await run(database.queries, read(isPostgres(database.queries) ? 'postgres' : 'sqlite'));
  await run(database.queries, rows);
  return database;
}

async function run(queries: Db, text: string): Promise<void> {
  for (const statement of text.split(/;\n/).filter((each) => each.trim() !== ''))
    await sql.raw(statement).execute(queries);
}
