/** Kysely's dialect for PostgreSQL, also behind PgBouncer with session or transaction pooling: no transaction leaves a session state. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryResult,
} from 'kysely';
import type pg from 'pg';
import { SnakeCasePostgresCompiler } from './column-names.js';
import {
  TRANSACTION_LIMITS,
  type TransactionLimits,
  TransactionOverError,
  type TransactionScopes,
} from './transaction-scope.js';

export interface Pools {
  readonly transactions: pg.Pool;
  /** For single reads and for sessions, so that pages are shown while every transaction waits for a lock. */
  readonly reads: pg.Pool;
}

interface PostgresParts {
  readonly pools: () => Promise<Pools>;
  readonly scopes: TransactionScopes;
  /** Statements that each transaction begins with, in one round trip. */
  readonly begin: (limits: TransactionLimits) => string;
}

/** Begins a transaction whose limits the server enforces, even while this process is frozen. PgBouncer takes no limits at the start of a connection. */
export function beginWithLimits({ statementMs, lockMs, idleMs }: TransactionLimits): string {
  return `begin; set local statement_timeout = ${statementMs}; set local lock_timeout = ${lockMs}; set local idle_in_transaction_session_timeout = ${idleMs}`;
}

export function postgresDialect(parts: PostgresParts): Dialect {
  return {
    createDriver: () => createDriver(parts),
    createQueryCompiler: () => new SnakeCasePostgresCompiler(),
    createAdapter: () => new PooledPostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

/** Kysely's own migration lock belongs to a session, which transaction pooling does not keep. `Database.migrate` locks at the begin of its transaction. */
class PooledPostgresAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}

function createDriver({ pools: openPools, scopes, begin }: PostgresParts): Driver {
  let pools: Pools | undefined;
  return {
    async init() {
      pools = await openPools();
    },
    async acquireConnection() {
      if (!pools) throw new Error('the database is not open');
      scopes.current?.acquireConnection();
      return new PostgresConnection(pools);
    },
    async beginTransaction(connection: PostgresConnection) {
      const scope = scopes.current;
      await connection.begin(begin(scope?.limits ?? TRANSACTION_LIMITS));
      scope?.begin(() => connection.end());
    },
    commitTransaction: (connection: PostgresConnection) => connection.commit(),
    rollbackTransaction: (connection: PostgresConnection) => connection.rollback(),
    releaseConnection: async (connection: PostgresConnection) => void connection.end(),
    async destroy() {
      if (pools) await Promise.all([...new Set([pools.transactions, pools.reads])].map((pool) => pool.end()));
    },
  };
}

/** What the pool of reads serves. A session is one row that no other transaction locks. */
const READS = /^\s*(?:select|explain)\b|^(?:insert into|update|delete from) "(?:sessions|typed_forms)"/i;

/** The connection of one caller, for single statements or one transaction. A client is taken from its pool only while it is needed. */
class PostgresConnection implements DatabaseConnection {
  readonly #pools: Pools;
  #client: pg.PoolClient | undefined;
  #state: 'single' | 'running' | 'done' | 'ended' = 'single';

  constructor(pools: Pools) {
    this.#pools = pools;
  }

  async begin(statements: string): Promise<void> {
    const client = await this.#pools.transactions.connect();
    try {
      await client.query(statements);
    } catch (error) {
      client.release(true);
      throw error;
    }
    this.#client = client;
    this.#state = 'running';
  }

  async commit(): Promise<void> {
    const client = this.#finish();
    try {
      await client.query('commit');
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** Does nothing after a commit, even a failed one. A lost connection is rolled back by the server. */
  async rollback(): Promise<void> {
    if (this.#state === 'done') return;
    const client = this.#finish();
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    );
  }

  /** Ends a running transaction by force: closes its connection. Returns false if none runs. */
  end(): boolean {
    if (this.#state !== 'running') return false;
    this.#state = 'ended';
    this.#client?.release(true);
    return true;
  }

  /** After the end of its transaction it runs no statement, so that a late one is never committed on its own. */
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#state !== 'single') return run(this.#running(), query);
    const pool = READS.test(query.sql) ? this.#pools.reads : this.#pools.transactions;
    const client = await pool.connect();
    try {
      return await run(client, query);
    } finally {
      client.release();
    }
  }

  // biome-ignore lint/correctness/useYield: the interface needs it.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streams are not supported');
  }

  #running(): pg.PoolClient {
    if (this.#state !== 'running' || !this.#client) throw new TransactionOverError(`the transaction is ${this.#state}`);
    return this.#client;
  }

  #finish(): pg.PoolClient {
    const client = this.#running();
    this.#state = 'done';
    return client;
  }
}

const CHANGES: readonly string[] = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'];

async function run<R>(client: pg.PoolClient, { sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
  const { command, rowCount, rows } = await client.query(sql, [...parameters]);
  return CHANGES.includes(command) ? { numAffectedRows: BigInt(rowCount ?? 0), rows } : { rows };
}
