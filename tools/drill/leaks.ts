/** Searches everything that the shops wrote for API keys, other secrets and card numbers. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { everyRow } from './books.js';
import { CARDS } from './customer.js';
import type { Stage } from './stage.js';

/** Suffix of a mail file until it is complete. */
const PART = '.part';

/** Returns the files, table rows and pages that contain a secret. Never returns the secret itself. */
export async function leaksOf(stage: Stage): Promise<readonly string[]> {
  const secrets = [...stage.secrets, ...Object.values(CARDS)];
  const rows = await everyRow(stage.databaseUrl);
  return [
    ...leakingFiles(stage.folder, secrets).map((path) => `a secret in ${path}`),
    ...rows.filter(({ text }) => holdsAny(text, secrets)).map(({ table }) => `a secret in a row of ${table}`),
    ...[...stage.leakingPages].map((path) => `a secret on the page ${path}`),
  ];
}

/**
 * Returns the files below `folder` that contain one of the secrets, as relative paths. Files of the simulator
 * are excluded.
 */
export function leakingFiles(folder: string, secrets: readonly string[]): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(folder, path).startsWith('simulator'))
    .filter((path) => holdsAny(readText(path), secrets))
    .map((path) => relative(folder, path));
}

/** A partial mail file may have been renamed after the listing, so its final name is tried next. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT' || !path.endsWith(PART)) throw error;
    return readText(path.slice(0, -PART.length));
  }
}

/** Returns whether the text contains one of the secrets. */
export function holdsAny(text: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => text.includes(secret));
}
