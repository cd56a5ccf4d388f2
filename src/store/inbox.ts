import type { Selectable } from 'kysely';
import type { Queries } from './database.js';
import { isPostgres } from './dialects.js';
import type { InboxTable } from './schema.js';

/** A message of the service as it was received, and what became of it. */
export type InboxMessage = Readonly<Selectable<InboxTable>>;

/**
 * Keeps a message before it is answered. One that was received before is kept once: it is only made due again, so that
 * a flood of copies stays one row. Returns whether it is new.
 */
export async function keepMessage(
  queries: Queries,
  message: {
    readonly hash: string;
    readonly body: string;
    readonly event: string | null;
    readonly at: number;
  },
): Promise<boolean> {
  const { hash, body, event, at } = message;
  const kept = await queries
    .insertInto('inbox')
    .values({
      hash,
      body,
      event,
      state: 'new',
      tries: 0,
      copies: 1,
      receivedAt: at,
      nextAt: at,
      doneAt: null,
    })
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
  return kept.copies === 1;
}

/** Takes messages that are due; nobody else gets them before `leaseUntil`. */
export async function claimMessages(
  queries: Queries,
  claim: { readonly at: number; readonly leaseUntil: number; readonly most: number },
): Promise<readonly InboxMessage[]> {
  return queries
    .updateTable('inbox')
    .set({ nextAt: claim.leaseUntil })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('inbox')
        .select('id')
        .where('state', '=', 'new')
        .where('nextAt', '<=', claim.at)
        .orderBy('nextAt')
        .limit(claim.most)
        .$if(isPostgres(queries), (query) => query.forUpdate().skipLocked()),
    )
    .returningAll()
    .execute();
}

/** What became of a message that was looked at. */
export interface MessageEnd {
  readonly state: InboxTable['state'];
  readonly tries: number;
  readonly nextAt: number;
  readonly at: number;
}

/** Ends a message, or puts it off. A copy that arrived meanwhile has made it due again and wins. */
export async function finishMessage(queries: Queries, message: InboxMessage, end: MessageEnd): Promise<void> {
  await queries
    .updateTable('inbox')
    .set({
      state: end.state,
      nextAt: end.nextAt,
      tries: end.tries,
      doneAt: end.state === 'new' ? null : end.at,
    })
    .where('id', '=', message.id)
    .where('copies', '=', message.copies)
    .execute();
}
