import type { Queries } from './database.js';

/** One line of an order's history: what happened, without personal data, card data or secrets. */
export interface OrderEvent {
  readonly orderId: string;
  readonly at: number;
  readonly kind: string;
  readonly detail: Readonly<Record<string, string | number | boolean | null | undefined>>;
}

/** Adds to an order's history, in the transaction of the change that it tells of. */
export async function recordEvent(queries: Queries, event: OrderEvent): Promise<void> {
  await queries
    .insertInto('orderEvents')
    .values({ ...event, detail: JSON.stringify(event.detail) })
    .execute();
}
