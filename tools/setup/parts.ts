/** Chooses the parts that the shop does not need, and removes them with `tools/features`. Runs in the project's folder. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const TOOL = 'tools/features/main.js';

interface Part {
  readonly kind: string;
  readonly name: string;
  readonly state: string;
  readonly purpose: string;
}

export interface PartList {
  readonly parts: readonly Part[];
  /** The names of the parts that each preset removes. */
  readonly presets: Readonly<Record<string, readonly string[]>>;
}

export interface Removal {
  readonly removed: readonly string[];
  /** Packages that no file imports after the removal. */
  readonly unusedPackages?: readonly string[];
}

/** Whether parts can be removed: `tools/features` is present. */
export function canRemoveParts(): boolean {
  return existsSync(TOOL);
}

/** Returns the parts of the shop, or `undefined` if `tools/features` is removed. */
export function listParts(): PartList | undefined {
  return canRemoveParts() ? (JSON.parse(runFeatures('--json')) as PartList) : undefined;
}

export function isKept({ parts }: PartList, name: string): boolean {
  return parts.some((part) => part.name === name && part.state !== 'removed');
}

/** What the options select. */
export interface PartOptions {
  readonly preset?: string | undefined;
  /** Names of parts, separated by commas. */
  readonly without?: string | undefined;
  /** The kept payment flows, separated by commas. Absent: all. */
  readonly flows?: string | undefined;
  /** The kept locales, separated by commas. Absent: all. */
  readonly locales?: string | undefined;
}

/** Returns the names of the parts to remove. Throws an error if the preset is unknown, or an option contradicts another. */
export function selectParts(
  list: PartList,
  { preset = 'full', without = '', flows, locales }: PartOptions,
): readonly string[] {
  const { parts, presets } = list;
  const removed = Object.hasOwn(presets, preset) ? presets[preset] : undefined;
  if (removed === undefined) throw new Error(`--preset must be one of: ${Object.keys(presets).join(', ')}`);
  const wanted = namesIn(`${flows ?? ''},${locales ?? ''}`.toLowerCase());
  const contradicted = namesIn(without).filter((name) => wanted.includes(name));
  if (contradicted.length > 0)
    throw new Error(`--without names what --flows or --locales keeps: ${contradicted.join(', ')}`);
  const notIn = (wanted: string | undefined, kind: string) => {
    const names = namesIn((wanted ?? '').toLowerCase());
    const unwanted = parts.filter(
      (part) => part.kind === kind && !names.includes(part.name) && isKept(list, part.name),
    );
    return wanted === undefined ? [] : unwanted.map(({ name }) => name);
  };
  return [...removed, ...namesIn(without), ...notIn(flows, 'flow'), ...notIn(locales, 'locale')];
}

/** Returns those of the names that are not among the removed parts. */
export function withoutParts<Name extends string>(names: readonly Name[], removed: readonly string[]): readonly Name[] {
  return names.filter((name) => !removed.includes(name.toLowerCase()));
}

function namesIn(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Removes the parts in one commit. Throws an error, and changes nothing, if the tree has changes or a kept part needs one. */
export function removeParts(names: readonly string[], { isDryRun }: { readonly isDryRun: boolean }): Removal {
  if (names.length === 0) return { removed: [] };
  const options = isDryRun ? ['--json', '--dry-run'] : ['--json'];
  return JSON.parse(runFeatures('remove', ...options, '--', ...names)) as Removal;
}

/** Runs `npm run features` and returns its output. Throws its message. */
function runFeatures(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [TOOL, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`No file is changed. ${stderr.trim()}`);
  return stdout;
}
