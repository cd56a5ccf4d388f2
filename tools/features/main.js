// `npm run features`: lists the parts of this shop, removes and restores them, and lists what is left of them.
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { recordProblems } from '../dev/features-record.js';
import { removeParts, restoreParts } from './commands.js';
import { applyRecord, findOptionalParts } from './merge.js';
import { listParts, presetsOf } from './parts.js';
import { findUnused, lineOf } from './sweep.js';

const USAGE = `npm run features                      lists the parts
npm run features -- remove NAME...    removes parts in one commit
npm run features -- restore NAME...   restores removed parts in one commit
npm run features -- apply             after a merge: removes again what came back,
                                      in a shop that began small also what is new,
                                      and packs the packages of vendor/ again
npm run features -- sweep             lists exports, files and packages that no file
                                      uses any more; changes nothing
  --dry-run     changes nothing
  --json        prints JSON
  --keep NAME   apply keeps this new part of the template; may be repeated
  --yes         apply removes the other new parts`;

const root = fileURLToPath(new URL('../..', import.meta.url));
// A running command finishes, or puts the files back.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

const flag = { type: 'boolean', default: false };
const OPTIONS = {
  'dry-run': flag,
  json: flag,
  yes: flag,
  help: flag,
  keep: { type: 'string', multiple: true, default: [] },
};

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function main() {
  const { values: options, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [command = 'list', ...given] = positionals;
  if (options.help) return console.log(USAGE);
  const names = [...new Set(given)];
  const mode = { isDryRun: options['dry-run'], notify: (text) => console.error(text) };
  if (command === 'list' && names.length === 0) return printParts(options);
  if (command === 'remove') return printReport(await removeParts(root, names, mode), options);
  if (command === 'restore') return printReport(await restoreParts(root, names, mode), options);
  if (command === 'sweep' && names.length === 0) return printUnused(options);
  if (command !== 'apply' || names.length > 0) throw new Error(USAGE);
  const { keep } = options;
  const report = await applyRecord(root, { unwanted: await chooseUnwanted(options), keep }, mode);
  if (report.problems.length + report.conflicts.length > 0) process.exitCode = 1;
  return printReport(report, options);
}

/**
 * Returns the new parts to remove: all in a shop that began small or with `--yes`, otherwise those of the answers. Without a
 * terminal it asks nothing.
 */
async function chooseUnwanted({ yes, json, keep, 'dry-run': isDryRun }) {
  const { optional, isOff } = findOptionalParts(root, keep);
  if (yes || isOff) return optional;
  if (!process.stdin.isTTY || json || isDryRun) return [];
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const unwanted = [];
  for (const name of optional) {
    const answer = await terminal.question(`New in the template: ${name}. Remove it? [y/N] `);
    if (/^y/i.test(answer)) unwanted.push(name);
  }
  terminal.close();
  return unwanted;
}

function printParts({ json }) {
  const parts = listParts(root);
  const problems = recordProblems(root);
  if (json) return console.log(JSON.stringify({ parts, presets: presetsOf(parts), problems }, null, 2));
  const width = Math.max(...parts.map(({ name }) => name.length)) + 2;
  const rows = parts.map(({ name, state, lines, needs, purpose }) => {
    const needed = needs.length > 0 ? ` Needs ${needs.join(', ')}.` : '';
    return `${name.padEnd(width)}${state.padEnd(9)}${String(lines).padStart(6)}  ${purpose}${needed}`;
  });
  console.log([`${'part'.padEnd(width)}${'state'.padEnd(9)} lines  what the shop has from it`, ...rows].join('\n'));
  if (problems.length > 0) console.log(`\n${problems.join('\n')}`);
}

function printUnused({ json }) {
  const unused = findUnused(root);
  if (json) return console.log(JSON.stringify({ unused }, null, 2));
  if (unused.length === 0) return console.log('Nothing is left: files use each export, file and package.');
  for (const each of unused) console.log(`${lineOf(each)}${each.isTested ? ' (only tests use it)' : ''}`);
  console.log(
    '\nDelete what you do not plan to use, and run this again: more may be unused then. Packages: npm uninstall NAME.\n' +
      'A restored part or a new version may need what you delete.',
  );
}

function printReport(report, { json }) {
  if (json) return console.log(JSON.stringify(report, null, 2));
  const { isDryRun, removed = [], restored = [], needed = [], added = [], off = [], packed = [], recorded } = report;
  const { conflicts = [], problems = [], unusedPackages = [] } = report;
  const lines = [
    isDryRun && 'Nothing is changed. Without --dry-run:',
    removed.length > 0 && `Removed: ${removed.join(', ')}. The tables stay in the database.`,
    restored.length > 0 && `Restored: ${restored.join(', ')}.`,
    packed.length > 0 && `Packed: ${packed.join(', ')}.`,
    needed.length > 0 && `Restored because another part needs it: ${needed.join(', ')}.`,
    removed.length + restored.length + packed.length === 0 && 'No part is removed or restored.',
    added.length > 0 && `New in the template, and kept: ${added.join(', ')}.`,
    off.length > 0 &&
      `New in the template, and off: ${off.join(', ')}. To have one: apply --keep NAME, or later: restore NAME`,
    recorded && 'package.json records the merged version.',
    conflicts.length > 0 && `Conflicts that are left:\n  ${conflicts.join('\n  ')}`,
    ...problems,
    unusedPackages.length > 0 && `No file imports these packages any more: npm uninstall ${unusedPackages.join(' ')}`,
    !isDryRun && conflicts.length === 0 && removed.length + restored.length > 0 && 'Next: npm run check && npm test',
  ];
  console.log(lines.filter((line) => line !== false).join('\n'));
}
