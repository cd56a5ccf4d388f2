/** Reads the shop's database from outside while the shop runs. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Database } from '../../src/db/database.js';
import { openDatabase } from '../../src/db/database.js';
import { TABLES } from '../../src/db/schema.js';

export interface Books {
  readonly orders: readonly BookedOrder[];
  readonly attempts: readonly BookedAttempt[];
  readonly fulfillments: readonly { readonly orderId: string }[];
  /** All state changes of all orders, oldest first. */
  readonly moves: readonly { readonly orderId: string; readonly from: string; readonly to: string }[];
}

export interface BookedOrder {
  readonly id: string;
  readonly number: string;
  readonly token: string;
  readonly state: string;
  readonly total: number;
  readonly currency: string;
  readonly reviewReason: string | null;
  readonly paidAttemptId: string | null;
  readonly paidAt: number | null;
}

export interface BookedAttempt {
  readonly id: string;
  readonly orderId: string;
  readonly flow: string;
  readonly state: string;
  readonly reference: string;
  readonly gatewayId: string | null;
  readonly createdAt: number;
}

/** Reads the rows that the drill compares with the ledger. */
export async function readBooks(databaseUrl: string): Promise<Books> {
  return withDatabase(databaseUrl, async ({ queries }) => ({
    orders: await queries
      .selectFrom('orders')
      .select(['id', 'number', 'token', 'state', 'total', 'currency'])
      .select(['reviewReason', 'paidAttemptId', 'paidAt'])
      .execute(),
    attempts: await queries
      .selectFrom('attempts')
      .select(['id', 'orderId', 'flow', 'state', 'reference', 'gatewayId', 'createdAt'])
      .execute(),
    fulfillments: await queries.selectFrom('fulfillments').select('orderId').execute(),
    moves: (
      await queries
        .selectFrom('orderEvents')
        .select(['orderId', 'detail'])
        .where('kind', '=', 'moved')
        .orderBy('id')
        .execute()
    ).map(({ orderId, detail }) => ({ orderId, ...readMove(detail) })),
  }));
}

/** Counts all stored webhook events and all open outbox jobs. */
export async function countQueues(
  databaseUrl: string,
): Promise<{ readonly messages: number; readonly jobs: number }> {
  return withDatabase(databaseUrl, async ({ queries }) => ({
    messages: (await queries.selectFrom('inbox').select('id').execute()).length,
    jobs: (await queries.selectFrom('outbox').select('key').where('doneAt', 'is', null).execute()).length,
  }));
}

/** Returns all rows of all tables as JSON. */
export async function everyRow(
  databaseUrl: string,
): Promise<readonly { readonly table: string; readonly text: string }[]> {
  return withDatabase(databaseUrl, async ({ queries }) => {
    const found = await Promise.all(
      TABLES.map(async (table) => {
        const rows = await queries.selectFrom(table).selectAll().execute();
        return rows.map((row) => ({ table, text: JSON.stringify(row) }));
      }),
    );
    return found.flat();
  });
}

export interface OwnDatabase extends AsyncDisposable {
  readonly url: string;
}

/**
 * Creates a database for one run: a SQLite file in `folder`, or a schema on a shared PostgreSQL server. Disposal
 * drops the schema.
 */
export async function createDatabase(server: string | undefined, folder: string): Promise<OwnDatabase> {
  if (server === undefined)
    return { url: `file:${join(folder, 'shop.db')}`, [Symbol.asyncDispose]: () => Promise.resolve() };
  const name = `tianguis_${randomBytes(8).toString('hex')}`;
  await withDatabase(server, ({ queries }) => queries.schema.createSchema(name).execute());
  const url = new URL(server);
  url.searchParams.set('options', `-c search_path=${name}`);
  const drop = ({ queries }: Database) => queries.schema.dropSchema(name).ifExists().cascade().execute();
  return { url: url.href, [Symbol.asyncDispose]: () => withDatabase(server, drop) };
}

const TRIES = 5;

/** Retries, because the SQLite file may be locked while the shop writes. */
async function withDatabase<T>(url: string, read: (db: Database) => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left -= 1) {
    const db = openDatabase(url, () => {});
    try {
      return await read(db);
    } catch (error) {
      if (left <= 1) throw error;
    } finally {
      await db[Symbol.asyncDispose]();
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function readMove(detail: string): { readonly from: string; readonly to: string } {
  const { from, to } = JSON.parse(detail) as { readonly from?: unknown; readonly to?: unknown };
  return { from: String(from), to: String(to) };
}
