// The form in which a shop has the packages of this project: their sources, or tarballs in vendor/.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGES, sourcesOf } from '../dev/features-record.js';
import { git } from '../dev/git.js';

export const LOCKFILE = 'package-lock.json';
/** The files that change with the form of a package. */
export const VENDOR_FILES = ['package.json', LOCKFILE, 'vendor'];
/** With the sources, npm takes the package from `packages/`. The line never changes, so that no merge is in conflict with a tarball's. */
const ANY_VERSION = '*';
/** Of the commit's id in the name of a tarball. */
const COMMIT_LENGTH = 8;

export const packageName = (folder) => `@tianguis/${folder}`;
export const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
export const writeJson = (path, content) => writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);

/** The name has the commit, so that another content is another dependency. */
export const tarballPath = (folder, version, commit) =>
  `vendor/tianguis-${folder}-${version}-${commit.slice(0, COMMIT_LENGTH)}.tgz`;

/** Returns the folders of the packages whose sources are among the parts. */
export const packagesAmong = (parts) => PACKAGES.filter((folder) => parts.includes(sourcesOf(folder)));

/**
 * Throws an error if the sources of a package are not those of the commit, or of both ends of a range: a tarball of one
 * commit has no other change. `toKeep` is the step that keeps the sources.
 */
export function requireUnchanged(root, folder, commits, toKeep) {
  const changed = git(root, 'diff', '--name-only', '--relative', commits, '--', `packages/${folder}`).trimEnd();
  if (changed !== '')
    throw new Error(
      `packages/${folder} has changes that the template lacks:\n${changed}\nA tarball would lose them at the next version. ` +
        `Send them to the template, or keep the sources: ${toKeep}`,
    );
}

/** Writes a tarball to vendor/, in place of an earlier one, and installs it. */
export function useTarball(root, { folder, path, bytes, manifest }) {
  removeTarballs(root, folder);
  mkdirSync(join(root, 'vendor'), { recursive: true });
  writeFileSync(join(root, path), bytes);
  const spec = `file:${path}`;
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  setDependency(root, folder, spec);
  changeLock(root, folder, ({ isDevelopment }) => ({
    version: manifest.version,
    resolved: spec,
    integrity,
    ...(isDevelopment && { dev: true }),
    ...lockedFields(manifest),
  }));
  installPackage(root, folder);
}

/** Has npm take the package from its sources, and installs it. */
export function useSources(root, folder) {
  removeTarballs(root, folder);
  setDependency(root, folder, ANY_VERSION);
  changeLock(root, folder, () => ({ resolved: `packages/${folder}`, link: true }), {
    name: packageName(folder),
    ...lockedFields(readJson(join(root, 'packages', folder, 'package.json')), ['version']),
  });
  installPackage(root, folder);
}

function removeTarballs(root, folder) {
  const pattern = new RegExp(`^tianguis-${folder}-\\d.*\\.tgz$`);
  const files = existsSync(join(root, 'vendor')) ? readdirSync(join(root, 'vendor')) : [];
  for (const file of files.filter((each) => pattern.test(each))) rmSync(join(root, 'vendor', file));
}

function setDependency(root, folder, spec) {
  const path = join(root, 'package.json');
  const content = readJson(path);
  content[groupOf(content, folder)][packageName(folder)] = spec;
  writeJson(path, content);
}

const groupOf = ({ dependencies = {} }, folder) =>
  packageName(folder) in dependencies ? 'dependencies' : 'devDependencies';

/** The fields of a package that a lockfile repeats, in npm's order. */
function lockedFields(manifest, more = []) {
  const names = [...more, 'license', 'dependencies', 'bin', 'engines', 'peerDependencies', 'peerDependenciesMeta'];
  return Object.fromEntries(names.filter((name) => name in manifest).map((name) => [name, manifest[name]]));
}

/** Writes what `npm install` would, without the registry. */
function changeLock(root, folder, entryOf, source) {
  const path = join(root, LOCKFILE);
  const lock = readJson(path);
  const content = readJson(join(root, 'package.json'));
  const group = groupOf(content, folder);
  const [name, home] = [packageName(folder), `packages/${folder}`];
  const { [home]: _, ...packages } = lock.packages;
  lock.packages = packages;
  packages[''][group][name] = content[group][name];
  packages[`node_modules/${name}`] = entryOf({ isDevelopment: group === 'devDependencies' });
  if (source) packages[home] = source;
  // Versions that only this package has are in its own folder.
  const [from, to] = source ? [`node_modules/${name}/`, `${home}/`] : [`${home}/`, `node_modules/${name}/`];
  const moved = Object.entries(packages).map(([key, entry]) => [
    key.startsWith(from) ? to + key.slice(from.length) : key,
    entry,
  ]);
  lock.packages = Object.fromEntries(moved.sort(([a], [b]) => a.localeCompare(b, 'en')));
  writeJson(path, lock);
}

/** Installs each package that package.json names, in the form that it names. */
export function installPackages(root) {
  const { dependencies, devDependencies } = readJson(join(root, 'package.json'));
  const names = Object.keys({ ...dependencies, ...devDependencies });
  for (const folder of PACKAGES.filter((each) => names.includes(packageName(each)))) installPackage(root, folder);
}

function installPackage(root, folder) {
  if (!existsSync(join(root, 'node_modules'))) return;
  const scope = join(root, 'node_modules/@tianguis');
  const installed = join(scope, folder);
  const tarball = tarballOf(readJson(join(root, 'package.json')), folder);
  rmSync(installed, { recursive: true, force: true });
  mkdirSync(scope, { recursive: true });
  if (!tarball) return symlinkSync(`../../packages/${folder}`, installed);
  mkdirSync(installed);
  execFileSync('tar', ['-xzf', join(root, tarball), '--strip-components=1'], { cwd: installed });
}

/** Returns the path of the tarball that package.json names, or `undefined` for sources. */
function tarballOf(content, folder) {
  const spec = content[groupOf(content, folder)]?.[packageName(folder)] ?? '';
  return spec.startsWith('file:vendor/') ? spec.slice('file:'.length) : undefined;
}

/** Whether the shop has the package as a tarball of this commit. */
export function hasTarballOf(root, folder, commit) {
  const tarball = tarballOf(readJson(join(root, 'package.json')), folder);
  return tarball?.endsWith(`-${commit.slice(0, COMMIT_LENGTH)}.tgz`) === true && existsSync(join(root, tarball));
}

/** Returns a sentence if a shop with tarballs has a lockfile that does not fit package.json. After a conflict it has the template's. */
export function lockProblem(root) {
  const content = readJson(join(root, 'package.json'));
  if (!PACKAGES.some((folder) => tarballOf(content, folder))) return [];
  const locked = readJson(join(root, LOCKFILE)).packages[''];
  const differs = ['dependencies', 'devDependencies'].flatMap((group) =>
    Object.entries(content[group] ?? {}).flatMap(([name, range]) => (locked[group]?.[name] === range ? [] : [name])),
  );
  return differs.length > 0 ? [`${LOCKFILE} lacks ${differs.join(', ')}. Run: npm install`] : [];
}
