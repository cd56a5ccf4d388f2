// The removed parts of this shop, as package.json records them, and the paths of each part.
// It stays when tools/features/ is removed, because `npm run check` and the doctor compare the record with the tree.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCommit, git, gitList } from './git.js';

const TOOLS = {
  bench: ['tools/bench'],
  doctor: ['tools/doctor'],
  drill: ['tools/drill', 'tools/dev/drill.js'],
  example: ['examples', 'test/example', 'tools/dev/example.js', 'tools/dev/start-example.ts'],
  features: ['tools/features'],
  setup: ['tools/setup'],
};

/** The packages of which a shop has the sources in `packages/`, or the tarball in `vendor/`. */
export const PACKAGES = ['payments', 'gateway-tools'];
/** The part of a package's sources. */
export const sourcesOf = (folder) => `${folder}-source`;

/** The parts that are neither room, payment flow nor locale, with their paths. */
const OTHER_PARTS = {
  ...TOOLS,
  ...Object.fromEntries(PACKAGES.map((folder) => [sourcesOf(folder), [`packages/${folder}`]])),
  'payments-in-shop': ['test/payments-in-shop', 'src/features/*/test/commands.ts'],
  template: [
    ...['test/template', 'docs/internals', 'tools/dev/screenshots.js'],
    ...['tools/dev/release-check.js', 'tools/dev/test/release-check.test.ts'],
    ...['tools/dev/update-imports.js', 'tools/dev/test/update-imports.test.ts'],
  ],
};

/** The parts that some of them need. A room names its own in `feature.ts`. */
const NEEDS = {
  'payments-in-shop': ['payments-source'],
  template: ['payments-source', 'gateway-tools-source', 'payments-in-shop', 'example'],
};

const FLOWS = ['card', 'hosted'];
/** The messages of all other locales have the keys of this one. */
const FIRST_LOCALE = 'es-mx';

/** Folders with the name of a room that are not its own. `public/products/` has the pictures of the catalog. */
const SHARED_FOLDERS = ['public/products', 'views/mail', 'views/partials'];

/** The recipes of docs/adapting.md that have a diff for the messages of each further locale. */
const RECIPES = ['counter-hours', 'delivery-date', 'gift-wrapping', 'loyalty-number'];

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const LOCALE = /^[a-z]{2}(?:-[a-z]{2})?$/;

/** Returns the kind of a part. Names with the form of `en` and `pt-br` are locales. */
export function kindOf(name) {
  if (FLOWS.includes(name)) return 'flow';
  if (LOCALE.test(name)) return 'locale';
  if (Object.hasOwn(TOOLS, name)) return 'tool';
  return Object.hasOwn(OTHER_PARTS, name) ? 'template' : 'room';
}

/** Returns the paths that a part may have, `*` for one folder. Throws an error if the name is no name of a part. */
function pathsOf(name) {
  if (!NAME.test(name)) throw new Error(`${JSON.stringify(name)} is not a name of a part.`);
  switch (kindOf(name)) {
    case 'flow':
      return [
        ...[`src/flows/${name}`, `views/${name}`, `public/${name}.js`],
        ...[`test/flows/${name}`, `src/features/*/test/${name}`],
      ];
    case 'locale': {
      const [language] = Intl.getCanonicalLocales(name);
      return [
        ...[`src/locales/${name}.ts`, `src/locales/${name}-admin.ts`],
        ...[`src/features/*/${name}.ts`, `src/flows/*/${name}.ts`],
        ...RECIPES.map((recipe) => `docs/examples/${recipe}-${name}.diff`),
        ...[`content/${language}`, `test/fixture/content/${language}`],
        ...[`test/locales/${name}`, `src/features/*/test/${name}`],
      ];
    }
    case 'room': {
      // The others are those of a room of version 1.
      const folders = [`src/features/${name}`, `views/${name}`, `test/features/${name}`, `public/${name}`];
      return folders.filter((folder) => !SHARED_FOLDERS.includes(folder));
    }
    default:
      return OTHER_PARTS[name];
  }
}

/** Returns the paths of the parts that exist in the tree. */
export function pathsIn(root, names) {
  return names.flatMap(pathsOf).flatMap((path) => {
    const [parent, file] = path.split('/*/');
    const paths = file === undefined ? [path] : foldersIn(root, parent).map((folder) => `${parent}/${folder}/${file}`);
    return paths.filter((each) => existsSync(join(root, each)));
  });
}

function foldersIn(root, path) {
  const entries = existsSync(join(root, path)) ? readdirSync(join(root, path), { withFileTypes: true }) : [];
  return entries.flatMap((entry) => (entry.isDirectory() ? entry.name : []));
}

/** Whether a file belongs to one of the parts. */
export function belongsTo(file, names) {
  const folders = file.split('/');
  return names.flatMap(pathsOf).some((path) => {
    const parts = path.split('/');
    return parts.every((part, index) => part === '*' || part === folders[index]);
  });
}

/** Returns the files of the parts in a commit. */
export function filesIn(root, commit, names) {
  return gitList(root, 'ls-tree', '-r', '-z', '--name-only', commit).filter((file) => belongsTo(file, names));
}

/** Whether a path of the part exists. */
export function isPresent(root, name) {
  return pathsIn(root, [name]).length > 0;
}

/** Returns the names of the parts in the tree. A folder without `feature.ts` is no room, and one without `flow.ts` no flow. */
export function presentParts(root) {
  const having = (parent, file) =>
    foldersIn(root, parent).filter((folder) => existsSync(join(root, parent, folder, file)));
  const locales = existsSync(join(root, 'src/locales')) ? readdirSync(join(root, 'src/locales')) : [];
  return [
    ...having('src/features', 'feature.ts'),
    ...having('src/flows', 'flow.ts'),
    ...localesOf(locales),
    ...Object.keys(OTHER_PARTS).filter((name) => isPresent(root, name)),
  ];
}

/** Returns the locales that can be removed, by the names of the files of `src/locales/`. */
function localesOf(files) {
  const locales = files.flatMap((file) => /^(.+)-admin\.ts$/.exec(file)?.[1] ?? []);
  return locales.filter((locale) => locale !== FIRST_LOCALE);
}

/** Returns the names of the parts in a commit. */
export function partsIn(root, commit) {
  const list = (paths, ...options) => gitList(root, 'ls-tree', '-z', '--name-only', ...options, commit, '--', ...paths);
  const foldersOf = (path) => list([path], '-d').map((folder) => folder.split('/').at(-1));
  return [
    ...foldersOf('src/features/'),
    ...foldersOf('src/flows/'),
    ...localesOf(list(['src/locales/']).map((path) => path.split('/').at(-1))),
    ...Object.keys(OTHER_PARTS).filter((name) => list(OTHER_PARTS[name]).length > 0),
  ];
}

/** Returns the names of the parts that a part needs: those of a room from the text of its `feature.ts`. */
export function needsOf(name, text) {
  if (kindOf(name) !== 'room') return NEEDS[name] ?? [];
  const [, names = ''] = /^\s*needs: \[([^\]]*)\]/m.exec(text) ?? [];
  return [...names.matchAll(/'([^']+)'/g)].map(([, name]) => name);
}

/** Returns the payment flows of the tree that are not in `without`. */
export function keptFlows(root, without = []) {
  return presentParts(root).filter((name) => kindOf(name) === 'flow' && !without.includes(name));
}

/** Returns "a needs b" for each part a of the tree and each part b that is absent or in `without`. */
export function unmetNeeds(root, without = []) {
  const kept = presentParts(root).filter((name) => !without.includes(name));
  const textOf = (name) =>
    kindOf(name) === 'room' ? readFileSync(join(root, 'src/features', name, 'feature.ts'), 'utf8') : '';
  return kept.flatMap((name) =>
    needsOf(name, textOf(name))
      .filter((need) => !kept.includes(need))
      .map((need) => `${name} needs ${need}`),
  );
}

/** Git would take another text as an option, or as a name that moves. */
const COMMIT_ID = /^(?:[\da-f]{40}|[\da-f]{64})$/;

/**
 * Returns the record of package.json in the tree or in a commit. `without` has the removed parts, and `commit` is the
 * commit of the template from which they are restored. `preset` is `small` in a shop that began with this preset. Throws
 * an error for another content.
 */
export function readRecord(root, commit) {
  const { tianguis = {} } = readPackage(root, commit);
  if (tianguis === null || typeof tianguis !== 'object') throw new Error('package.json: tianguis must be an object.');
  const { commit: recorded, preset, without = [] } = tianguis;
  if (recorded !== undefined && !(typeof recorded === 'string' && COMMIT_ID.test(recorded)))
    throw new Error('package.json: tianguis.commit must be the whole id of a commit.');
  if (preset !== undefined && preset !== 'small') throw new Error('package.json: tianguis.preset can only be small.');
  const isName = (name) => typeof name === 'string' && NAME.test(name);
  if (!(Array.isArray(without) && without.every(isName)))
    throw new Error('package.json: tianguis.without must be a list of names of parts.');
  return { commit: recorded, preset, without };
}

/** Returns the content of package.json in the tree or in a commit. */
function readPackage(root, commit) {
  const text = commit
    ? git(root, 'show', `${commit}:./package.json`)
    : readFileSync(join(root, 'package.json'), 'utf8');
  return JSON.parse(text);
}

/**
 * Writes the record into package.json. Without removed parts there is none. The scripts of removed tools are deleted,
 * and those of restored ones are the template's again.
 */
export function writeRecord(root, { commit, preset, without }) {
  const { tianguis: earlier, ...content } = readPackage(root);
  const { version, scripts } = readPackage(root, commit);
  const restored = (earlier?.without ?? []).filter((name) => !without.includes(name));
  if (content.scripts) content.scripts = changeScripts(content.scripts, scripts, { without, restored });
  const tianguis = { version, commit, ...(preset && { preset }), without: [...new Set(without)].sort() };
  writeFileSync(
    join(root, 'package.json'),
    `${JSON.stringify(without.length > 0 ? { ...content, tianguis } : content, null, 2)}\n`,
  );
}

/** Whether a script runs a file of one of the parts. */
const runsPart = (script, parts) =>
  parts
    .flatMap((name) => (Object.hasOwn(OTHER_PARTS, name) ? OTHER_PARTS[name] : []))
    .some((path) => new RegExp(`\\b${path}(?:/|$|\\s)`).test(script));

function changeScripts(scripts, template = {}, { without, restored }) {
  const entries = Object.entries(scripts).filter(([name, script]) => !(name in template && runsPart(script, without)));
  const order = Object.keys(template);
  for (const [name, script] of Object.entries(template)) {
    if (!runsPart(script, restored) || name in scripts) continue;
    const earlier = order.slice(0, order.indexOf(name));
    const index = entries.findLastIndex(([other]) => earlier.includes(other));
    entries.splice(index + 1, 0, [name, script]);
  }
  return Object.fromEntries(entries);
}

/** Returns a sentence for each difference between record and tree. Absent parts are found if git has the commit. */
export function recordProblems(root) {
  try {
    return differencesOf(root, readRecord(root));
  } catch (error) {
    return [error.message];
  }
}

function hasTarball(root, folder) {
  const { dependencies, devDependencies } = readPackage(root);
  const spec = { ...dependencies, ...devDependencies }[`@tianguis/${folder}`] ?? '';
  return spec.startsWith('file:vendor/') && existsSync(join(root, spec.slice('file:'.length)));
}

function differencesOf(root, { commit, without }) {
  const known = commit !== undefined && findCommit(root, commit) !== undefined ? partsIn(root, commit) : [];
  return [
    ...without
      .filter((name) => isPresent(root, name))
      .map((name) => `${name} is recorded as removed, and exists. Run: npm run features -- apply`),
    ...known
      .filter((name) => !without.includes(name) && !isPresent(root, name))
      .map((name) => `${name} is absent, and not recorded as removed. Run: npm run features -- remove ${name}`),
    ...PACKAGES.filter((folder) => without.includes(sourcesOf(folder)) && !hasTarball(root, folder)).map(
      (folder) => `vendor/ lacks the tarball of @tianguis/${folder}. Run: npm run features -- apply`,
    ),
    ...unmetNeeds(root).map((need) => `${need}, which is absent.`),
  ];
}
