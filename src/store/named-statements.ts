/** Statements that PostgreSQL reads and plans once for each connection, and not each time. */
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/** More than the program has; a list of any length in a statement makes it another one. */
const MOST_NAMED = 300;

/** The pool as Kysely wants it, with a name for each statement. */
export function namedStatements(pool: pg.Pool): PostgresPool {
  const nameOf = nameGiver();
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    async connect() {
      const client = await pool.connect();
      const named = known.get(client) ?? withNames(client, nameOf);
      known.set(client, named);
      return named;
    },
    end: () => pool.end(),
  };
}

type NameGiver = (text: string) => string | undefined;

function nameGiver(): NameGiver {
  const names = new Map<string, string>();
  return (text) => {
    // What asks for all columns would be refused once a migration has added one.
    if (!/^(?:select|insert|update|delete) /.test(text) || text.includes('*')) return undefined;
    const name = names.get(text) ?? (names.size < MOST_NAMED ? `tianguis_${names.size}` : undefined);
    if (name !== undefined) names.set(text, name);
    return name;
  };
}

function withNames(client: pg.PoolClient, nameOf: NameGiver): PostgresPoolClient {
  const query = (text: string, values: readonly unknown[]) =>
    client.query({ name: nameOf(text), text, values: [...values] });
  // Kysely's type also knows cursors, which need a package that is not here.
  return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release() };
}
