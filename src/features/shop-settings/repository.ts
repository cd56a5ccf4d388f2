import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import type { SettingsChangeKind } from '../../shop/rules/shop-settings.js';
import type { Db } from '../../tables/database.js';
import type { Schema } from '../../tables/schema.js';

/** Values by name. `null`: the default. */
export type SettingValues = Readonly<Record<string, unknown>>;

/** A change in the history. */
export interface SettingsChange {
  readonly version: number;
  readonly kind: SettingsChangeKind;
  readonly changedBy: string;
  readonly changedAt: number;
  readonly values: readonly ChangedValue[];
}

/** A value of a change, and the one before. `null`: the default. */
export interface ChangedValue {
  readonly name: string;
  readonly value: unknown;
  readonly before: unknown;
}

/** Stores a change. Returns false if another one has its version: two transactions read the same last version. */
export async function insertChange(
  tx: Db,
  change: Insertable<Schema['shopSettingsChanges']>,
  values: SettingValues,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('shopSettingsChanges')
    .values(change)
    .onConflict((conflict) => conflict.column('version').doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows !== 1n) return false;
  const { version } = change;
  const rows = Object.entries(values).map(([name, value]) => ({ version, name, value: JSON.stringify(value) }));
  await tx.insertInto('shopSettingsValues').values(rows).execute();
  return true;
}

/** Returns whether a later change than `version` set one of the names. */
export async function isChangedAfter(tx: Db, version: number, names: readonly string[]): Promise<boolean> {
  const values = tx.selectFrom('shopSettingsValues').where('name', 'in', names).where('version', '>', version);
  return (await values.select('name').limit(1).executeTakeFirst()) !== undefined;
}

/** Returns the last changes, the newest first. With `version` that change only. */
export async function findChanges(
  queries: Db,
  { limit, version }: { readonly limit: number; readonly version?: number },
): Promise<readonly SettingsChange[]> {
  const last = queries.selectFrom('shopSettingsChanges').selectAll().orderBy('version', 'desc').limit(limit);
  const changes = await (version === undefined ? last : last.where('version', '=', version)).execute();
  if (changes.length === 0) return [];
  const versions = changes.map((each) => each.version);
  const before = sql<string | null>`(select earlier.value from shop_settings_values as earlier
    where earlier.name = stored.name and earlier.version < stored.version order by earlier.version desc limit 1)`;
  const values = await queries
    .selectFrom('shopSettingsValues as stored')
    .select(['stored.version', 'stored.name', 'stored.value', before.as('before')])
    .where('stored.version', 'in', versions)
    .orderBy('stored.name')
    .execute();
  return changes.map((change) => ({
    ...change,
    values: values
      .filter((each) => each.version === change.version)
      .map((each) => ({
        name: each.name,
        value: JSON.parse(each.value) as unknown,
        before: JSON.parse(each.before ?? 'null') as unknown,
      })),
  }));
}
