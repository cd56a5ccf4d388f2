import { type Kysely, type Migration, sql } from 'kysely';
import { isPostgres } from '../../database/dialects.js';
import { createLimitTable } from '../../database/limits.js';
import { dialectOf, findTableProblems } from '../check-tables.js';
import { ADDED_COLUMNS, type Column, paymentColumns, paymentTableStatements, type TableOptions } from '../table-sql.js';

export interface CreateOptions {
  /** `add_columns`: an `orders` table of the host without rows gets the columns that it lacks. */
  readonly orders?: 'add_columns' | undefined;
}

/** Creates the tables and indexes that are missing. Changes nothing on the database of a shop. */
export function paymentTables({ tablePrefix = '', orders }: CreateOptions & TableOptions): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      if (orders === 'add_columns') await addColumns(db, tablePrefix);
      await refuseOtherTables(db, tablePrefix);
      for (const statement of paymentTableStatements(dialectOf(db), tablePrefix)) await sql.raw(statement).execute(db);
      if (isPostgres(db)) await createLimitTable(db, tablePrefix);
    },
  };
}

/** `create table if not exists` would leave a table of another program as it is. */
async function refuseOtherTables(db: Kysely<unknown>, tablePrefix: string): Promise<void> {
  const problems: string[] = [];
  for (const [table, columns] of paymentColumns(dialectOf(db), tablePrefix)) {
    const present = columns.filter(({ name }) => !isAdded(table, name));
    problems.push(...((await findTableProblems(db, `${tablePrefix}${table}`, present)) ?? []));
  }
  if (problems.length > 0)
    throw new Error(
      `Tables with these names exist and do not fit: ${problems.join('; ')}. openPaymentDatabase takes a tablePrefix.`,
    );
}

function isAdded(table: string, name: string): boolean {
  return table === 'attempts' && (ADDED_COLUMNS.attempts as readonly string[]).includes(name);
}

async function addColumns(db: Kysely<unknown>, tablePrefix: string): Promise<void> {
  const table = `${tablePrefix}orders`;
  const columns = paymentColumns(dialectOf(db), tablePrefix).get('orders') ?? [];
  const problems = (await findTableProblems(db, table, columns)) ?? [];
  // No database adds a primary key to a table, or changes its type.
  const ofId = problems.find((problem) => problem.startsWith(`${table}.id `));
  if (ofId !== undefined)
    throw new Error(`${ofId}. With a tablePrefix for openPaymentDatabase the payments have orders of their own.`);
  const missing = columns.filter(({ name }) => problems.includes(`${table}.${name} is missing`));
  if (missing.some(isRequired)) await refuseRows(db, table, missing);
  for (const { name, definition } of missing) {
    // SQLite adds no column with a unique key.
    const [plain = definition, ...unique] = definition.split(' unique');
    await sql.raw(`alter table ${table} add column ${name} ${plain}`).execute(db);
    if (unique.length > 0) await sql.raw(`create unique index ${table}_${name}_key on ${table} (${name})`).execute(db);
  }
}

const isRequired = ({ definition }: Column) => definition.includes('not null');

async function refuseRows(db: Kysely<unknown>, table: string, missing: readonly Column[]): Promise<void> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
  if (rows.length === 0) return;
  const names = missing.filter(isRequired).map(({ name }) => name);
  throw new Error(
    `${table} has rows without ${names.join(', ')}. Add these columns with their values first, or give openPaymentDatabase a tablePrefix.`,
  );
}
