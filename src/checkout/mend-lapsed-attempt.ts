import { type Attempt, findAttempts } from '../db/attempts.js';
import { lockOrder } from '../db/orders.js';
import { applyTransition, reportTransition } from './apply-transition.js';
import type { CheckoutServices } from './services.js';

/**
 * Ends an attempt whose lease expired before the gateway's response was stored. A checkout session that was never shown
 * cannot be paid. A card payment may have been charged, so its outcome is unknown and it is not sent again.
 */
export async function mendLapsedAttempt(services: CheckoutServices, orderId: string): Promise<void> {
  const isLapsed = (attempt: Attempt) =>
    attempt.state === 'creating' && attempt.claimedUntil < services.clock.now();
  const seen = await findAttempts(services.db.queries, orderId);
  if (!seen.some(isLapsed)) return;
  const applied = await services.db.transaction(async (queries) => {
    const order = await lockOrder(queries, orderId);
    const attempt = (await findAttempts(queries, orderId)).find(isLapsed);
    if (!attempt) return undefined;
    const state = attempt.kind === 'card' ? 'unknown' : 'failed';
    return applyTransition(queries, services, {
      order,
      attempt,
      event: { type: attempt.kind === 'card' ? 'answer_lost' : 'start_failed' },
      at: services.clock.now(),
      history: { kind: 'attempt_lapsed', detail: { attempt: attempt.ordinal, state } },
    });
  });
  if (!applied) return;
  const { order, attempt } = applied;
  services.log.warn('attempt_lapsed', {
    order: order.number,
    attempt: attempt.id,
    kind: attempt.kind,
    to: attempt.state,
  });
  reportTransition(services, applied, 'worker');
}
