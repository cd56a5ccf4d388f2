import { Kysely, Migrator, sql } from 'kysely';
import { conditionOf, type DatabaseCondition } from './condition.js';
import { inTransaction } from './connections.js';
import { connect, isPostgres } from './dialects.js';
import { limiters, loadCounters, type MakeLimiter } from './limits.js';
import { migrations } from './migrations.js';
import { CamelCaseRows } from './names.js';
import type { Schema } from './schema.js';

/** Where queries run: the database itself or one transaction of it. */
export type Queries = Kysely<Schema>;

/** The shop's memory. Disposing of it closes every connection. */
export interface Database extends AsyncDisposable {
  /** For single statements that stand on their own. */
  readonly queries: Queries;
  /** All or nothing; nothing outside the database may be waited for inside. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Brings the tables to today's shape; several processes may do so at once. */
  migrate(): Promise<void>;
  /** Counters that refuse what comes too often. */
  readonly limiter: MakeLimiter;
  /** Loads what the first of them needs. */
  warmUp(): Promise<void>;
  /** Throws unless the database answers. */
  ping(): Promise<void>;
  /** What is to be known before a start; changes nothing. Throws when the database cannot be reached. */
  condition(): Promise<DatabaseCondition>;
}

/** Opens `file:…` (SQLite) or `postgres://…`; connects at the first query. */
export function openDatabase(url: string, onError: (error: Error) => void): Database {
  const { dialect, pool } = connect(url, onError);
  const kysely = new Kysely<Schema>({ dialect, plugins: [new CamelCaseRows()] });
  const migrator = async () =>
    new Migrator({ db: kysely, provider: migrations, ...(await currentSchema(kysely)) });
  return {
    queries: kysely,
    limiter: limiters(pool),
    async warmUp() {
      await loadCounters();
    },
    transaction: (work) => inTransaction(kysely, work),
    async migrate() {
      const { error } = await (await migrator()).migrateToLatest();
      if (error) throw error;
    },
    async ping() {
      await kysely.selectFrom('carts').select('id').limit(1).execute();
    },
    condition: async () => conditionOf(kysely, await migrator()),
    async [Symbol.asyncDispose]() {
      await kysely.destroy();
    },
  };
}

/** Where the migrations keep their own tables: another program's in another schema must not be taken for ours. */
async function currentSchema(queries: Queries): Promise<{ migrationTableSchema?: string }> {
  if (!isPostgres(queries)) return {};
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(queries);
  return { migrationTableSchema: rows[0]?.schema ?? 'public' };
}
