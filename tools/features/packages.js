// Finds packages that only removed files imported.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitList } from '../dev/git.js';

const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*'((?:@[\w.-]+\/)?[a-z][\w.-]*)[^']*'/g;
const SOURCES = ['src', 'packages', 'tools', 'test', 'examples', '*.js', '.*.cjs'];

/** Returns the names of the packages that the files below the paths import. */
export function importedPackages(root, paths = SOURCES) {
  const files = gitList(root, 'ls-files', '-z', '--', ...paths).filter((file) => /\.[cm]?[jt]s$/.test(file));
  const names = new Set();
  for (const file of new Set(files))
    for (const [, name] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) names.add(name);
  return names;
}

/** Returns those of the packages, and their types, that package.json lists and no file imports any more. */
export function findUnusedPackages(root, candidates) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const used = importedPackages(root);
  const unused = [...candidates].filter((name) => !used.has(name));
  const typesOf = (name) => `@types/${name.replace(/^@(.+)\//, '$1__')}`;
  const all = unused.flatMap((name) => [name, typesOf(name)]);
  return all.filter((name) => name in { ...dependencies, ...devDependencies }).sort();
}
