/** Orders for the list of the back office, stored without a purchase. */

import { brand } from '../../src/locales/brand.js';
import { insertOrder } from '../../src/tables/orders.js';
import type { OrdersTable } from '../../src/tables/schema.js';
import { LINE, orderRow, UNHURRIED } from './rows.js';
import type { TestShop } from './test-shop.js';

const SYMBOLS = '23456789ADEFHJKMNPRTWXYC';

/** Order numbers from 2222-2222 on, with the prefix of the brand. */
export function numberOf(nth: number): string {
  const digit = (position: number) => SYMBOLS.charAt(Math.floor(nth / SYMBOLS.length ** position) % SYMBOLS.length);
  return `${brand.orderPrefix}-2222-2${digit(2)}${digit(1)}${digit(0)}`;
}

/** Stores an order of one line for each row, one millisecond after the other. */
export async function insertOrders({ context }: TestShop, rows: readonly Partial<OrdersTable>[]): Promise<void> {
  await context.checkout.db.transaction(async (inner) => {
    for (const [nth, row] of rows.entries())
      await insertOrder(inner, orderRow({ number: numberOf(nth), createdAt: nth + 1, ...row }), [LINE]);
  }, UNHURRIED);
}

export async function deleteOrders({ queries }: TestShop): Promise<void> {
  for (const table of ['outbox', 'orderLines', 'refunds', 'attempts', 'fulfillments', 'orders'] as const)
    await queries.deleteFrom(table).execute();
}
