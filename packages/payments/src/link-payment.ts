import { applyTransition } from './apply-transition.js';
import type { PaymentContext } from './context.js';
import { GatewayError, gatewayErrorOf } from './gateway/errors.js';
import { reportChange } from './report-change.js';
import { type Attempt, type GatewayAttempt, isGatewayAttempt } from './rules/attempt.js';
import type { Trigger } from './rules/lookup.js';
import { CURRENCY } from './rules/money.js';
import type { GatewayPayment } from './rules/payment.js';
import type { PaymentEvent } from './rules/transition.js';
import { type AttemptPatch, findAttempt, findOrderIdsByGatewayId } from './store/attempts.js';
import { lockOrder, type OrderEvent } from './store/orders.js';

/**
 * Returns whether a payment of the attempt may exist at the gateway without a stored id: the answer was lost, the attempt
 * was closed, or a decline with status 402 named no id.
 */
export function lacksGatewayId(attempt: Pick<Attempt, 'flow' | 'state' | 'gatewayId'>): boolean {
  const states = attempt.flow === 'card' ? ['unknown', 'cancelled', 'declined'] : ['failed'];
  return attempt.gatewayId === null && states.includes(attempt.state);
}

/**
 * Result of linking an id that a webhook or an admin user named.
 * `linked`: the lookup returned the attempt's reference. `candidate`: it returned the payment without any reference.
 * `not_ours`: the id belongs to another payment or attempt, or the attempt needs no id. `not_found`: the gateway does not
 * know the id yet. `unreachable`: the lookup failed.
 */
export type LinkResult = 'linked' | 'candidate' | 'not_ours' | 'not_found' | 'unreachable';

/**
 * Stores a gateway id for an attempt whose response was lost. Only authenticated webhooks and admin users may supply ids.
 * An id is linked only if its lookup returns the attempt's own reference; the attempt is then verified like any other. An id
 * from an admin user whose payment is confirmed without a reference becomes a candidate, which only a decision can end.
 */
export async function linkPayment(
  context: PaymentContext,
  attemptId: string,
  gatewayIds: readonly string[],
  trigger: Trigger,
): Promise<LinkResult> {
  const attempt = await findAttempt(context.db.queries, attemptId);
  if (!attempt || !isGatewayAttempt(attempt) || !lacksGatewayId(attempt)) return 'not_ours';
  if (attempt.environment !== context.config.environment) return 'not_ours';
  let result: LinkResult = 'not_ours';
  for (const gatewayId of gatewayIds) {
    if ((await findOrderIdsByGatewayId(context.db.queries, [gatewayId])).length > 0) continue;
    const link = await findLink(context, attempt, gatewayId, trigger);
    if (typeof link === 'object') {
      await store(context, attempt, trigger, link);
      return link.result;
    }
    result = link ?? result;
  }
  return result;
}

/** Looks the id up. Returns how its payment is stored, or why there is none; `undefined` if it is not the attempt's own. */
async function findLink(
  { gateway, lookupBudget }: PaymentContext,
  attempt: GatewayAttempt,
  gatewayId: string,
  trigger: Trigger,
): Promise<Link | 'not_found' | 'unreachable' | undefined> {
  if (!(await lookupBudget.take(attempt.flow, trigger, false))) return 'unreachable';
  const payment = await gateway.lookUp(attempt.flow, gatewayId).catch(gatewayErrorOf);
  if (payment instanceof GatewayError)
    return payment.code === 'not_found' || payment.code === 'refused' ? 'not_found' : 'unreachable';
  return payment.gatewayId === gatewayId ? linkOf(attempt, payment, trigger) : undefined;
}

/** Returns how the payment is stored; `undefined` if it is not the attempt's own and no candidate. */
function linkOf(attempt: Attempt, payment: GatewayPayment, trigger: Trigger): Link | undefined {
  if (payment.reference === attempt.reference) return foundLink(attempt, payment);
  const { status, amount, currency, reference } = payment;
  const isConfirmed = status === 'paid' && amount === attempt.amount && currency === CURRENCY;
  const isCandidate = trigger === 'merchant' && attempt.flow === 'card' && isConfirmed && reference === undefined;
  return isCandidate ? candidateLink(attempt, payment) : undefined;
}

interface Link {
  readonly result: LinkResult;
  readonly event: PaymentEvent;
  readonly patch: AttemptPatch;
  readonly history: Pick<OrderEvent, 'kind' | 'detail'>;
}

function foundLink({ ordinal }: Attempt, { gatewayId }: GatewayPayment): Link {
  return {
    result: 'linked',
    event: { type: 'found' },
    patch: { gatewayId, idSource: 'found' },
    history: { kind: 'payment_found', detail: { attempt: ordinal } },
  };
}

function candidateLink({ ordinal }: Attempt, { gatewayId, amount, gatewayStatus, numbers }: GatewayPayment): Link {
  return {
    result: 'candidate',
    event: { type: 'looked_up', result: { kind: 'review', reason: 'candidate' } },
    patch: { ...numbers, gatewayId, idSource: 'candidate', confirmedAmount: amount, gatewayStatus },
    history: { kind: 'candidate_named', detail: { attempt: ordinal, paidAmount: amount } },
  };
}

/** Does nothing if another caller linked the attempt or changed its state meanwhile. */
async function store(context: PaymentContext, { id, orderId }: Attempt, trigger: Trigger, link: Link): Promise<void> {
  const at = context.clock.now();
  const applied = await context.db.transaction(async (queries) => {
    const order = await lockOrder(queries, orderId);
    const attempt = await findAttempt(queries, id);
    if (!attempt || !lacksGatewayId(attempt)) return undefined;
    const { event, patch, history } = link;
    return applyTransition(queries, context, {
      order,
      attempt,
      event,
      trigger,
      at,
      patch: { ...patch, nextCheckAt: at },
      history,
      isAnswer: true,
    });
  });
  await reportChange(context, applied);
}
