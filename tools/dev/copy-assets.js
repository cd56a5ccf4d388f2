// Copies views and public files of the features beside their compiled code. The shop serves and renders only these copies.
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'src/features');

function foldersIn(parent) {
  const entries = existsSync(parent) ? readdirSync(parent, { withFileTypes: true }) : [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Replaces the copies in `dist`, also those of removed features. */
export function copyAssets(dist = join(root, 'dist')) {
  const target = join(dist, 'src/features');
  for (const feature of new Set([...foldersIn(source), ...foldersIn(target)]))
    for (const folder of ['views', 'public']) {
      const path = join(feature, folder);
      rmSync(join(target, path), { recursive: true, force: true });
      if (existsSync(join(source, path))) cpSync(join(source, path), join(target, path), { recursive: true });
    }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) copyAssets(process.argv[2]);
