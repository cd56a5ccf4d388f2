import { z } from 'zod';
import { STATE_CODES } from '../../shop/rules/contact.js';
import { findTableProblems, type ShippingTable } from '../../shop/rules/shipping-table.js';

const amount = z.int().min(0).max(1_000_000_00);
const above = z.int().min(1).max(1_000_000_000);
const days = z.int().min(0).max(99);
const delivery = z.strictObject({
  by: z.enum(['weight', 'total']),
  steps: z
    .array(z.strictObject({ upTo: above.nullable(), price: amount }))
    .min(1)
    .max(20),
  freeFrom: above.nullable(),
  days: z.strictObject({ min: days, max: days }).nullable(),
});
const zone = z.strictObject({
  name: z.string().max(60),
  states: z.array(z.enum(STATE_CODES)),
  postalCodes: z.array(z.string().regex(/^\d{2,5}$/)),
  delivery: delivery.nullable(),
});
const table = z.strictObject({ defaultWeight: above, pickup: z.boolean(), zones: z.array(zone).min(1).max(50) });

/** Whether a value of a file is a complete shipping table. */
export function isShippingTable(value: unknown): boolean {
  return table.safeParse(value).success && findTableProblems(value as ShippingTable).length === 0;
}
