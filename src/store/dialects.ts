import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Kysely,
  PostgresAdapter,
  PostgresDialect,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
} from 'kysely';
import LibSql from 'libsql';
import pg from 'pg';

/** How long a statement may wait for another process's lock, in milliseconds: the event loop stands still meanwhile. */
const SQLITE_BUSY_MS = 150;
const POOL_SIZE = 10;
const POOL_WAIT_MS = 3_000;
const STATEMENT_MS = 10_000;

/** Whether these queries go to PostgreSQL. */
// biome-ignore lint/suspicious/noExplicitAny: Kysely's own way to write "whatever the schema".
export function isPostgres(db: Kysely<any>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** What is behind a database address: `file:…` is the embedded SQLite, `postgres://…` a pool of PostgreSQL. */
export function connect(
  url: string,
  onPoolError: (error: Error) => void,
): { readonly dialect: Dialect; readonly pool?: pg.Pool } {
  if (url.startsWith('file:')) return { dialect: sqlite(url.slice('file:'.length)) };
  const pool = postgresPool(url, onPoolError);
  return { dialect: new PostgresDialect({ pool }), pool };
}

/** Write transactions take their lock at the start, so that two processes queue up instead of failing half way. */
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

class ImmediateSqliteDialect extends SqliteDialect {
  readonly #open: () => LibSql.Database;

  constructor(open: () => LibSql.Database) {
    super({ database: () => Promise.resolve(open()) });
    this.#open = open;
  }

  override createDriver(): SqliteDriver {
    return new ImmediateSqliteDriver({ database: () => Promise.resolve(this.#open()) });
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter();
  }
}

/** SQLite rolls DDL back like any write: migrations of several processes take turns in one transaction each. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function sqlite(path: string): Dialect {
  return new ImmediateSqliteDialect(() => {
    mkdirSync(dirname(path), { recursive: true });
    const database = new LibSql(path);
    database.pragma(`busy_timeout = ${SQLITE_BUSY_MS}`);
    database.pragma('journal_mode = WAL');
    // An order must be on the disk before its shopper leaves for the payment page.
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    return database;
  });
}

function postgresPool(url: string, onPoolError: (error: Error) => void): pg.Pool {
  // Centavos and milliseconds fit a double exactly; pg would hand 64-bit numbers out as text.
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: POOL_WAIT_MS,
    statement_timeout: STATEMENT_MS,
    types,
  });
  // An idle connection that breaks emits here; unheard, it would end the process.
  pool.on('error', onPoolError);
  return pool;
}
