// Removes again what a merge of the template brought back.
import {
  belongsTo,
  filesIn,
  isPresent,
  partsIn,
  pathsIn,
  readRecord,
  recordProblems,
  sourcesOf,
  writeRecord,
} from '../dev/features-record.js';
import { findCommit, git, gitList } from '../dev/git.js';
import { requireOwnPaths } from '../dev/own-paths.js';
import {
  canWriteEnvExample,
  commitChange,
  deletePaths,
  ENV_EXAMPLE,
  readLists,
  requireCleanTree,
  requireTracked,
  stage,
  writeEnvExample,
  writeLists,
} from './change.js';
import { packSources } from './pack-sources.js';
import { findMerge, findNewParts, presetOf, withNeeds } from './parts.js';
import {
  hasTarballOf,
  LOCKFILE,
  lockProblem,
  packagesAmong,
  requireUnchanged,
  useSources,
  useTarball,
  VENDOR_FILES,
} from './vendor.js';

const findConflicts = (root) => gitList(root, 'diff', '--name-only', '--diff-filter=U', '--relative', '-z');

/**
 * Returns the new parts of the merged version that the shop need not have, and whether they are off unless the merchant
 * keeps them: in a shop that began small, until the merged version is recorded.
 */
export function findOptionalParts(root, keep) {
  const optional = findNewParts(root).filter((name) => !keptNewParts(root, keep).includes(name));
  const record = earlierRecord(root);
  const isOff = presetOf(root, record) === 'small' && record.commit !== findMerge(root)?.template;
  return { optional: optional.filter((name) => isPresent(root, name)), isOff };
}

/** Returns the record of the tree. During a merge package.json can be the template's, which has none: then the shop's. */
function earlierRecord(root) {
  const record = readRecord(root);
  const merge = findMerge(root);
  return merge?.isInProgress && record.commit === undefined ? readRecord(root, merge.ours) : record;
}

/** Returns the new parts that the merchant keeps, and those that these parts or others of the shop need. */
function keptNewParts(root, keep) {
  const added = findNewParts(root);
  const unknown = keep.filter((name) => !added.includes(name));
  if (unknown.length > 0) throw new Error(`Not new in a merged version: ${unknown.join(', ')}`);
  if (added.length === 0) return [];
  const { template } = findMerge(root);
  const { without } = earlierRecord(root);
  const earlier = partsIn(root, template).filter((name) => ![...added, ...without].includes(name));
  const isNew = (name) => added.includes(name);
  return withNeeds(root, template, [...earlier, ...keep], isNew).filter(isNew);
}

/**
 * Removes the recorded parts that exist again, and the unwanted new ones. New parts of `keep` that are recorded as removed
 * come back. Packs the packages of which the shop has tarballs, as the merged version has them. During a merge it commits
 * nothing.
 */
export async function applyRecord(root, { unwanted, keep }, { isDryRun, notify }) {
  const merge = findMerge(root);
  if (!merge?.isInProgress) requireCleanTree(root);
  const conflicts = findConflicts(root);
  const earlier = earlierRecord(root);
  const restored = keptNewParts(root, keep).filter((name) => earlier.without.includes(name));
  const without = [...earlier.without.filter((name) => !restored.includes(name)), ...unwanted];
  const commit = merge?.template ?? earlier.commit ?? findCommit(root, 'HEAD');
  const isBack = (name) => isPresent(root, name) || conflicts.some((path) => belongsTo(path, [name]));
  const removed = without.filter(isBack);
  const all = findNewParts(root);
  const added = all.filter((name) => !without.includes(name));
  const recorded = without.length > 0 && earlier.commit !== commit;
  const off = all.filter((name) => without.includes(name));
  requireNoOwnChanges(root, { merge, earlier, without, commit });
  const hasLockConflict = conflicts.includes(LOCKFILE);
  const outdated = packagesAmong(without).filter((folder) => hasLockConflict || !hasTarballOf(root, folder, commit));
  const report = { isDryRun, removed, restored, added, off, recorded };
  const otherConflicts = conflicts.filter((path) => !belongsTo(path, removed));
  if (isDryRun) return { ...report, conflicts: otherConflicts, problems: [] };

  const tarballs = packSources(root, outdated, commit, notify);
  const record = { commit, preset: presetOf(root, earlier), without };
  const files = filesIn(root, commit, restored).filter((file) => !belongsTo(file, without));
  requireOwnPaths(root, files);
  const bringBack = () => {
    if (files.length > 0) git(root, 'checkout', commit, '--', ...files);
    for (const folder of packagesAmong(restored)) useSources(root, folder);
  };
  const packed = tarballs.map(({ path }) => path);
  if (merge?.isInProgress) {
    bringBack();
    const problems = await applyDuringMerge(root, removed, record, tarballs);
    return { ...report, packed, conflicts: findConflicts(root), problems };
  }
  const names = [...removed, ...restored];
  const isRecorded = without.length === 0 || earlier.commit === commit;
  if (names.length + tarballs.length > 0 || !isRecorded)
    await commitChange(root, {
      verb: commitVerb(removed, restored),
      names,
      record,
      changeFiles: () => {
        deletePaths(root, pathsIn(root, removed));
        bringBack();
        for (const tarball of tarballs) useTarball(root, tarball);
      },
    });
  return { ...report, packed, conflicts: [], problems: [...recordProblems(root), ...lockProblem(root)] };
}

function commitVerb(removed, restored) {
  if (removed.length > 0) return 'remove again';
  return restored.length > 0 ? 'restore' : 'record the merged version';
}

/** Throws an error if a tarball has, or would lose, changes of a package that are the shop's own. */
function requireNoOwnChanges(root, { merge, earlier, without, commit }) {
  for (const folder of packagesAmong(without)) {
    const wasPacked = earlier.without.includes(sourcesOf(folder));
    const ours = gitList(root, 'ls-tree', '-z', '--name-only', merge?.ours ?? 'HEAD', '--', `packages/${folder}`);
    const part = sourcesOf(folder);
    const restoring = `npm run features -- restore ${part}`;
    if (!wasPacked) requireUnchanged(root, folder, commit, `npm run features -- apply --keep ${part}`);
    else if (ours.length > 0) requireUnchanged(root, folder, commit, restoring);
    else if (merge?.template && earlier.commit && findCommit(root, earlier.commit))
      requireUnchanged(
        root,
        folder,
        `${merge.template}...${earlier.commit}`,
        merge.isInProgress ? `git merge --abort, then ${restoring}, and merge again.` : restoring,
      );
  }
}

/** Returns a sentence for each step that is not finished. All steps can be repeated. */
async function applyDuringMerge(root, removed, record, tarballs) {
  const then = 'Then run again: npm run features -- apply';
  requireTracked(root, removed);
  const conflicts = findConflicts(root).filter((path) => belongsTo(path, removed));
  requireOwnPaths(root, [...conflicts, ...VENDOR_FILES, ENV_EXAMPLE]);
  // A file that the shop deleted and the template changed is a conflict without a file.
  deletePaths(root, [...pathsIn(root, removed), ...conflicts]);
  if (tarballs.length > 0) {
    if (findConflicts(root).includes(LOCKFILE)) git(root, 'checkout', '--theirs', '--', LOCKFILE);
    for (const tarball of tarballs) useTarball(root, tarball);
    stage(root, [LOCKFILE, 'vendor']);
  }
  if (record.without.length > 0) {
    writeRecord(root, record);
    // While package.json has conflicts in the index, only the adopter resolves them.
    if (!findConflicts(root).includes('package.json')) stage(root, ['package.json']);
  }
  try {
    const lists = await readLists(root);
    requireOwnPaths(root, [...lists.keys()]);
    writeLists(root, lists);
  } catch (error) {
    return [`The lists cannot be generated: ${error.message}\nResolve the cause. ${then}`];
  }
  if (findConflicts(root).some((path) => path !== ENV_EXAMPLE) || !canWriteEnvExample(root))
    return [`${ENV_EXAMPLE} is not generated: this needs the packages, and a tree without conflicts. ${then}`];
  try {
    writeEnvExample(root);
  } catch (error) {
    return [`${ENV_EXAMPLE} is not generated. ${error.message}\n${then}`];
  }
  stage(root, [ENV_EXAMPLE]);
  return [...recordProblems(root), ...lockProblem(root)];
}
