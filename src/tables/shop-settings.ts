/** What the merchant changes in the back office. Each change is a version with the values that it sets. */
import { type RawBuilder, sql } from 'kysely';
import type { StoredSettings } from '../shop/rules/shop-settings.js';
import type { Db } from './database.js';

/** The version in a statement that reads something else. 0: the merchant changed nothing. */
export const SETTINGS_VERSION: RawBuilder<number> = sql<number>`(select coalesce(max(version), 0)
  from shop_settings_changes)`;

/** Returns the version of the last change. */
export async function findSettingsVersion(queries: Db): Promise<number> {
  const row = await queries.selectNoFrom(SETTINGS_VERSION.as('version')).executeTakeFirst();
  return row?.version ?? 0;
}

/** Returns the settings of a version: each value as the last change set it. */
export async function findSettings(queries: Db, version: number): Promise<StoredSettings> {
  const rows = await queries
    .selectFrom('shopSettingsValues as stored')
    .select(['name', 'value'])
    .where('version', '=', (eb) =>
      eb
        .selectFrom('shopSettingsValues as latest')
        .select(({ fn }) => fn.max('latest.version').as('version'))
        .whereRef('latest.name', '=', 'stored.name')
        .where('latest.version', '<=', version),
    )
    .execute();
  const values = rows.map(({ name, value }) => [name, JSON.parse(value) as unknown] as const);
  return new Map(values.filter(([, value]) => value !== null));
}
