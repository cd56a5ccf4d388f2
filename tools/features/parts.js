// Describes the parts that `npm run features` removes and restores.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  filesIn,
  isPresent,
  kindOf,
  needsIn,
  partsIn,
  pathsIn,
  presentParts,
  readRecord,
} from '../dev/features-record.js';
import { findCommit, git } from '../dev/git.js';

/** What the developer would miss without each tool. */
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
  const paths = commit ? filesIn(root, commit, [name]) : pathsIn(root, [name]);
  const lines = isKnown ? countLines(root, commit, paths) : 0;
  const text = isKnown ? readFeature(root, commit, name) : '';
  return { kind: kindOf(name), name, state, lines, needs: needsIn(text), purpose: purposeOf(name, text) };
}

function purposeOf(name, text) {
  if (kindOf(name) !== 'locale') return PURPOSES[name] ?? purposeIn(text);
  return `Pages and mails in ${new Intl.DisplayNames('en', { type: 'language' }).of(name)}.`;
}

/** Returns the text of a room's `feature.ts` or a flow's `flow.ts` in a commit or in the tree, or an empty text without it. */
export function readFeature(root, commit, name) {
  const path = kindOf(name) === 'flow' ? `src/flows/${name}/flow.ts` : `src/features/${name}/feature.ts`;
  try {
    return commit ? git(root, 'show', `${commit}:./${path}`) : readFileSync(join(root, path), 'utf8');
  } catch {
    return '';
  }
}

/** Returns the first sentence of the comment above the exported feature or flow. */
function purposeIn(text) {
  const [, comment = ''] =
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export const \w+: (?:Feature|FlowPages)\b/.exec(text) ?? [];
  const line = comment.replace(/\s*\n\s*\* ?/g, ' ').trim();
  return /^.*?\.(?= |$)/.exec(line)?.[0] ?? line;
}

function countLines(root, commit, paths) {
  // Without a path, git would count all files.
  if (paths.length === 0) return 0;
  const source = commit ? ['', commit] : ['--untracked', ''];
  try {
    const counts = git(root, 'grep', '-h', '-c', '-I', ...source, '--', ...paths).split('\n');
    return counts.reduce((total, count) => total + Number(count), 0);
  } catch {
    // Git exits with 1 if no path exists.
    return 0;
  }
}
