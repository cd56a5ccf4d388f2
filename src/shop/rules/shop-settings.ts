import type { Texts } from './locale.js';
import { isDay, startOfDay } from './mexico-day.js';
import type { ShippingTable } from './shipping-table.js';

/** What the merchant changes in the back office, by name. A name without a value has its default. */
export type StoredSettings = ReadonlyMap<string, unknown>;

/** What made a change: a form, the undoing of an earlier change, or a file. */
export type SettingsChangeKind = 'changed' | 'undone' | 'imported';

/** The settings of the shop that its use cases read. */
export interface ShopSettings {
  /** Incremented by each change. 0: the merchant changed nothing. */
  readonly settingsVersion: number;
  readonly storedSettings: StoredSettings;
  readonly closing: Closing | undefined;
  readonly shipping: ShippingTable;
}

/** The name of the setting with the {@link ShippingTable}. */
export const SHIPPING = 'shipping';

/** The name of the setting with {@link Closing}, as a day and texts. */
export const CLOSING = 'closing';

/** The shop places no order and starts no payment until a time. */
export interface Closing {
  /** In milliseconds since 1970. */
  readonly until: number;
  /** What customers read. */
  readonly texts: Texts;
}

/** Returns the stored closing. `undefined`: none, or one that is not valid. */
export function readClosing(stored: StoredSettings): Closing | undefined {
  const { until, texts } = (stored.get(CLOSING) ?? {}) as { readonly until?: unknown; readonly texts?: Texts };
  return typeof until === 'string' && isDay(until) ? { until: startOfDay(until), texts: texts ?? {} } : undefined;
}

/** Returns whether no payment of this order may start now. The merchant's own orders stand for no cart, and are paid. */
export function isClosedFor(
  { id, cartId }: { readonly id: string; readonly cartId: string },
  settings: Pick<ShopSettings, 'closing'>,
  at: number,
): boolean {
  return id !== cartId && isClosed(settings, at);
}

export function isClosed({ closing }: Pick<ShopSettings, 'closing'>, at: number): boolean {
  return closing !== undefined && at < closing.until;
}
