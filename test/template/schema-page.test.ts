/** `docs/internals/schema.sql` has the tables of both databases. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { openDatabase } from '../../src/db/database.js';
import { schemaPage } from '../../tools/dev/schema-page.js';
import { createDatabase } from '../support/temporary-database.js';

const page = readFileSync(new URL('../../docs/internals/schema.sql', import.meta.url), 'utf8');
const directory = mkdtempSync(join(tmpdir(), 'tianguis-schema-'));
const server = process.env['TEST_DATABASE_URL'];

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('the page of the schema has the tables, columns and indexes of SQLite, and one comment per table', async () => {
  await using file = await createDatabase(undefined, directory);
  await using db = openDatabase(file.url, () => {});
  await db.migrate();

  expect(page).toBe(await schemaPage(db.queries, page));
  expect(page).not.toContain('-- ?');
});

const testPostgres = server ? test : test.skip;

testPostgres('the page of the schema has the columns and indexes of PostgreSQL', async () => {
  await using schema = await createDatabase(server, directory);
  await using db = openDatabase(schema.url, () => {});
  await db.migrate();
  const tables = await db.queries.introspection.getTables();
  const { rows } = await sql<{ readonly name: string; readonly definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes where schemaname = current_schema()
  `.execute(db.queries);

  const columns = tables
    .filter(({ name }) => !name.includes('migration'))
    .flatMap((table) => table.columns.map(({ name, isNullable }) => `${table.name}.${name} ${isNullable}`));
  expect(columns.sort()).toEqual(columnsOfPage());
  const indexes = rows.map(
    ({ name, definition }) => `${definition.startsWith('CREATE UNIQUE') ? 'unique ' : ''}${name}`,
  );
  expect(indexes).toEqual(expect.arrayContaining([...indexesOfPage()]));
});

/** Returns each column with its table, and whether it may be null. */
function columnsOfPage(): readonly string[] {
  const tables = [...page.matchAll(/^create table (\w+) \(\n([\s\S]*?)\n\);/gm)];
  const columns = tables.flatMap(([, table, lines = '']) => {
    const [key = ''] = /(?<=primary key \()[^)]+/.exec(lines) ?? [];
    return lines
      .split(/,?\n/)
      .map((line) => line.trim())
      .filter((line) => !/^(?:constraint|primary key|unique|foreign key)\b/.test(line))
      .map((line) => {
        const [name = ''] = line.split(' ');
        const isRequired = /not null|primary key/.test(line) || key.split(', ').includes(name);
        return `${table}.${name} ${!isRequired}`;
      });
  });
  return columns.sort();
}

function indexesOfPage(): readonly string[] {
  return [...page.matchAll(/^create (unique )?index (\w+) /gm)].map(([, unique = '', name = '']) => unique + name);
}
