import type { Selectable } from 'kysely';
import type { Queries } from './database.js';
import { isPostgres } from './dialects.js';
import type { OutboxTable } from './schema.js';

/** Something that has to be done for a paid order, at least once. */
export type Effect = Readonly<Selectable<OutboxTable>>;

/** Queues the effects of `paid`, in its own transaction. */
export async function queueEffects(queries: Queries, orderId: string, at: number): Promise<void> {
  const effects = ['receipt', 'on_paid'] as const;
  await queries
    .insertInto('outbox')
    .values(
      effects.map((effect) => ({
        key: `${effect}:${orderId}`,
        orderId,
        effect,
        tries: 0,
        nextAt: at,
        createdAt: at,
        doneAt: null,
        lastFault: null,
      })),
    )
    .execute();
}

/** Takes effects that are due; nobody else gets them before `leaseUntil`. */
export async function claimEffects(
  queries: Queries,
  claim: { readonly at: number; readonly leaseUntil: number; readonly most: number },
): Promise<readonly Effect[]> {
  return queries
    .updateTable('outbox')
    .set((eb) => ({ nextAt: claim.leaseUntil, tries: eb('tries', '+', 1) }))
    .where('key', 'in', (eb) =>
      eb
        .selectFrom('outbox')
        .select('key')
        .where('doneAt', 'is', null)
        .where('nextAt', '<=', claim.at)
        .orderBy('nextAt')
        .limit(claim.most)
        .$if(isPostgres(queries), (query) => query.forUpdate().skipLocked()),
    )
    .returningAll()
    .execute();
}

export async function finishEffect(queries: Queries, key: string, at: number): Promise<void> {
  await queries.updateTable('outbox').set({ doneAt: at, lastFault: null }).where('key', '=', key).execute();
}

export async function putOffEffect(
  queries: Queries,
  key: string,
  later: { readonly nextAt: number; readonly fault: string },
): Promise<void> {
  await queries
    .updateTable('outbox')
    .set({ nextAt: later.nextAt, lastFault: later.fault })
    .where('key', '=', key)
    .execute();
}
