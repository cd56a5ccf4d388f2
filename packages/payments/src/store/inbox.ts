import { type Selectable, sql } from 'kysely';
import type { Lease } from '../database/database.js';
import { isPostgres } from '../database/dialects.js';
import type { Db } from './database.js';
import type { InboxTable } from './tables.js';

export type StoredWebhook = Readonly<Selectable<InboxTable>>;

/**
 * Stores a webhook event before it is acknowledged. Returns how many copies have arrived. A copy of a stored event
 * adds no row and makes the event due again.
 */
export async function storeWebhook(
  queries: Db,
  { at, ...webhook }: Pick<InboxTable, 'hash' | 'body' | 'event'> & { readonly at: number },
): Promise<number> {
  const { copies } = await queries
    .insertInto('inbox')
    .values({ ...webhook, state: 'new', tries: 0, copies: 1, receivedAt: at, nextAt: at, doneAt: null })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet((eb) => ({
        copies: eb('inbox.copies', '+', 1),
        state: 'new',
        tries: 0,
        nextAt: at,
      })),
    )
    .returning('copies')
    .executeTakeFirstOrThrow();
  return copies;
}

export function leaseWebhooks(queries: Db, lease: Lease): Promise<readonly StoredWebhook[]> {
  return queries
    .updateTable('inbox')
    .set({ nextAt: lease.leaseUntil })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('inbox')
        .select('id')
        .where('state', '=', 'new')
        .where('nextAt', '<=', lease.at)
        .orderBy('nextAt')
        .limit(lease.limit)
        .$if(isPostgres(queries), (query) => query.forUpdate().skipLocked()),
    )
    .returningAll()
    .execute();
}

export type WebhookOutcome = Pick<StoredWebhook, 'state' | 'tries' | 'nextAt'> & { readonly at: number };

/** Stores the outcome of a try. Changes nothing if a copy arrived meanwhile: the event is then due again. */
export async function finishWebhook(
  queries: Db,
  webhook: StoredWebhook,
  { at, ...outcome }: WebhookOutcome,
): Promise<void> {
  await queries
    .updateTable('inbox')
    .set({ ...outcome, doneAt: outcome.state === 'new' ? null : at })
    .where('id', '=', webhook.id)
    .where('copies', '=', webhook.copies)
    .execute();
}

/** Returns the newest webhook events for which no order was found. */
export async function findUnmatched(queries: Db, limit: number): Promise<readonly StoredWebhook[]> {
  const unmatched = queries.selectFrom('inbox').where('state', '=', 'unmatched').orderBy('receivedAt', 'desc');
  return unmatched.selectAll().limit(limit).execute();
}

/** Deletes processed webhook events whose body contains one of these order numbers or gateway ids. */
export async function deleteEventsNaming(queries: Db, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const pattern = `%${name.replace(/[\\%_]/g, '\\$&')}%`;
    await queries
      .deleteFrom('inbox')
      .where('state', '<>', 'new')
      .where(sql<boolean>`body like ${pattern} escape '\\'`)
      .execute();
  }
}
