/** SQLite files that are created once per test run and copied for each test. A copy saves migrations and import. */
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isPostgres } from '@tianguis/payments/database';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../../src/tables/database.js';
import { importTestCatalog } from './catalog.js';

/** A file with all tables, or also with the catalog of the test shop. */
export type Template = 'tables' | 'catalog';

/** Writes a copy of the template to `path`. The first caller of the test run creates the template. */
export async function copyTemplate(template: Template, path: string): Promise<void> {
  const folder = process.env['TEST_TEMPLATES'];
  if (folder === undefined) throw new Error('TEST_TEMPLATES is not set');
  const file = join(folder, `${template}.db`);
  if (!existsSync(file)) await createTemplate(template, folder, file);
  await copyFile(file, path);
}

/** The rename is atomic: other workers find no file or a complete one. */
async function createTemplate(template: Template, folder: string, file: string): Promise<void> {
  const path = join(await mkdtemp(join(folder, 'new-')), 'shop.db');
  const db = openDatabase(`file:${path}`, () => {});
  await db.migrate();
  if (template === 'catalog') await importTestCatalog(db);
  // Moves everything from the write-ahead log into the file.
  await sql`pragma wal_checkpoint(truncate)`.execute(db.queries);
  await db[Symbol.asyncDispose]();
  await rename(path, file);
}

/** Disables fsync, which takes half the time of these tests. The tests simulate no power failure. */
export async function withoutFsync(db: Database): Promise<Database> {
  if (!isPostgres(db.queries)) await sql`pragma synchronous = off`.execute(db.queries);
  return db;
}
