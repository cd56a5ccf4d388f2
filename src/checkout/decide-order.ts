import { endByDecision, type MerchantDecision, openDecisions } from '../core/decision.js';
import { canMove } from '../core/order.js';
import { type Attempt, findAttempts, putAttempt } from '../store/attempts.js';
import type { Queries } from '../store/database.js';
import { recordEvent } from '../store/history.js';
import { findOrder, lockOrder, moveOrder, type Order, patchOrder } from '../store/orders.js';
import { type Adoption, adoptPayment, lacksServiceId } from './adopt-payment.js';
import type { CheckoutServices } from './services.js';
import { settlePayment } from './settle-payment.js';

export interface DecisionRequest {
  readonly orderId: string;
  readonly decision: MerchantDecision;
  /** The version of the order that the merchant was looking at. */
  readonly version: number;
  /** What to remember with it: a refund's number, who was called. Free of card data. */
  readonly note: string;
  /** With `confirm`: the service's own id of a payment whose answer was lost, as its desk shows it. */
  readonly serviceId?: string;
}

export type DecisionOutcome =
  | { readonly kind: 'done'; readonly order: Order }
  /** The service was asked, and does not say that this order is paid. */
  | { readonly kind: 'not_confirmed'; readonly order: Order }
  | { readonly kind: 'unreachable'; readonly order: Order }
  /** Somebody or something was faster: look again before deciding. */
  | { readonly kind: 'changed' }
  /** The order does not leave this open. */
  | { readonly kind: 'not_open' };

/**
 * Carries out what the merchant decided about an order that waits for a person, and writes it into the order's
 * history. No decision makes an order paid: `confirm` asks the service again and its answer is judged as ever.
 * Rejects when the order does not exist or the database fails.
 */
export async function decideOrder(
  services: CheckoutServices,
  request: DecisionRequest,
): Promise<DecisionOutcome> {
  const order = await findOrder(services.db.queries, request.orderId);
  if (!order) throw new Error('no such order');
  const objection = objectionTo(order, request);
  if (objection) return objection;
  const { decision } = request;
  if (decision === 'confirm') return confirm(services, order, request);
  const ended: Attempt[] = [];
  const outcome = await services.db.transaction((queries) =>
    end(queries, services, { ...request, decision, ended }),
  );
  for (const { kind, state } of ended) services.observer.attemptBecame(kind, state);
  return outcome;
}

function objectionTo(order: Order, request: DecisionRequest): DecisionOutcome | undefined {
  if (order.version !== request.version) return { kind: 'changed' };
  return openDecisions(order).includes(request.decision) ? undefined : { kind: 'not_open' };
}

async function confirm(
  services: CheckoutServices,
  before: Order,
  request: DecisionRequest,
): Promise<DecisionOutcome> {
  const { queries } = services.db;
  const named = await adoptNamed(services, before, request.serviceId);
  const { order, reached } = await settlePayment(services, before.id, 'merchant');
  const result = order.state === 'paid' ? 'paid' : reached && named ? 'not_confirmed' : 'unreachable';
  await record(queries, services, { request, result });
  if (result === 'paid') return { kind: 'done', order };
  return { kind: result, order };
}

/** Takes the merchant's word for where a lost payment is; false when the service could not be asked about it. */
async function adoptNamed(
  services: CheckoutServices,
  order: Order,
  serviceId: string | undefined,
): Promise<boolean> {
  if (serviceId === undefined) return true;
  const attempts = await findAttempts(services.db.queries, order.id);
  const came: Adoption[] = [];
  for (const { id } of attempts.filter(lacksServiceId))
    came.push(await adoptPayment(services, id, [serviceId]));
  return !came.includes('unreachable');
}

async function end(
  queries: Queries,
  services: CheckoutServices,
  request: DecisionRequest & { readonly decision: 'refund' | 'close'; readonly ended: Attempt[] },
): Promise<DecisionOutcome> {
  const order = await lockOrder(queries, request.orderId);
  const objection = objectionTo(order, request);
  if (objection) return objection;
  const at = services.clock.now();
  for (const attempt of await findAttempts(queries, order.id)) {
    const paysTheOrder = order.paidAttemptId === attempt.id;
    const state = endByDecision(request.decision, { state: attempt.state, paysTheOrder });
    if (!state) continue;
    await putAttempt(queries, attempt.id, { state, at });
    request.ended.push({ ...attempt, state });
  }
  const patch = { attention: null };
  const after = canMove(order.state, 'cancelled')
    ? await moveOrder(queries, order, { to: 'cancelled', at, patch })
    : await patchOrder(queries, order, { at, patch });
  await record(queries, services, { request, result: after.state });
  return { kind: 'done', order: after };
}

function record(
  queries: Queries,
  services: CheckoutServices,
  { request, result }: { readonly request: DecisionRequest; readonly result: string },
): Promise<void> {
  const { orderId, decision, note } = request;
  return recordEvent(queries, {
    orderId,
    at: services.clock.now(),
    kind: 'decided',
    detail: { decision, result, ...(note !== '' && { note }) },
  });
}
