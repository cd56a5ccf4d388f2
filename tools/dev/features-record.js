// The removed parts of this shop, as package.json records them, and the paths of each part.
// It stays when tools/features/ is removed, because `npm run check` and the doctor compare the record with the tree.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCommit, git, gitList } from './git.js';

const TOOLS = ['bench', 'contract', 'doctor', 'drill', 'features', 'setup'];

/** The parts that are no rooms, with their paths. */
const OTHER_PARTS = {
  ...Object.fromEntries(TOOLS.map((tool) => [tool, [`tools/${tool}`]])),
  template: ['test/template', 'docs/internals'],
};

/** Folders with the name of a room that are not its own. `public/products/` has the pictures of the catalog. */
const SHARED_FOLDERS = ['public/products', 'views/mail', 'views/partials'];

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const isRoom = (name) => !Object.hasOwn(OTHER_PARTS, name);

/** Returns the paths that a part may have. Throws an error if the name is no name of a part. */
export function pathsOf(name) {
  if (!NAME.test(name)) throw new Error(`${JSON.stringify(name)} is not a name of a part.`);
  if (!isRoom(name)) return OTHER_PARTS[name];
  const folders = [`src/features/${name}`, `views/${name}`, `test/features/${name}`, `public/${name}`];
  return folders.filter((folder) => !SHARED_FOLDERS.includes(folder));
}

/** Whether a path of the part exists. */
export function isPresent(root, name) {
  return pathsOf(name).some((path) => existsSync(join(root, path)));
}

/** Returns the names of the parts in the tree. A folder without `feature.ts` is no room. */
export function presentParts(root) {
  const folder = join(root, 'src/features');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const rooms = names.filter((name) => existsSync(join(folder, name, 'feature.ts')));
  return [...rooms, ...Object.keys(OTHER_PARTS).filter((name) => isPresent(root, name))];
}

/** Returns the names of the parts in a commit. */
export function partsIn(root, commit) {
  const list = (...paths) => gitList(root, 'ls-tree', '-z', '-d', '--name-only', commit, '--', ...paths);
  const rooms = list('src/features/').map((path) => path.split('/').at(-1));
  return [...rooms, ...Object.keys(OTHER_PARTS).filter((name) => list(...OTHER_PARTS[name]).length > 0)];
}

/** Returns the names of the rooms that a room needs, from the text of its `feature.ts`. */
export function needsIn(text) {
  const [, names = ''] = /^\s*needs: \[([^\]]*)\]/m.exec(text) ?? [];
  return [...names.matchAll(/'([^']+)'/g)].map(([, name]) => name);
}

/** Returns "a needs b" for each room a of the tree and each room b that is absent or in `without`. */
export function unmetNeeds(root, without = []) {
  const kept = presentParts(root).filter((name) => !without.includes(name));
  return kept.filter(isRoom).flatMap((room) =>
    needsIn(readFileSync(join(root, 'src/features', room, 'feature.ts'), 'utf8'))
      .filter((need) => !kept.includes(need))
      .map((need) => `${room} needs ${need}`),
  );
}

/**
 * Returns the record of package.json in the tree or in a commit. `without` has the removed parts, and `commit` is the
 * commit of the template from which they are restored.
 */
export function readRecord(root, commit) {
  const { tianguis } = readPackage(root, commit);
  return { commit: tianguis?.commit, without: tianguis?.without ?? [] };
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
export function writeRecord(root, { commit, without }) {
  const { tianguis: earlier, ...content } = readPackage(root);
  const { version, scripts } = readPackage(root, commit);
  const restored = (earlier?.without ?? []).filter((name) => !without.includes(name));
  if (content.scripts) content.scripts = changeScripts(content.scripts, scripts, { without, restored });
  const tianguis = { version, commit, without: [...new Set(without)].sort() };
  writeFileSync(
    join(root, 'package.json'),
    `${JSON.stringify(without.length > 0 ? { ...content, tianguis } : content, null, 2)}\n`,
  );
}

/** Whether a script has the name of a tool, and runs a file of it. */
const runsTool = (name, script) =>
  TOOLS.includes(name) && [`tools/${name}/`, `tools/dev/${name}.js`].some((path) => script.includes(path));

function changeScripts(scripts, template = {}, { without, restored }) {
  const entries = Object.entries(scripts).filter(
    ([name, script]) => !without.includes(name) || !runsTool(name, script),
  );
  const order = Object.keys(template);
  for (const [name, script] of Object.entries(template)) {
    if (!restored.includes(name) || !runsTool(name, script) || name in scripts) continue;
    const earlier = order.slice(0, order.indexOf(name));
    const index = entries.findLastIndex(([other]) => earlier.includes(other));
    entries.splice(index + 1, 0, [name, script]);
  }
  return Object.fromEntries(entries);
}

/** Returns a sentence for each difference between record and tree. Absent parts are found if git has the commit. */
export function recordProblems(root) {
  const { commit, without } = readRecord(root);
  const known = commit !== undefined && findCommit(root, commit) !== undefined ? partsIn(root, commit) : [];
  return [
    ...without
      .filter((name) => isPresent(root, name))
      .map((name) => `${name} is recorded as removed, and exists. Run: npm run features -- apply`),
    ...known
      .filter((name) => !without.includes(name) && !isPresent(root, name))
      .map((name) => `${name} is absent, and not recorded as removed. Run: npm run features -- remove ${name}`),
    ...unmetNeeds(root).map((need) => `${need}, which is absent.`),
  ];
}
