// Removes and restores parts.
import {
  belongsTo,
  filesIn,
  isPresent,
  keptFlows,
  partsIn,
  pathsIn,
  readRecord,
  sourcesOf,
  unmetNeeds,
} from '../dev/features-record.js';
import { findCommit, git } from '../dev/git.js';
import { requireOwnPaths } from '../dev/own-paths.js';
import { commitChange, deletePaths, requireCleanTree, requireTracked } from './change.js';
import { packSources } from './pack-sources.js';
import { findUnusedPackages, importedPackages } from './packages.js';
import { listParts, presetOf, withNeeds } from './parts.js';
import { packagesAmong, requireUnchanged, useSources, useTarball } from './vendor.js';

const TEMPLATE = 'template/main';

/**
 * Removes the parts in one commit. Refuses to remove a part that a kept one needs, the last payment flow, and changed sources
 * of a package. A package without sources is a tarball afterwards.
 */
export async function removeParts(root, names, { isDryRun, notify }) {
  requireNames(root, names);
  requireCleanTree(root);
  const { commit: recorded, preset, without } = readRecord(root);
  const commit = recorded ?? findCommit(root, 'HEAD');
  const removed = names.filter((name) => !without.includes(name) || isPresent(root, name));
  const unmet = unmetNeeds(root, [...without, ...removed]);
  if (unmet.length > 0) throw new Error(unmet.map((need) => `${need}: remove both, or keep both.`).join('\n'));
  if (keptFlows(root).length > 0 && keptFlows(root, removed).length === 0)
    throw new Error('The shop needs one payment flow: keep hosted or card.');
  requireTracked(root, removed);
  const packages = packagesAmong(removed);
  const template = recorded ?? findTemplateCommit(root) ?? commit;
  for (const folder of packages) requireUnchanged(root, folder, template, `leave out ${sourcesOf(folder)}.`);
  const report = { isDryRun, removed };
  if (isDryRun || removed.length === 0) return report;
  const tarballs = packSources(root, packages, commit, notify);
  const candidates = importedPackages(root, pathsIn(root, removed));
  const record = { commit, preset, without: [...without, ...removed] };
  await commitChange(root, {
    verb: 'remove',
    names: removed,
    record: { ...record, preset: presetOf(root, record) },
    changeFiles: () => {
      deletePaths(root, pathsIn(root, removed));
      for (const tarball of tarballs) useTarball(root, tarball);
    },
  });
  return { ...report, unusedPackages: findUnusedPackages(root, candidates) };
}

/** Returns the newest commit of the template that the shop has, by the remote of docs/adapting.md, or `undefined` without it. */
function findTemplateCommit(root) {
  try {
    return git(root, 'merge-base', 'HEAD', TEMPLATE).trim();
  } catch {
    return undefined;
  }
}

/** Restores the parts, and those that they need, from the recorded commit, in one commit. */
export async function restoreParts(root, names, { isDryRun }) {
  requireNames(root, names);
  requireCleanTree(root);
  const { commit, preset, without } = readRecord(root);
  const isRemoved = (name) => without.includes(name) || !isPresent(root, name);
  const kept = names.filter((name) => !isRemoved(name));
  if (kept.length > 0) throw new Error(`These parts are not removed: ${kept.join(', ')}`);
  if (!commit || !findCommit(root, commit))
    throw new Error(`Git does not have the recorded commit ${commit ?? ''}. Fetch the template's history first.`);
  const restored = withNeeds(root, commit, names, isRemoved);
  const known = partsIn(root, commit);
  const unknown = restored.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`The recorded commit ${commit} does not have: ${unknown.join(', ')}`);
  const report = { isDryRun, restored, needed: restored.slice(names.length) };
  const stillRemoved = without.filter((name) => !restored.includes(name));
  // A room is restored without the messages of a removed locale, and a locale without those of a removed room.
  const files = filesIn(root, commit, restored).filter((file) => !belongsTo(file, stillRemoved));
  requireOwnPaths(root, files);
  if (isDryRun) return report;
  await commitChange(root, {
    verb: 'restore',
    names: restored,
    record: { commit, preset, without: stillRemoved },
    changeFiles: () => {
      git(root, 'checkout', commit, '--', ...files);
      for (const folder of packagesAmong(restored)) useSources(root, folder);
    },
  });
  return report;
}

function requireNames(root, names) {
  const known = listParts(root).map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (names.length === 0 || unknown.length > 0)
    throw new Error(
      `${unknown.length > 0 ? `Unknown: ${unknown.join(', ')}. ` : ''}The parts are: ${known.join(', ')}`,
    );
}
