import type { Selectable } from 'kysely';
import type { Queries } from './database.js';
import type { OrderEventsTable } from './schema.js';

/** One entry of an order's history, without personal data, card data or secrets. */
export interface OrderEvent {
  readonly orderId: string;
  readonly at: number;
  readonly kind: string;
  readonly detail: Readonly<Record<string, string | number | boolean | null | undefined>>;
}

/** Adds an entry to an order's history. Call it in the transaction of the change. */
export async function recordEvent(queries: Queries, event: OrderEvent): Promise<void> {
  await recordEvents(queries, [event]);
}

/** Adds entries for any number of orders in one statement. */
export async function recordEvents(queries: Queries, events: readonly OrderEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => ({ ...event, detail: JSON.stringify(event.detail) }));
  await queries.insertInto('orderEvents').values(rows).execute();
}

/** Returns the stored history of an order, oldest first. */
export function findHistory(
  queries: Queries,
  orderId: string,
): Promise<readonly Selectable<OrderEventsTable>[]> {
  return queries.selectFrom('orderEvents').selectAll().where('orderId', '=', orderId).orderBy('id').execute();
}
