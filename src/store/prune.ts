/** Takes out what nobody needs any more, the oldest first and so many at a time: what is removed is waited for by nobody. */
import { sql } from 'kysely';
import type { Queries } from './database.js';
import { recordEvent } from './history.js';

export interface Pruning {
  /** Milliseconds since 1970: what ended before. */
  readonly before: number;
  readonly most: number;
}

/** Sessions that have run out. Each of these functions says how many it took. */
export async function pruneSessions(queries: Queries, { before, most }: Pruning): Promise<number> {
  const result = await queries
    .deleteFrom('sessions')
    .where('sid', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('sid')
        .where('expiresAt', '<=', before)
        .orderBy('expiresAt')
        .limit(most),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Carts that were changed last before, with what lies in them. */
export async function pruneCarts(queries: Queries, { before, most }: Pruning): Promise<number> {
  const result = await queries
    .deleteFrom('carts')
    .where('id', 'in', (eb) =>
      eb.selectFrom('carts').select('id').where('updatedAt', '<', before).orderBy('updatedAt').limit(most),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Messages of the service that are done, understood or not. */
export async function pruneMessages(queries: Queries, { before, most }: Pruning): Promise<number> {
  const result = await queries
    .deleteFrom('inbox')
    .where('id', 'in', (eb) =>
      eb.selectFrom('inbox').select('id').where('doneAt', '<', before).orderBy('doneAt').limit(most),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Mails and hooks that are done; the order's history goes on telling of them. */
export async function pruneEffects(queries: Queries, { before, most }: Pruning): Promise<number> {
  const result = await queries
    .deleteFrom('outbox')
    .where('key', 'in', (eb) =>
      eb.selectFrom('outbox').select('key').where('doneAt', '<', before).orderBy('doneAt').limit(most),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/**
 * Removes name and e-mail from orders that were placed before and are at rest; what was sold, for how much and how it was
 * paid stays for the books.
 */
export async function forgetShoppers(
  queries: Queries,
  { before, most, at }: Pruning & { readonly at: number },
): Promise<number> {
  const orders = await queries
    .selectFrom('orders')
    .select('id')
    // The words of the partial index, so that both databases use it and not that of the states.
    .where(sql<boolean>`email <> ''`)
    .where(sql<boolean>`(state || '') in ('created', 'paid', 'declined', 'expired', 'cancelled')`)
    .where('attention', 'is', null)
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .limit(most)
    .execute();
  for (const { id } of orders) {
    await queries
      .updateTable('orders')
      .set({ firstName: '', lastName: '', email: '' })
      .where('id', '=', id)
      .execute();
    await recordEvent(queries, { orderId: id, at, kind: 'shopper_forgotten', detail: {} });
  }
  return orders.length;
}
