import type { CheckoutContext } from '../../shop/checkout-context.js';
import type { SettingsChangeKind, StoredSettings } from '../../shop/rules/shop-settings.js';
import type { Db } from '../../tables/database.js';
import { findSettings, findSettingsVersion } from '../../tables/shop-settings.js';
import {
  type ChangedValue,
  findChanges,
  insertChange,
  isChangedAfter,
  type SettingsChange,
  type SettingValues,
} from './repository.js';

export interface SettingsInput {
  /** The values of a form. Those that do not differ from the present ones are not stored. */
  readonly values: SettingValues;
  /** The version of the settings that the form showed (optimistic lock). Absent: later changes are replaced too. */
  readonly seenVersion?: number;
  /** Name of the admin user. */
  readonly by: string;
  readonly kind: SettingsChangeKind;
  /** Returns what would keep the next process from starting. A change may not add to it. Default: nothing. */
  readonly findProblems?: ((stored: StoredSettings) => Promise<readonly string[]>) | undefined;
  /** Runs in the transaction, after the change. */
  readonly afterwards?: (tx: Db) => Promise<void>;
}

/**
 * `changed_meanwhile`: another change set one of the names after the form was shown, or was stored at the same moment. `sample`:
 * in production the next process would not start, because the change leaves a sample text.
 */
export type SettingsResult =
  | { readonly kind: 'changed'; readonly version: number }
  | { readonly kind: 'unchanged' | 'changed_meanwhile' | 'sample' };

type SettingsContext = Pick<CheckoutContext, 'db' | 'log' | 'settings'>;

/** Stores a change of settings in one transaction. This process shows it at once, others within 2 s. */
export async function changeSettings(
  context: SettingsContext,
  input: SettingsInput,
  at: number,
): Promise<SettingsResult> {
  const { findProblems } = context.settings;
  const { queries } = context.db;
  // Parses new texts. The transaction must not wait for it, and finds them parsed.
  await findProblems(changed(await findSettings(queries, await findSettingsVersion(queries)), input.values));
  const result = await context.db.transaction((tx) => storeChange(tx, { findProblems, ...input }, at));
  if (result.kind === 'changed') await showChange(context, result.version, input.by);
  return result;
}

/** Stores a change of settings inside of a transaction. */
export async function storeChange(tx: Db, input: SettingsInput, at: number): Promise<SettingsResult> {
  // The version is read before the values: a later change then has the next version, which this one cannot take too.
  const last = await findSettingsVersion(tx);
  const stored = await findSettings(tx, last);
  const differing = Object.entries(input.values).filter(([name, value]) => !isSame(value, valueIn(stored, name)));
  if (differing.length === 0) return { kind: 'unchanged' };
  const names = differing.map(([name]) => name);
  if (await isChangedAfter(tx, input.seenVersion ?? last, names)) return { kind: 'changed_meanwhile' };
  const { findProblems = async () => [] } = input;
  const next = changed(stored, Object.fromEntries(differing));
  if ((await findProblems(next)).length > (await findProblems(stored)).length) return { kind: 'sample' };
  const version = last + 1;
  const change = { version, kind: input.kind, changedBy: input.by, changedAt: at };
  if (!(await insertChange(tx, change, Object.fromEntries(differing)))) return { kind: 'changed_meanwhile' };
  await input.afterwards?.(tx);
  return { kind: 'changed', version };
}

/** Returns whether each name of a change still has its value, so that the change can be undone. */
export function isUndoable({ values }: Pick<SettingsChange, 'values'>, stored: StoredSettings): boolean {
  return values.every(({ name, value }) => isSame(value, valueIn(stored, name)));
}

/** Gives each name of a change the value that it had before. Refused as soon as one of them was changed again. */
export async function undoChange(
  context: SettingsContext,
  { version, by }: { readonly version: number; readonly by: string },
  at: number,
): Promise<SettingsResult> {
  const result = await context.db.transaction(async (tx): Promise<SettingsResult> => {
    const last = await findSettingsVersion(tx);
    const [change] = await findChanges(tx, { limit: 1, version });
    const stored = await findSettings(tx, last);
    // The second click of a double click.
    if (change?.values.every(({ name, before }) => isSame(before, valueIn(stored, name)))) return { kind: 'unchanged' };
    if (!change || !isUndoable(change, stored)) return { kind: 'changed_meanwhile' };
    const values = Object.fromEntries(change.values.map(({ name, before }: ChangedValue) => [name, before]));
    const { findProblems } = context.settings;
    return storeChange(tx, { values, seenVersion: last, by, kind: 'undone', findProblems }, at);
  });
  if (result.kind === 'changed') await showChange(context, result.version, by);
  return result;
}

async function showChange({ db, log, settings }: SettingsContext, version: number, user: string): Promise<void> {
  await settings.atVersion(db.queries, version);
  log.info('settings.changed', { user });
}

/** Null is the default. */
function changed(stored: StoredSettings, values: SettingValues): StoredSettings {
  return new Map([...new Map([...stored, ...Object.entries(values)])].filter(([, value]) => value !== null));
}

function valueIn(stored: StoredSettings, name: string): unknown {
  return stored.get(name) ?? null;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
