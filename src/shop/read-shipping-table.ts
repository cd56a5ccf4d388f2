import { holdsCardNumber } from '@tianguis/payments/rules';
import { z } from 'zod';
import { STATE_CODES } from './rules/contact.js';
import { DEFAULT_TABLE } from './rules/default-table.js';
import { findTableProblems, type ShippingTable, TABLE_LIMITS } from './rules/shipping-table.js';
import { SHIPPING, type StoredSettings } from './rules/shop-settings.js';

const { steps, days, name, zones } = TABLE_LIMITS;
const amount = z.int().min(0).max(1_000_000_00);
const above = z.int().min(1).max(1_000_000_000);
const day = z.int().min(0).max(days);
/** Returns the rule of a list with an item. Its length is checked before its items, each of which may be wrong. */
function listOf<Item extends z.ZodType>(item: Item, max: number) {
  return z.array(z.unknown()).min(1).max(max).pipe(z.array(item));
}

const delivery = z.strictObject({
  by: z.enum(['weight', 'total']),
  steps: listOf(z.strictObject({ upTo: above.nullable(), price: amount }), steps),
  freeFrom: above.nullable(),
  days: z.strictObject({ min: day, max: day }).nullable(),
});
const isPostalCode = (value: unknown) => typeof value === 'string' && /^\d{2,5}$/.test(value);
const zone = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(name)
    .refine((text) => !holdsCardNumber(text)),
  states: z
    .array(z.unknown())
    .max(STATE_CODES.length)
    .pipe(z.array(z.enum(STATE_CODES))),
  // One check of all is ten times faster than a rule for each.
  postalCodes: z.custom<readonly string[]>((value) => Array.isArray(value) && value.every(isPostalCode)),
  delivery: delivery.nullable(),
});
const table = z.strictObject({ defaultWeight: above, pickup: z.boolean(), zones: listOf(zone, zones) });

/** Whether a stored value is a complete shipping table. */
export function isShippingTable(value: unknown): value is ShippingTable {
  return table.safeParse(value).success && findTableProblems(value as ShippingTable).length === 0;
}

/** Returns the stored table, or the default. `undefined`: the stored value is no table. */
export function readShippingTable(stored: StoredSettings): ShippingTable | undefined {
  const value = stored.get(SHIPPING);
  if (value === undefined) return DEFAULT_TABLE;
  return isShippingTable(value) ? value : undefined;
}
