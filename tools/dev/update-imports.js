// For a shop of version 1 after the merge of version 2: its own files import the payments by their entries, and renamed files of
// the shop by their new names. `src/payments/` and `src/database/` are in the package `@tianguis/payments`, the simulator in
// `@tianguis/gateway-tools`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gitList } from './git.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const NAME = '@tianguis/payments';
const FOLDER = 'packages/payments/src/';
const TOOLS = '@tianguis/gateway-tools';
const TOOLS_FOLDER = 'packages/gateway-tools/src/';
/** In the order in which a name is looked for. */
const ENTRIES = {
  '': 'index.ts',
  '/rules': 'rules/index.ts',
  '/back-office': 'back-office.ts',
  '/operations': 'operations.ts',
  '/settings': 'settings.ts',
  '/database': 'database/index.ts',
};
/** Files and folders of the shop that have another name. */
const RENAMED = {
  'src/db/expired-rows.js': 'src/tables/expiring-shop-rows.js',
  'src/db/': 'src/tables/',
  'src/content-directory.js': 'src/content/content-directory.js',
  'src/current-shop.js': 'src/settings/current-shop.js',
  'src/web/shop-setting.js': 'src/settings/shop-setting.js',
  'src/web/context.js': 'src/web/web-context.js',
  'src/shop/context.js': 'src/shop/checkout-context.js',
  'src/shop/order-actions.js': 'src/shop/order-requests.js',
  'src/features/discounts/discount-codes.js': 'src/features/discounts/code-uses.js',
  'src/view-models/order-lines.js': 'src/web/order/order-lines.js',
  'src/view-models/': 'src/web/',
  ...movedTo('src/web/', 'src/web/order/', 'bought-again load-order order-page order-parts order-texts order-view'),
  ...movedTo(
    'src/admin/',
    'src/admin/order/',
    'admin-order admin-order-page admin-order-routes customer-card order-record order-row order-rows order-timeline orders-routes review-section',
  ),
};
/** In a merge, a shop that has the tarball has only a part of the sources. */
const SOURCES = [`${root}${FOLDER}`, `${root}node_modules/${NAME}/src/`].find((folder) =>
  Object.values(ENTRIES).every((file) => existsSync(folder + file)),
);
const TOOLS_INDEX = [`${root}${TOOLS_FOLDER}index.ts`, `${root}node_modules/${TOOLS}/src/index.ts`].find(existsSync);
/** The shop has its own days. */
const DAYS = 'src/shop/rules/mexico-day.js';
const MOVED = /^src\/(?:payments\/|(?=database\/))/;
const MOVED_TOOL = /^tools\/(?=(?:simulator|contract)\/)/;
const CODE = /^(?!packages\/).*\.[cm]?[jt]sx?$/;
const PATH = `(?<quote>['"])(?<path>\\.[^'"\\n]+)\\k<quote>`;
const ANY_PATH = new RegExp(PATH, 'g');
const STATEMENT = new RegExp(`^(?<start>(?:import|export) (?:type )?)\\{(?<list>[^}]*)\\} from ${PATH};`, 'gm');
/** They stay one import, so one entry must have all names. */
const WHOLE_IMPORTS = [
  new RegExp(`^import (?:type )?\\* as (?<namespace>\\w+) from ${PATH};`, 'gm'),
  new RegExp(`\\{(?<list>[^{}]*)\\} = await import\\(${PATH}\\)`, 'g'),
  new RegExp(`\\bimport\\(${PATH}\\)\\.(?<list>\\w+)`, 'g'),
];

if (!SOURCES || !TOOLS_INDEX) {
  console.error('First run: npm ci');
  process.exit(1);
}
const tracked = new Set(gitList(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'));
const code = [...tracked].filter((file) => CODE.test(file) && existsSync(root + file));
const files = code.filter((file) => !MOVED.test(file));
const specifiers = findSpecifiers();
const toolNames = exportedNames(readFileSync(TOOLS_INDEX, 'utf8'));
/** The tests that import a file behind the entries. */
const behind = new Set();
const changed = files.filter(updateImports);
console.log(changed.length > 0 ? `Updated:\n  ${changed.join('\n  ')}` : 'No file imports by a former path.');
if (behind.size > 0)
  console.log(
    `These need the sources. Where they go: npm run features -- apply --keep payments-source --keep gateway-tools-source\n  ${[...behind].join('\n  ')}`,
  );
printLeft('Change these yourself. packages/payments/README.md lists the entries:', files.flatMap(findLeftImports));
printLeft(
  `Delete these. Your own lines belong into ${FOLDER}:`,
  code.filter((file) => MOVED.test(file)),
);

function printLeft(title, left) {
  if (left.length === 0) return;
  console.log(`${title}\n  ${left.join('\n  ')}`);
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
  return name.replace(/^type /, '').split(/ as |:/)[0];
}

/** Returns the path in the sources of a package, if the path led to a file that moved there. */
function movedPath(file, specifier) {
  const path = posix.join(posix.dirname(file), specifier);
  if (MOVED_TOOL.test(path)) return path.replace(MOVED_TOOL, TOOLS_FOLDER);
  return MOVED.test(path) ? path.replace(MOVED, FOLDER) : undefined;
}

function movedTo(former, present, names) {
  return Object.fromEntries(names.split(' ').map((name) => [`${former}${name}.js`, `${present}${name}.js`]));
}

/** Returns the path as it is now. */
function presentPath(file, { quote, path }) {
  const full = posix.join(posix.dirname(file), path);
  const former = Object.keys(RENAMED).find((name) => full.startsWith(name));
  return `${quote}${former ? pathFrom(file, full.replace(former, RENAMED[former])) : path}${quote}`;
}

function updateImports(file) {
  const text = readFileSync(root + file, 'utf8');
  let next = text.replace(STATEMENT, (statement, ...captured) => splitStatement(file, statement, captured.at(-1)));
  for (const pattern of WHOLE_IMPORTS)
    next = next.replace(pattern, (match, ...captured) => {
      const { path, namespace, list = membersOf(text, namespace) } = captured.at(-1);
      const moved = movedPath(file, path);
      const module = moved && moduleOf(file, moved, namesIn(list));
      return module ? match.replace(path, module) : match;
    });
  // A test may import what no entry has.
  if (file.startsWith('test/')) next = next.replace(ANY_PATH, (...captured) => pathInPackage(file, captured.at(-1)));
  next = next.replace(ANY_PATH, (...captured) => presentPath(file, captured.at(-1)));
  if (next !== text) writeFileSync(root + file, next);
  return next !== text;
}

/** Returns an import for each module that has some of the names. */
function splitStatement(file, statement, { start, list, quote, path }) {
  const moved = movedPath(file, path);
  if (!moved) return statement;
  const byModule = new Map();
  for (const name of namesIn(list)) {
    const module = moduleOf(file, moved, [name]) ?? path;
    byModule.set(module, [...(byModule.get(module) ?? []), name]);
  }
  const imports = [...byModule].map(([module, names]) => `{ ${names.join(', ')} } from ${quote}${module}${quote};`);
  return imports.map((one) => start + one).join('\n');
}

/** Returns the names that the text uses of a namespace, as a list. */
function membersOf(text, namespace) {
  return [...text.matchAll(new RegExp(`\\b${namespace}\\.(\\w+)`, 'g'))].map(([, name]) => name).join();
}

function pathInPackage(file, { quote, path }) {
  const moved = movedPath(file, path);
  const isThere = moved && existsSync(root + moved.replace(/\.js$/, '.ts'));
  if (isThere) behind.add(file);
  return `${quote}${isThere ? pathFrom(file, moved) : path}${quote}`;
}

/** Returns the module that has all names, as the file imports it. */
function moduleOf(file, moved, names) {
  const findModule = (name) =>
    moved.startsWith(TOOLS_FOLDER) ? toolNames.includes(name) && TOOLS : specifiers.get(name);
  const [module, ...others] = new Set(names.map((name) => findModule(bareName(name))));
  return module && others.length === 0 ? pathFrom(file, module) : undefined;
}

function pathFrom(file, module) {
  if (module.startsWith('@')) return module;
  const path = posix.relative(posix.dirname(file), module);
  return path.startsWith('.') ? path : `./${path}`;
}

function findLeftImports(file) {
  const text = readFileSync(root + file, 'utf8');
  const left = [...text.matchAll(ANY_PATH)].filter(({ groups }) => movedPath(file, groups.path));
  return left.map(({ index, groups }) => `${file}:${text.slice(0, index).split('\n').length}: ${groups.path}`);
}
