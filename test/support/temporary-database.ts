import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';

/** A database that nobody else uses: a file, or with TEST_DATABASE_URL a schema of its own on that PostgreSQL. */
export async function temporaryDatabase(
  directory: string,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = process.env['TEST_DATABASE_URL'];
  if (!server) {
    return { url: `file:${join(directory, 'shop.db')}`, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const schema = `test_${randomUUID().replaceAll('-', '')}`;
  await runOnce(server, `create schema ${schema}`);
  const url = new URL(server);
  url.searchParams.set('options', `-c search_path=${schema}`);
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      await runOnce(server, `drop schema ${schema} cascade`);
    },
  };
}

async function runOnce(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
