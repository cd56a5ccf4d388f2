/** Writes `docs/internals/schema.sql`: all tables after all migrations. The comment above a table stays as it is written there. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { type Db, openDatabase } from '../../src/tables/database.js';

const HEADER = [
  '-- All tables after all migrations, as SQLite has them. PostgreSQL has the same columns and indexes.',
  '-- `npm run format` writes this page, except the comments of the tables.',
];

interface Statement {
  readonly name: string;
  readonly table: string;
  readonly text: string;
}

/** Returns the page of a SQLite database, with the comments of the former page. A table without a comment has `-- ?`. */
export async function schemaPage(queries: Db, former: string): Promise<string> {
  const { rows } = await sql<Statement>`
    select name, tbl_name as "table", sql as text from sqlite_master
    where sql is not null and tbl_name not like 'sqlite_%' and tbl_name not like '%migration%' order by tbl_name, name
  `.execute(queries);
  const tables = rows.filter(({ name, table }) => name === table);
  const parts = tables.map(({ name, text }) => {
    const comment = former.split('\n').find((_line, index, lines) => lines[index + 1] === `create table ${name} (`);
    const indexes = rows.filter((row) => row.table === name && row.name !== name);
    return [comment ?? '-- ?', ...tableLines(name, text), ...indexes.map(indexLine)].join('\n');
  });
  return `${[HEADER.join('\n'), ...parts].join('\n\n')}\n`;
}

/** One column or constraint per line. Commas in parentheses separate none. */
function tableLines(name: string, text: string): readonly string[] {
  const inner = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
  const columns = inner.split(/,(?![^(]*\))/).map((column) => `  ${oneLine(column)}`);
  return [`create table ${name} (`, columns.join(',\n'), ');'];
}

function indexLine({ text }: Statement): string {
  return `${oneLine(text).replace(/^CREATE (UNIQUE )?INDEX/, (words) => words.toLowerCase())};`;
}

function oneLine(text: string): string {
  return text.replaceAll('"', '').replace(/\s+/g, ' ').trim();
}

/** Writes the page. A clone without the template's documents has none. */
async function main(): Promise<void> {
  const path = fileURLToPath(new URL('../../../docs/internals/schema.sql', import.meta.url));
  if (!existsSync(path)) return;
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-schema-'));
  try {
    await using db = openDatabase(`file:${join(folder, 'shop.db')}`, () => {});
    await db.migrate();
    writeFileSync(path, await schemaPage(db.queries, readFileSync(path, 'utf8')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
