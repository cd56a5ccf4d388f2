import type { Clock } from '@tianguis/payments/rules';
import { errorName } from '@tianguis/payments/rules';
import type { Db } from '../tables/database.js';
import { findSettings, findSettingsVersion } from '../tables/shop-settings.js';
import type { EventLog } from './rules/event-log.js';
import type { ShopSettings, StoredSettings } from './rules/shop-settings.js';

/** The settings of the shop as this process read them. */
export interface SettingsSource<T extends ShopSettings> {
  current(): T;
  /**
   * Reads the settings again if another process may have changed them, at most once per second. While the database does not
   * answer, the settings stay as they are.
   */
  refresh(): Promise<void>;
  /** Returns the settings of the version that a transaction read. It reads them with `queries` if this process has others. */
  atVersion(queries: Db, version: number): Promise<T>;
  /** Returns what would keep the next process from starting with these settings. */
  findProblems(stored: StoredSettings): Promise<readonly string[]>;
}

interface SourceOptions<T> {
  readonly queries: Db;
  readonly clock: Clock;
  readonly log: EventLog;
  /** Applies stored values to the defaults. It ignores a value that it does not accept. */
  create(version: number, stored: StoredSettings): Promise<T>;
  findProblems(stored: StoredSettings): Promise<readonly string[]>;
}

/** In milliseconds. Each process uses a change within 2 s. */
const MAX_AGE_MS = 1_000;

/** Reads the settings of the shop. */
export async function openSettings<T extends ShopSettings>(options: SourceOptions<T>): Promise<SettingsSource<T>> {
  const { queries, clock, log, create, findProblems } = options;
  const read = async (reader: Db, version: number) => create(version, await findSettings(reader, version));
  let settings = await read(queries, await findSettingsVersion(queries));
  let readAt = clock.now();
  const atVersion = async (reader: Db, version: number) => {
    if (version === settings.settingsVersion) return settings;
    const found = await read(reader, version);
    if (found.settingsVersion > settings.settingsVersion) settings = found;
    return found;
  };
  return {
    current: () => settings,
    atVersion,
    findProblems,
    async refresh() {
      const now = clock.now();
      // The clock of the machine may be set back.
      if (Math.abs(now - readAt) < MAX_AGE_MS) return;
      readAt = now;
      try {
        const before = settings;
        const version = await findSettingsVersion(queries);
        const found = version === before.settingsVersion ? before : await read(queries, version);
        // A change of this process may have been read meanwhile.
        if (settings === before) settings = found;
      } catch (error) {
        log.warn('settings.read_failed', { reason: errorName(error) });
      }
    },
  };
}
