import { z } from 'zod';
import { holdsCardNumber } from '../payments/rules/index.js';
import { STATE_CODES } from './rules/contact.js';
import { DEFAULT_TABLE, findTableProblems, type ShippingTable, TABLE_LIMITS } from './rules/shipping-table.js';
import { SHIPPING, type StoredSettings } from './rules/shop-settings.js';

const { steps, days, name, zones } = TABLE_LIMITS;
const amount = z.int().min(0).max(1_000_000_00);
const above = z.int().min(1).max(1_000_000_000);
const day = z.int().min(0).max(days);
const delivery = z.strictObject({
  by: z.enum(['weight', 'total']),
  steps: z
    .array(z.strictObject({ upTo: above.nullable(), price: amount }))
    .min(1)
    .max(steps),
  freeFrom: above.nullable(),
  days: z.strictObject({ min: day, max: day }).nullable(),
});
const zone = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(name)
    .refine((text) => !holdsCardNumber(text)),
  states: z.array(z.enum(STATE_CODES)),
  postalCodes: z.array(z.string().regex(/^\d{2,5}$/)),
  delivery: delivery.nullable(),
});
const table = z.strictObject({ defaultWeight: above, pickup: z.boolean(), zones: z.array(zone).min(1).max(zones) });

/** Whether a stored value, or one of a file, is a complete shipping table. */
export function isShippingTable(value: unknown): value is ShippingTable {
  return table.safeParse(value).success && findTableProblems(value as ShippingTable).length === 0;
}

/** Returns the stored table, or the default. `undefined`: the stored value is no table. */
export function readShippingTable(stored: StoredSettings): ShippingTable | undefined {
  const value = stored.get(SHIPPING);
  if (value === undefined) return DEFAULT_TABLE;
  return isShippingTable(value) ? value : undefined;
}
