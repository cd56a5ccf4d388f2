// Changes the tree: one commit, or nothing.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { filesIn, pathsIn, writeRecord } from '../dev/features-record.js';
import { findCommit, git, gitList } from '../dev/git.js';
import { requireOwnPaths } from '../dev/own-paths.js';
import { installPackages, VENDOR_FILES } from './vendor.js';

export const ENV_EXAMPLE = '.env.example';
const SUBJECT_LIMIT = 72;
/** What a build writes into a package. */
const BUILT = /^packages\/[^/]+\/dist\//;
/** Of the compiler's output. */
const ERROR_LINES = 20;

/** Throws an error unless all changes are committed. */
export function requireCleanTree(root) {
  if (findCommit(root, 'MERGE_HEAD'))
    throw new Error('A merge is in progress. Finish it first, or run: npm run features -- apply');
  const changes = git(root, 'status', '--porcelain').trimEnd();
  if (changes !== '') throw new Error(`Commit or stash these changes first:\n${changes}`);
}

/** Throws an error if a part has a file that git does not track, and so cannot restore, or a link leads to a part. */
export function requireTracked(root, names) {
  const paths = pathsIn(root, names);
  if (paths.length === 0) return;
  requireOwnPaths(root, paths);
  const untracked = gitList(root, 'ls-files', '-z', '--others', '--', ...paths).filter((path) => !BUILT.test(path));
  if (untracked.length > 0)
    throw new Error(`Git does not track these files. Move them first:\n${untracked.join('\n')}`);
}

/** Deletes the paths. */
export function deletePaths(root, paths) {
  if (paths.length === 0) return;
  git(root, 'rm', '-r', '-f', '-q', '--ignore-unmatch', '--', ...paths);
  // Git leaves a file that it does not track, and a folder that has an empty folder.
  for (const path of paths) rmSync(join(root, path), { recursive: true, force: true });
}

/**
 * Runs `changeFiles`, regenerates lists and `.env.example`, writes the record and commits. After an error the files are
 * as before, and the error is thrown. The tree must be clean.
 */
export async function commitChange(root, { verb, names, record, changeFiles }) {
  requireTracked(root, names);
  const generated = [...VENDOR_FILES, ENV_EXAMPLE];
  requireOwnPaths(root, generated);
  try {
    changeFiles();
    const lists = await readLists(root);
    requireOwnPaths(root, [...lists.keys()]);
    generated.push(...lists.keys());
    writeLists(root, lists);
    writeRecord(root, record);
    writeEnvExample(root);
    stage(root, [...VENDOR_FILES, ENV_EXAMPLE]);
    const subject = `chore(features): ${verb} ${names.join(', ')}`.trimEnd();
    const short = [`chore(features): ${verb} ${names.length} parts`, '-m', names.join('\n')];
    git(root, 'commit', '-q', '-m', ...(subject.length <= SUBJECT_LIMIT ? [subject] : short));
  } catch (error) {
    putBack(root, names, generated);
    throw error;
  }
}

function putBack(root, names, generated) {
  deletePaths(root, [...pathsIn(root, names), ...generated]);
  const earlier = gitList(root, 'ls-tree', '-z', '--name-only', 'HEAD', '--', ...generated);
  git(root, 'checkout', 'HEAD', '--', ...filesIn(root, 'HEAD', names), ...earlier);
  installPackages(root);
}

/** Returns the generated files, path to text, that belong to the folders of the tree. */
export async function readLists(root) {
  const { featureLists } = await import(pathToFileURL(join(root, 'tools/dev/feature-lists.js')).href);
  return featureLists(root);
}

/** Writes and stages the generated files. */
export function writeLists(root, lists) {
  for (const [path, text] of lists) writeFileSync(join(root, path), text);
  stage(root, [...lists.keys()]);
}

/** Stages the paths that exist. */
export function stage(root, paths) {
  const existing = paths.filter((path) => existsSync(join(root, path)));
  if (existing.length > 0) git(root, 'add', '--', ...existing);
}

/** Whether `.env.example` can be generated: this needs the packages and a build. */
export function canWriteEnvExample(root) {
  return existsSync(join(root, 'node_modules')) && existsSync(join(root, 'tools/dev/build.js'));
}

/** Builds and writes `.env.example`, if packages are installed. Throws an error with those that are not, or the compiler's output. */
export function writeEnvExample(root) {
  if (!canWriteEnvExample(root)) return;
  const missing = findMissingPackages(root);
  if (missing.length > 0) throw new Error(`Run npm ci, which installs ${missing.join(', ')}.`);
  const run = (script) =>
    execFileSync(process.execPath, [script], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    run('tools/dev/build.js');
    run('dist/tools/dev/env-example.js');
  } catch (error) {
    const lines = ((error.stdout + error.stderr).trim() || error.message).split('\n');
    const more = lines.splice(ERROR_LINES);
    if (more.length > 0) lines.push(`… and ${more.length} more lines: npm run build`);
    throw new Error(`The build failed. Correct the code:\n${lines.join('\n')}`, { cause: error });
  }
}

/** Returns the packages of package.json that are not installed. */
function findMissingPackages(root) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const names = Object.keys({ ...dependencies, ...devDependencies });
  return names.filter((name) => !existsSync(join(root, 'node_modules', name)));
}
