/** Finds a connection pooler between shop and PostgreSQL, and how it pools. Runs read-only statements only. */
import type pg from 'pg';
import type { Check, DoctorContext, Problem } from '../check.js';

export const poolerChecks: readonly Check[] = [
  {
    name: 'connection pooler',
    contacts: 'DATABASE_URL',
    concerns: ({ secrets }) => !secrets.databaseUrl.startsWith('file:'),
    run: checkPooler,
  },
];

/** As in packages/payments/src/database/dialects.ts. */
const CONNECTIONS = 15;
const WAIT_MS = 2_000;

async function checkPooler({ secrets: { databaseUrl } }: DoctorContext): Promise<Problem | undefined> {
  if (!(await isPooled(databaseUrl))) return undefined;
  const version = await versionOf(databaseUrl);
  const mode = await modeOf(databaseUrl);
  if (mode === 'statement')
    return {
      level: 'error',
      what: `The database is behind ${version} with statement pooling.`,
      why: 'It refuses transactions, so the shop cannot store an order.',
      fix: 'Set pool_mode to transaction or session.',
    };
  return {
    level: 'note',
    what: `The database is behind ${version} with ${mode} pooling.`,
    why: 'The shop works with session and with transaction pooling.',
    fix: `Allow at least ${CONNECTIONS} connections for each process: max_client_conn, and with session pooling default_pool_size.`,
  };
}

/** A pooler gives its client another process id than the server has. */
function isPooled(url: string): Promise<boolean> {
  return withClients(url, 1, async ([client]) => {
    // Part of the protocol, and missing in the types.
    const { processID } = client as unknown as { readonly processID: number };
    return processID !== (await processIdOf(client));
  });
}

/** The other checks use connections of the same pool meanwhile, so that one round proves nothing. */
const ROUNDS = 20;

/**
 * Returns the pooling mode, which no client may ask for. With session pooling a connected client keeps its server
 * connection. Otherwise another client gets it in one of the rounds.
 */
function modeOf(url: string): Promise<'session' | 'transaction' | 'statement'> {
  return withClients(url, 2, async ([first, second]) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await processIdOf(first);
      if (!(await beginUnlessRefused(second))) return 'statement';
      const ofSecond = await processIdOf(second);
      const after = await processIdOf(first);
      await second.query('rollback');
      if (before === ofSecond || before !== after) return 'transaction';
    }
    return 'session';
  });
}

/** Returns false if the pooler refuses transactions. */
async function beginUnlessRefused(client: pg.Client): Promise<boolean> {
  try {
    await client.query('begin');
    return true;
  } catch (error) {
    if (error instanceof Error && /statement pooling/.test(error.message)) return false;
    throw error;
  }
}

/** Returns name and version. PgBouncer shows its version to the users of `stats_users` and `admin_users` only. */
async function versionOf(url: string): Promise<string> {
  const console = new URL(url);
  console.pathname = '/pgbouncer';
  const shown = await withClients(console.href, 1, async ([client]) => {
    const { rows } = await client.query<{ readonly version?: unknown }>('show version');
    return rows[0]?.version;
  }).catch((error: unknown) => (isHidden(error) ? 'PgBouncer (its version is shown to stats_users only)' : undefined));
  return typeof shown === 'string' ? shown : 'a connection pooler of unknown name';
}

/** What PgBouncer answers to a user that may not use its console. */
function isHidden(error: unknown): boolean {
  return error instanceof Error && error.message === 'not allowed';
}

async function processIdOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ readonly pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

type Clients<N extends 1 | 2> = N extends 1 ? readonly [pg.Client] : readonly [pg.Client, pg.Client];

/** Connects clients, and closes them at the end. */
async function withClients<N extends 1 | 2, T>(
  url: string,
  count: N,
  use: (clients: Clients<N>) => Promise<T>,
): Promise<T> {
  const { default: pg } = await import('pg');
  const options = { connectionString: url, connectionTimeoutMillis: WAIT_MS, query_timeout: WAIT_MS };
  const clients = Array.from({ length: count }, () => new pg.Client(options));
  // A closed connection rejects its query, and emits the error once more.
  for (const client of clients) client.on('error', () => {});
  try {
    for (const client of clients) await client.connect();
    return await use(clients as unknown as Clients<N>);
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()));
  }
}
