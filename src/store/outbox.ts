import type { Selectable } from 'kysely';
import type { Queries } from './database.js';
import { isPostgres } from './dialects.js';
import type { OutboxTable } from './schema.js';

/** Something that has to be done for a paid order, at least once. */
export type Effect = Readonly<Selectable<OutboxTable>>;

const QUEUED = { tries: 0, doneAt: null, lastFault: null } as const;

/** What has to be done for every paid order. */
export const PAID_EFFECTS = ['receipt', 'on_paid'] as const satisfies readonly Effect['effect'][];

/** Names an effect of an order, the same at every try. */
export function effectKey(effect: Effect['effect'], orderId: string): string {
  return `${effect}:${orderId}`;
}

/** Queues the effects of `paid`, in its own transaction. */
export async function queueEffects(queries: Queries, orderId: string, at: number): Promise<void> {
  await queries
    .insertInto('outbox')
    .values(
      PAID_EFFECTS.map((effect) => ({
        key: effectKey(effect, orderId),
        orderId,
        effect,
        nextAt: at,
        createdAt: at,
        ...QUEUED,
      })),
    )
    .execute();
}

/** Queues a mail with the order's link; one with this key that is queued or was sent is not sent again. */
export async function queueOrderLink(
  queries: Queries,
  link: { readonly key: string; readonly orderId: string; readonly at: number },
): Promise<void> {
  const { key, orderId, at } = link;
  await queries
    .insertInto('outbox')
    .values({ ...QUEUED, key, orderId, effect: 'order_link', nextAt: at, createdAt: at })
    .onConflict((conflict) => conflict.column('key').doNothing())
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

/** The effects of an order, whether done or not: by their keys, which name it. */
export function findEffects(queries: Queries, orderId: string): Promise<readonly Effect[]> {
  const keys = PAID_EFFECTS.map((effect) => effectKey(effect, orderId));
  return queries.selectFrom('outbox').selectAll().where('key', 'in', keys).orderBy('key', 'desc').execute();
}

/** Makes an effect due now that would not be before `after`; `false` when there is none such. */
export async function hastenEffect(
  queries: Queries,
  key: string,
  turn: { readonly at: number; readonly after: number },
): Promise<boolean> {
  const result = await queries
    .updateTable('outbox')
    .set({ nextAt: turn.at })
    .where('key', '=', key)
    .where('doneAt', 'is', null)
    .where('nextAt', '>', turn.after)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
