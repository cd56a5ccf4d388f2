/** What the merchant changes in the back office, by name. A name without a value has its default. */
export type StoredSettings = ReadonlyMap<string, unknown>;

/** What made a change: a form, the undoing of an earlier change, or a file. */
export type SettingsChangeKind = 'changed' | 'undone' | 'imported';

/** The settings of the shop that its use cases read. */
export interface ShopSettings {
  /** Incremented by each change. 0: the merchant changed nothing. */
  readonly settingsVersion: number;
  readonly storedSettings: StoredSettings;
}
