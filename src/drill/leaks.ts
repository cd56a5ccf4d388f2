/** Keys and cards in places where they must not be: a whole run is searched for what it was given. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { everyRow } from './books.js';
import { CARDS } from './shopper.js';
import type { Stage } from './stage.js';

/** How a mail is named until it is whole. */
const PART = '.part';

/** What the shops of a stage wrote, kept and said that holds a secret: the places' names, never the secrets. */
export async function leaksOf(stage: Stage): Promise<readonly string[]> {
  const secrets = [...stage.secrets, ...Object.values(CARDS)];
  const rows = await everyRow(stage.databaseUrl);
  return [
    ...leakingFiles(stage.folder, secrets).map((path) => `a secret in ${path}`),
    ...rows.filter(({ text }) => holdsAny(text, secrets)).map(({ table }) => `a secret in a row of ${table}`),
    ...[...stage.leakingPages].map((path) => `a secret on the page ${path}`),
  ];
}

/** The files below a folder that hold any of these, by their paths in it; the simulator's own are not the shop's. */
export function leakingFiles(folder: string, secrets: readonly string[]): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(folder, path).startsWith('simulator'))
    .filter((path) => holdsAny(textOf(path), secrets))
    .map((path) => relative(folder, path));
}

/** A mail that was being written a moment ago has its own name by now. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT' || !path.endsWith(PART)) throw error;
    return textOf(path.slice(0, -PART.length));
  }
}

export function holdsAny(text: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => text.includes(secret));
}
