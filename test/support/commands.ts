/** The commands of the image, each in its own process, with a database and a folder of their own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { runBuilt } from './built-program.js';
import { openTestDatabase } from './test-database.js';

/** Call it once in a test file: the folder and the database are deleted after its tests. */
export async function openCommands() {
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-cli-'));
  const database = await openTestDatabase();
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await database[Symbol.asyncDispose]();
  });
  const run = (name: 'admin' | 'catalog' | 'reconcile', args: readonly string[], input = '') =>
    runBuilt(`src/cli/${name}.js`, args, { input, settings: { DATABASE_URL: database.url }, cwd: folder });
  return {
    folder,
    queries: database.db.queries,
    admin: (args: readonly string[], input?: string) => run('admin', args, input),
    catalog: (...args: readonly string[]) => run('catalog', args),
    run,
    reconcile: (...args: readonly string[]) => run('reconcile', args),
  };
}
