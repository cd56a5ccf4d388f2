import { applyTransition } from './apply-transition.js';
import type { PaymentContext } from './context.js';
import { reportChange } from './report-change.js';
import { isLeaseExpired } from './rules/attempt.js';
import type { Trigger } from './rules/lookup.js';
import { findAttempts } from './store/attempts.js';
import type { Db } from './store/database.js';
import { lockOrder } from './store/orders.js';

/**
 * Ends an attempt whose lease expired before the gateway's response was stored. A hosted attempt has failed, because no
 * customer got the address of its session. A card may have been charged, so its attempt is `unknown` and not sent again.
 */
export async function expireAttemptLease(context: PaymentContext, orderId: string, trigger: Trigger): Promise<void> {
  const findStale = async (queries: Db) =>
    (await findAttempts(queries, orderId)).find((attempt) => isLeaseExpired(attempt, context.clock.now()));
  if (!(await findStale(context.db.queries))) return;
  const applied = await context.db.transaction(async (queries) => {
    const order = await lockOrder(queries, orderId);
    const attempt = await findStale(queries);
    if (!attempt) return;
    const { flow, ordinal } = attempt;
    const state = flow === 'card' ? 'unknown' : 'failed';
    const expired = await applyTransition(queries, context, {
      order,
      attempt,
      event: { type: flow === 'card' ? 'answer_lost' : 'start_failed' },
      trigger,
      at: context.clock.now(),
      isAnswer: true,
      history: { kind: 'attempt_lapsed', detail: { attempt: ordinal, state } },
    });
    const fields = { order: order.number, attempt: attempt.id, flow, to: expired.attempt?.state };
    queries.onCommit(() => context.log.warn('attempt.lease_expired', fields));
    return expired;
  });
  await reportChange(context, applied);
}
