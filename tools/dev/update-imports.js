// For a shop of version 1 after the merge of version 2: its own files import the payments by their entries. Their folders,
// `src/payments/` and `src/database/`, are in the package `@tianguis/payments`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gitList } from './git.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const NAME = '@tianguis/payments';
const SOURCES = `${root}node_modules/${NAME}/src/`;
/** In the order in which a name is looked for. */
const ENTRIES = {
  '': 'index.ts',
  '/rules': 'rules/index.ts',
  '/back-office': 'back-office.ts',
  '/operations': 'operations.ts',
  '/settings': 'settings.ts',
  '/database': 'database/index.ts',
};
/** The shop has its own days. */
const DAYS = 'src/shop/rules/mexico-day.js';
const MOVED = /^src\/(?:payments|database)\//;
const STATEMENT = /^(import|export) (type )?\{([^}]*)\} from '(\.[^']+)';$/gm;
const ANY_IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g;

const files = gitList(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').filter(
  (file) => /^(?:src|test|tools|examples)\/.*\.(?:ts|js)$/.test(file) && existsSync(root + file),
);
const specifiers = findSpecifiers();
const changed = files.filter(updateImports);
console.log(
  changed.length > 0 ? `Updated:\n  ${changed.join('\n  ')}` : 'No file imports the payments by their former paths.',
);
const left = files.flatMap(findLeftImports);
if (left.length > 0) {
  console.log(`No entry has what these import. packages/payments/README.md lists the entries:\n  ${left.join('\n  ')}`);
  process.exitCode = 1;
}

/** Returns the module of each name. */
function findSpecifiers() {
  const found = new Map();
  for (const [entry, file] of Object.entries(ENTRIES))
    for (const name of exportedNames(readFileSync(SOURCES + file, 'utf8')))
      if (!found.has(name)) found.set(name, `${NAME}${entry}`);
  for (const name of readFileSync(root + DAYS.replace(/js$/, 'ts'), 'utf8').matchAll(
    /^export (?:const|function) (\w+)/gm,
  ))
    found.set(name[1], DAYS);
  return found;
}

function exportedNames(text) {
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) => namesIn(list).map(bareName));
}

function namesIn(list) {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

function bareName(name) {
  return name.replace(/^type /, '').split(' as ')[0];
}

/** Whether a relative import names a file that moved into the package. */
function isMoved(file, specifier) {
  const path = posix.join(posix.dirname(file), specifier);
  return MOVED.test(path) && !existsSync(root + path.replace(/\.js$/, '.ts'));
}

function updateImports(file) {
  const text = readFileSync(root + file, 'utf8');
  const next = text.replace(STATEMENT, (statement, ...groups) => {
    const [keyword, type = '', list, specifier] = groups;
    const names = namesIn(list);
    if (!isMoved(file, specifier) || !names.every((name) => specifiers.has(bareName(name)))) return statement;
    const byModule = new Map();
    for (const name of names) {
      const module = pathFrom(file, specifiers.get(bareName(name)));
      byModule.set(module, [...(byModule.get(module) ?? []), name]);
    }
    return [...byModule].map(([module, own]) => `${keyword} ${type}{ ${own.join(', ')} } from '${module}';`).join('\n');
  });
  if (next !== text) writeFileSync(root + file, next);
  return next !== text;
}

function pathFrom(file, module) {
  if (module.startsWith('@')) return module;
  const path = posix.relative(posix.dirname(file), module);
  return path.startsWith('.') ? path : `./${path}`;
}

function findLeftImports(file) {
  const imports = [...readFileSync(root + file, 'utf8').matchAll(ANY_IMPORT)].map(([, specifier]) => specifier);
  return imports.filter((specifier) => isMoved(file, specifier)).map((specifier) => `${file}: ${specifier}`);
}
