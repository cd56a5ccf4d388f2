// Describes the parts that `npm run features` removes and restores.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  filesIn,
  isPresent,
  kindOf,
  needsOf,
  partsIn,
  pathsIn,
  presentParts,
  readRecord,
} from '../dev/features-record.js';
import { findCommit, git } from '../dev/git.js';

/** What the developer would miss without each tool. */
const PURPOSES = {
  'gateway-tools-source':
    'The sources of simulator and contract, and their tests. Without them the shop has their tarball.',
  'payments-in-shop': 'Tests that drive the payments through the shop.',
  'payments-source': 'The sources of the payments, and their tests. Without them the shop has their tarball.',
  bench: 'Measures performance: npm run bench.',
  doctor: 'Checks the settings in use: npm run doctor.',
  drill: 'Runs fault scenarios against this copy: npm run drill.',
  example: 'The smallest integration: npm run example.',
  features: 'Removes and restores parts: npm run features.',
  setup: 'Asks for shop and settings: npm run setup.',
  template: "Tests of the template's own documents and recipes, and their evidence.",
};

/** The rooms and tools that the preset `small` keeps, with flows and locales. `full` keeps all parts. */
const SMALL = [
  ...['merchant-mails', 'order-actions', 'products', 'retention', 'shipments'],
  ...['doctor', 'features', 'setup'],
];

/** Returns for each preset the names of the parts that it removes. */
export function presetsOf(parts) {
  const isChosen = ({ kind, state }) => state !== 'removed' && kind !== 'flow' && kind !== 'locale';
  const names = parts.filter(isChosen).map(({ name }) => name);
  return { full: [], small: names.filter((name) => !SMALL.includes(name)) };
}

/**
 * Returns the preset with which the shop of a record began, or `undefined` for `full`. A shop that has only rooms of `small`
 * began with it, and so does each later record.
 */
export function presetOf(root, { commit, preset, without }) {
  if (preset !== undefined || !commit || !findCommit(root, commit)) return preset;
  const kept = partsIn(root, commit).filter((name) => kindOf(name) === 'room' && !without.includes(name));
  return kept.every((name) => SMALL.includes(name)) ? 'small' : undefined;
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

/** Returns the names of the parts that the merged version of the template adds. */
export function findNewParts(root) {
  const merge = findMerge(root);
  if (!merge?.template) return [];
  const { commit, without } = readRecord(root, merge.ours);
  if (!commit) return [];
  const earlier = [...partsIn(root, merge.ours), ...without];
  return partsIn(root, merge.template).filter((name) => !earlier.includes(name));
}

/** Returns all parts: those of the tree, the removed ones, and those of the recorded commit. */
export function listParts(root) {
  const { commit, without } = readRecord(root);
  const source = commit && findCommit(root, commit);
  const added = findNewParts(root);
  const names = new Set([...presentParts(root), ...without, ...(source ? partsIn(root, source) : [])]);
  const stateOf = (name) => {
    if (!isPresent(root, name)) return 'removed';
    return added.includes(name) ? 'new' : 'kept';
  };
  return [...names].sort().map((name) => describePart(root, { name, state: stateOf(name), source }));
}

function describePart(root, { name, state, source }) {
  const commit = state === 'removed' ? source : undefined;
  const isKnown = state !== 'removed' || source !== undefined;
  const paths = commit ? filesIn(root, commit, [name]) : pathsIn(root, [name]);
  const lines = isKnown ? countLines(root, commit, paths) : 0;
  const text = isKnown ? readFeature(root, commit, name) : '';
  return { kind: kindOf(name), name, state, lines, needs: needsOf(name, text), purpose: purposeOf(name, text) };
}

function purposeOf(name, text) {
  if (kindOf(name) !== 'locale') return PURPOSES[name] ?? purposeIn(text);
  return `Pages and mails in ${new Intl.DisplayNames('en', { type: 'language' }).of(name)}.`;
}

/** Returns the text of a room's `feature.ts` or a flow's `flow.ts` in a commit or in the tree, or an empty text without it. */
function readFeature(root, commit, name) {
  const path = kindOf(name) === 'flow' ? `src/flows/${name}/flow.ts` : `src/features/${name}/feature.ts`;
  try {
    return commit ? git(root, 'show', `${commit}:./${path}`) : readFileSync(join(root, path), 'utf8');
  } catch {
    return '';
  }
}

/** Returns the names, followed by those of the parts that they need in a commit and that the shop lacks. */
export function withNeeds(root, commit, names, isLacking) {
  const all = new Set(names);
  // The loop also visits the names that it adds.
  for (const name of all)
    for (const need of needsOf(name, readFeature(root, commit, name)).filter(isLacking)) all.add(need);
  return [...all];
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
