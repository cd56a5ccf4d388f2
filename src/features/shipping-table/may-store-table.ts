import { isShippingTable } from '../../shop/read-shipping-table.js';
import { type ShippingTable, type ShippingZone, TABLE_LIMITS } from '../../shop/rules/shipping-table.js';

/**
 * Whether a table of a form or a file may be stored. The codes are counted before they are read. A stored table with more of them
 * stays valid, because other prices would apply.
 */
export function mayStoreTable(value: unknown): value is ShippingTable {
  const all = (value as { readonly zones?: unknown } | null)?.zones;
  const codes = Array.isArray(all)
    ? all.flatMap((each) => (each as Partial<ShippingZone> | null)?.postalCodes ?? [])
    : [];
  return codes.length <= TABLE_LIMITS.postalCodes && isShippingTable(value);
}
