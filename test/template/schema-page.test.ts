/** `docs/internals/schema.sql` has the tables of both databases. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { isPostgres } from '@tianguis/payments/database';
import { sql } from 'kysely';
import { openDatabase } from '../../src/tables/database.js';
import { schemaPage } from '../../tools/dev/schema-page.js';
import { createDatabase, temporaryDatabase } from '../support/temporary-database.js';

const page = readFileSync(new URL('../../docs/internals/schema.sql', import.meta.url), 'utf8');
const directory = mkdtempSync(join(tmpdir(), 'tianguis-schema-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('the page of the schema has the tables, columns and indexes of SQLite, and one comment per table', async () => {
  await using file = await createDatabase(undefined, directory);
  await using db = openDatabase(file.url, () => {});
  await db.migrate();

  expect(page).toBe(await schemaPage(db.queries, page));
  expect(page).not.toContain('-- ?');
});

test('the database of the test run has the columns and indexes of the page', async () => {
  await using database = await temporaryDatabase(directory);
  await using db = openDatabase(database.url, () => {});
  await db.migrate();
  const tables = await db.queries.introspection.getTables();
  const { rows } = await (isPostgres(db.queries)
    ? sql<IndexRow>`select indexname as name, indexdef as definition from pg_indexes where schemaname = current_schema()`
    : sql<IndexRow>`select name, sql as definition from sqlite_master where type = 'index' and sql is not null`
  ).execute(db.queries);

  const found = tables
    .filter(({ name }) => !name.includes('migration'))
    .flatMap((table) => table.columns.map(({ name, isNullable }) => [`${table.name}.${name}`, isNullable] as const));
  const shown = columnsOfPage();
  expect(found.map(([name]) => name).sort()).toEqual(shown.map(({ name }) => name).sort());
  const isNullable = new Map<string, boolean>(found);
  const others = shown.filter(({ isKey }) => !isKey);
  expect(others.filter(({ name, isRequired }) => isNullable.get(name) === isRequired)).toEqual([]);
  const indexes = rows.map(({ name, definition }) => (/^CREATE UNIQUE/i.test(definition) ? `unique ${name}` : name));
  expect(indexes).toEqual(expect.arrayContaining([...indexesOfPage()]));
});

interface IndexRow {
  readonly name: string;
  readonly definition: string;
}

/** Returns each column with its table, and whether it is a key, or must have a value. SQLite says only of some keys that they must. */
function columnsOfPage() {
  const tables = [...page.matchAll(/^create table (\w+) \(\n([\s\S]*?)\n\);/gm)];
  return tables.flatMap(([, table, lines = '']) => {
    const [key = ''] = /(?<=primary key \()[^)]+/.exec(lines) ?? [];
    const named = lines
      .split(/,?\n/)
      .filter((line) => !/^ +(?:constraint|primary key|unique|foreign key)\b/.test(line));
    return named.map((line) => {
      const [name = ''] = line.trim().split(' ');
      const isKey = line.includes('primary key') || key.split(', ').includes(name);
      return { name: `${table}.${name}`, isKey, isRequired: line.includes('not null') };
    });
  });
}

function indexesOfPage(): readonly string[] {
  return [...page.matchAll(/^create (unique )?index (\w+) /gm)].map(([, unique = '', name = '']) => unique + name);
}
