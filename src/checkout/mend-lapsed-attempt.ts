import { canMove } from '../core/order.js';
import { type Attempt, findAttempts, putAttempt } from '../store/attempts.js';
import type { Queries } from '../store/database.js';
import { recordEvent } from '../store/history.js';
import { lockOrder, moveOrder, type Order } from '../store/orders.js';
import type { CheckoutServices } from './services.js';

/**
 * Ends an attempt whose caller vanished before it wrote what the service answered. A hosted session nobody saw is
 * litter; a card call may have charged, so its outcome is unknown and no machine will repeat it.
 */
export async function mendLapsedAttempt(services: CheckoutServices, orderId: string): Promise<void> {
  const isLapsed = (attempt: Attempt) =>
    attempt.state === 'creating' && attempt.claimedUntil < services.clock.now();
  const seen = await findAttempts(services.db.queries, orderId);
  if (!seen.some(isLapsed)) return;
  const ended = await services.db.transaction(async (queries) => {
    const order = await lockOrder(queries, orderId);
    const lapsed = (await findAttempts(queries, orderId)).find(isLapsed);
    if (!lapsed) return undefined;
    const to = await endLapsed(queries, { order, attempt: lapsed, at: services.clock.now() });
    return { order: order.number, attempt: lapsed.id, kind: lapsed.kind, to };
  });
  if (!ended) return;
  services.observer.attemptBecame(ended.kind, ended.to);
  services.log.warn('attempt_lapsed', ended);
}

async function endLapsed(
  queries: Queries,
  { order, attempt, at }: { readonly order: Order; readonly attempt: Attempt; readonly at: number },
): Promise<'unknown' | 'failed'> {
  const state = attempt.kind === 'card' ? 'unknown' : 'failed';
  await putAttempt(queries, attempt.id, { state, at });
  await recordEvent(queries, {
    orderId: order.id,
    at,
    kind: 'attempt_lapsed',
    detail: { attempt: attempt.ordinal, state },
  });
  if (state === 'unknown') await moveToUnknown(queries, order, at);
  return state;
}

/** Moves an order whose card call has no usable answer; one that is paid, under review or there already stays. */
export async function moveToUnknown(queries: Queries, order: Order, at: number): Promise<Order> {
  if (!canMove(order.state, 'outcome_unknown')) return order;
  const moved = await moveOrder(queries, order, { to: 'outcome_unknown', at });
  await recordEvent(queries, {
    orderId: order.id,
    at,
    kind: 'moved',
    detail: { from: order.state, to: 'outcome_unknown' },
  });
  return moved;
}
