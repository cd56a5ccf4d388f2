import type { Db } from '../../src/db/database.js';
import { findSettingsVersion } from '../../src/db/shop-settings.js';

/** Stores settings of the shop as another process would. `null`: the default. */
export async function storeSettings(queries: Db, values: Readonly<Record<string, unknown>>): Promise<void> {
  const version = (await findSettingsVersion(queries)) + 1;
  const change = { version, kind: 'changed', changedBy: 'admin', changedAt: Date.now() } as const;
  await queries.insertInto('shopSettingsChanges').values(change).execute();
  const rows = Object.entries(values).map(([name, value]) => ({ version, name, value: JSON.stringify(value) }));
  await queries.insertInto('shopSettingsValues').values(rows).execute();
}
