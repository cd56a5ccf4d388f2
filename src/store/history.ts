import type { Insertable, Selectable } from 'kysely';
import type { Queries } from './database.js';
import type { OrderEventsTable } from './schema.js';
import { type Given, statement } from './statement.js';

/** One line of an order's history: what happened, without personal data, card data or secrets. */
export interface OrderEvent {
  readonly orderId: string;
  readonly at: number;
  readonly kind: string;
  readonly detail: Readonly<Record<string, string | number | boolean | null | undefined>>;
}

const insert = statement(
  (queries, { rows }: Given<{ rows: readonly Omit<Insertable<OrderEventsTable>, 'id'>[] }>) =>
    queries.insertInto('orderEvents').values(rows),
);

/** Adds to an order's history, in the transaction of the change that it tells of. */
export async function recordEvent(queries: Queries, event: OrderEvent): Promise<void> {
  await recordEvents(queries, [event]);
}

/** The same for many, of any number of orders. */
export async function recordEvents(queries: Queries, events: readonly OrderEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => ({ ...event, detail: JSON.stringify(event.detail) }));
  await insert.run(queries, { rows });
}

/** An order's history as it is kept, oldest first. */
export function findHistory(
  queries: Queries,
  orderId: string,
): Promise<readonly Selectable<OrderEventsTable>[]> {
  return queries.selectFrom('orderEvents').selectAll().where('orderId', '=', orderId).orderBy('id').execute();
}
