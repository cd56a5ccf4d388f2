/** I7: searches everything that the shops wrote for API keys, other secrets and card numbers. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CARDS } from '../../test/support/purchase.js';
import { readAllRows } from './database-state.js';
import type { Environment } from './environment.js';

/** Suffix of a mail file until it is complete. */
const PARTIAL = '.part';

/** Returns the files, table rows and pages that contain a secret. Never returns the secret itself. */
export async function findLeaks(environment: Environment): Promise<readonly string[]> {
  const secrets = [...environment.secrets, ...Object.values(CARDS)];
  const rows = await readAllRows(environment.databaseUrl);
  const leaking = rows.filter(({ text }) => secrets.some((secret) => text.includes(secret)));
  return [
    ...findLeakingFiles(environment.folder, secrets).map((path) => `a secret in ${path}`),
    ...leaking.map(({ table }) => `a secret in a row of ${table}`),
    ...[...environment.leakingPages].map((path) => `a secret on the page ${path}`),
  ];
}

/** Returns the files below `folder` that contain one of the secrets, without those of the simulator. */
export function findLeakingFiles(folder: string, secrets: readonly string[]): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('simulator'))
    .filter((path) => {
      const text = readText(join(folder, path));
      return secrets.some((secret) => text.includes(secret));
    });
}

/** A partial mail file may have been renamed after the listing, so its final name is tried next. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT' || !path.endsWith(PARTIAL)) throw error;
    return readText(path.slice(0, -PARTIAL.length));
  }
}
