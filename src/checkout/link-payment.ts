import { type Attempt, findAttempt, findOrderIdsByGatewayId } from '../db/attempts.js';
import { lockOrder } from '../db/orders.js';
import { GatewayError, gatewayErrorOf } from '../gateway/errors.js';
import { applyTransition, reportTransition } from './apply-transition.js';
import type { CheckoutContext } from './context.js';
import type { Trigger } from './lookups.js';

/** Returns whether a card payment may exist at the gateway without a stored id. A decline with status 402 names no id. */
export function lacksGatewayId(attempt: Pick<Attempt, 'flow' | 'state' | 'gatewayId'>): boolean {
  const mayExist = ['unknown', 'cancelled', 'declined'].includes(attempt.state);
  return attempt.flow === 'card' && attempt.gatewayId === null && mayExist;
}

/**
 * Result of linking a candidate id.
 * `linked`: the lookup returned the attempt's reference. `not_ours`: the id belongs to another payment or attempt, or
 * the attempt needs no id. `not_found`: the gateway does not know the id yet. `unreachable`: the lookup failed.
 */
export type LinkResult = 'linked' | 'not_ours' | 'not_found' | 'unreachable';

/**
 * Stores a gateway id for a card payment whose response was lost. Only authenticated webhooks and admin users may supply
 * candidates. A candidate is stored only if its lookup returns the attempt's own reference. The attempt is then settled
 * like any other.
 */
export async function linkPayment(
  context: CheckoutContext,
  attemptId: string,
  candidates: readonly string[],
  trigger: Trigger,
): Promise<LinkResult> {
  const attempt = await findAttempt(context.db.queries, attemptId);
  if (!attempt || !lacksGatewayId(attempt) || attempt.environment !== context.policy.environment) return 'not_ours';
  const { queries } = context.db;
  let result: LinkResult = 'not_ours';
  for (const gatewayId of candidates) {
    if ((await findOrderIdsByGatewayId(queries, [gatewayId])).length > 0) continue;
    const payment = await context.gateway.lookUp('card', gatewayId).catch(gatewayErrorOf);
    if (payment instanceof GatewayError)
      result = payment.code === 'not_found' || payment.code === 'refused' ? 'not_found' : 'unreachable';
    else if (payment.id === gatewayId && payment.reference === attempt.reference) {
      await link(context, attempt, gatewayId, trigger);
      return 'linked';
    }
  }
  return result;
}

/** Does nothing if another caller linked the attempt or changed its state meanwhile. */
async function link(
  context: CheckoutContext,
  { id, orderId }: Attempt,
  gatewayId: string,
  trigger: Trigger,
): Promise<void> {
  const at = context.clock.now();
  const applied = await context.db.transaction(async (queries) => {
    const order = await lockOrder(queries, orderId);
    const attempt = await findAttempt(queries, id);
    if (!attempt || !lacksGatewayId(attempt)) return undefined;
    return applyTransition(queries, context, {
      order,
      attempt,
      event: { type: 'found' },
      at,
      patch: { gatewayId, nextCheckAt: at },
      history: { kind: 'payment_found', detail: { attempt: attempt.ordinal } },
    });
  });
  if (applied) reportTransition(context, applied, trigger);
}
