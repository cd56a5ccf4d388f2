/** The commands of the image with a database and a folder of their own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll } from '@jest/globals';
import type { CommandProcess } from '../../src/cli/command-process.js';
import { runAdmin } from '../../src/cli/run-admin.js';
import { runCatalog } from '../../src/cli/run-catalog.js';
import { runReconcile } from '../../src/cli/run-reconcile.js';
import { parseConfig } from '../../src/config/config.js';
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
  const settings = { DATABASE_URL: database.url, SESSION_SECRET: 'secret of these commands'.repeat(2) };
  return {
    folder,
    queries: database.db.queries,
    admin: (args: readonly string[], input?: string) => runAdmin(args, commandProcess(settings, input)),
    catalog: (...args: readonly string[]) => runCatalog(args, commandProcess(settings)),
    reconcile: (...args: readonly string[]) => runReconcile(args, commandProcess(settings)),
    /** Runs a command as its own process, in the folder. It takes the time of a start. */
    run: (
      name: 'admin' | 'catalog' | 'reconcile',
      args: readonly string[],
      options: { readonly input?: string; readonly home?: string } = {},
    ) => runBuilt(`src/cli/${name}.js`, args, { settings: { DATABASE_URL: database.url }, cwd: folder, ...options }),
  };
}

/** Returns what a command gets from a process with these settings and this standard input. */
export function commandProcess(settings: Readonly<Record<string, string>>, input = ''): CommandProcess {
  const readSettings = () => {
    const reading = parseConfig(settings);
    if (reading.ok) return reading;
    throw new Error(reading.problems.join('\n'));
  };
  return { readSettings, input: () => Readable.from([input]) };
}
