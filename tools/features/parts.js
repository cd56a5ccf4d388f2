// Describes the parts that `npm run features` removes and restores.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPresent, isRoom, needsIn, partsIn, pathsOf, presentParts, readRecord } from '../dev/features-record.js';
import { findCommit, git } from '../dev/git.js';

/** What the merchant or the developer would miss without each part that is no room. */
const PURPOSES = {
  bench: 'Measures performance: npm run bench.',
  contract: "Compares the gateway's test environment with its interface: npm run contract.",
  doctor: 'Checks the settings in use: npm run doctor.',
  drill: 'Runs fault scenarios against this copy: npm run drill.',
  features: 'Removes and restores parts: npm run features.',
  setup: 'Asks for shop and settings: npm run setup.',
  template: "Tests of the template's own documents and recipes, and their evidence.",
};

/** The rooms that each preset keeps. `full` keeps all. */
const PRESETS = { full: undefined, small: ['order-actions', 'products', 'retention', 'shipments'] };

/** Returns for each preset the names of the rooms that it removes. */
export function presetsOf(parts) {
  const rooms = parts.filter(({ kind, state }) => kind === 'room' && state !== 'removed').map(({ name }) => name);
  const removed = (kept) => rooms.filter((name) => kept !== undefined && !kept.includes(name));
  return Object.fromEntries(Object.entries(PRESETS).map(([preset, kept]) => [preset, removed(kept)]));
}

/**
 * Returns the merge that is in progress or is HEAD, or `undefined`. `ours` is the commit before it. `template` is the
 * merged commit, unless that one has a record too: then it is no commit of the template.
 */
export function findMerge(root) {
  const current = findCommit(root, 'MERGE_HEAD');
  const merged = current ?? findCommit(root, 'HEAD^2');
  if (merged === undefined) return undefined;
  const template = readRecord(root, merged).commit === undefined ? merged : undefined;
  return { isInProgress: current !== undefined, ours: current === undefined ? 'HEAD^1' : 'HEAD', template };
}

/** Returns all parts: those of the tree, the removed ones, and those of the recorded commit. */
export function listParts(root) {
  const { commit, without } = readRecord(root);
  const source = commit && findCommit(root, commit);
  const merge = findMerge(root);
  const earlier = commit && merge?.template && [...partsIn(root, merge.ours), ...without];
  const names = new Set([...presentParts(root), ...without, ...(source ? partsIn(root, source) : [])]);
  const stateOf = (name) => {
    if (!isPresent(root, name)) return 'removed';
    return earlier?.includes(name) === false ? 'new' : 'kept';
  };
  return [...names].sort().map((name) => describePart(root, { name, state: stateOf(name), source }));
}

function describePart(root, { name, state, source }) {
  const commit = state === 'removed' ? source : undefined;
  const isKnown = state !== 'removed' || source !== undefined;
  const lines = isKnown ? countLines(root, commit, pathsOf(name)) : 0;
  if (!isRoom(name))
    return { kind: name === 'template' ? 'template' : 'tool', name, state, lines, needs: [], purpose: PURPOSES[name] };
  const text = isKnown ? readFeature(root, commit, name) : '';
  return { kind: 'room', name, state, lines, needs: needsIn(text), purpose: purposeIn(text) };
}

/** Returns the text of a room's `feature.ts` in a commit or in the tree, or an empty text if it is absent. */
export function readFeature(root, commit, name) {
  const path = `src/features/${name}/feature.ts`;
  try {
    return commit ? git(root, 'show', `${commit}:./${path}`) : readFileSync(join(root, path), 'utf8');
  } catch {
    return '';
  }
}

/** Returns the first sentence of the comment above the exported feature. */
function purposeIn(text) {
  const [, comment = ''] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export const \w+: Feature\b/.exec(text) ?? [];
  const line = comment.replace(/\s*\n\s*\* ?/g, ' ').trim();
  return /^.*?\.(?= |$)/.exec(line)?.[0] ?? line;
}

function countLines(root, commit, paths) {
  const source = commit ? ['', commit] : ['--untracked', ''];
  try {
    const counts = git(root, 'grep', '-h', '-c', '-I', ...source, '--', ...paths).split('\n');
    return counts.reduce((total, count) => total + Number(count), 0);
  } catch {
    // Git exits with 1 if no path exists.
    return 0;
  }
}
