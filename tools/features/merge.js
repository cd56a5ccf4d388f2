// Removes again what a merge of the template brought back.
import { belongsTo, isPresent, pathsIn, readRecord, recordProblems, writeRecord } from '../dev/features-record.js';
import { findCommit, gitList } from '../dev/git.js';
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
import { findMerge, listParts } from './parts.js';

const findConflicts = (root) => gitList(root, 'diff', '--name-only', '--diff-filter=U', '--relative', '-z');

/** Returns the names of the parts that are new in the merged version of the template. */
export function findNewParts(root) {
  return listParts(root)
    .filter(({ state }) => state === 'new')
    .map(({ name }) => name);
}

/** Removes the recorded parts that exist again, and the unwanted new ones. During a merge it commits nothing. */
export async function applyRecord(root, unwanted, { isDryRun }) {
  const merge = findMerge(root);
  if (!merge?.isInProgress) requireCleanTree(root);
  const conflicts = findConflicts(root);
  const earlier = readRecord(root);
  const without = [...earlier.without, ...unwanted];
  const commit = merge?.template ?? earlier.commit ?? findCommit(root, 'HEAD');
  const isBack = (name) => isPresent(root, name) || conflicts.some((path) => belongsTo(path, [name]));
  const removed = without.filter(isBack);
  const added = findNewParts(root).filter((name) => !removed.includes(name));
  const report = { isDryRun, removed, added };
  const otherConflicts = conflicts.filter((path) => !belongsTo(path, removed));
  if (isDryRun) return { ...report, conflicts: otherConflicts, problems: [] };

  const record = { commit, without };
  if (merge?.isInProgress) {
    const problems = await applyDuringMerge(root, removed, record);
    return { ...report, conflicts: findConflicts(root), problems };
  }
  const isRecorded = without.length === 0 || earlier.commit === commit;
  if (removed.length > 0 || !isRecorded)
    await commitChange(root, {
      verb: removed.length > 0 ? 'remove again' : 'record the merged version',
      names: removed,
      record,
      changeFiles: () => deletePaths(root, pathsIn(root, removed)),
    });
  return { ...report, conflicts: [], problems: recordProblems(root) };
}

/** Returns a sentence for each step that is not finished. All steps can be repeated. */
async function applyDuringMerge(root, removed, record) {
  const then = 'Then run again: npm run features -- apply';
  requireTracked(root, removed);
  const conflicts = findConflicts(root).filter((path) => belongsTo(path, removed));
  requireOwnPaths(root, [...conflicts, 'package.json', ENV_EXAMPLE]);
  // A file that the shop deleted and the template changed is a conflict without a file.
  deletePaths(root, [...pathsIn(root, removed), ...conflicts]);
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
    return [`${ENV_EXAMPLE} is not generated. ${error.message}\nCorrect the code. ${then}`];
  }
  stage(root, [ENV_EXAMPLE]);
  return recordProblems(root);
}
