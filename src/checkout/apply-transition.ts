import {
  type Attempt,
  type AttemptPatch,
  findAttempts,
  hasNotEnded,
  isOffered,
  payingAttemptOf,
  putAttempt,
} from '../db/attempts.js';
import { emptyCartOf } from '../db/carts.js';
import type { Queries, Transaction } from '../db/connection/database.js';
import { insertFulfillment, isStockTaken, markStockTaken } from '../db/fulfillments.js';
import {
  isPaidByOtherOrder,
  type Order,
  type OrderEvent,
  type OrderPatch,
  recordEvents,
  updateOrderState,
} from '../db/orders.js';
import { jobKey, queueJob, queueJobs } from '../db/outbox.js';
import { endReservation, lockStock, type Pieces, releaseCart, takeStock } from '../db/stock.js';
import { reasonToReview } from '../domain/decision.js';
import { assertAllowed } from '../domain/lifecycle.js';
import { type PaymentEvent, type Snapshot, type Transition, transition } from '../domain/transition.js';
import { isPlainPending } from '../gateway/status.js';
import type { CheckoutContext } from './context.js';
import type { Trigger } from './lookups.js';
import { publish } from './observer.js';

/** After a decline the customer has 15 min to try again. */
const AFTER_DECLINE_MS = 15 * 60_000;
/** Events whose changes depend on the other attempts of the order. */
const NEEDS_OTHER_ATTEMPTS: readonly PaymentEvent['type'][] = [
  'looked_up',
  'offer_ended',
  'refund_decided',
  'close_decided',
  'stock_arrived',
  'refunded',
];

/** Events after which the order cannot be paid from its link. */
const ENDS_LINK: readonly PaymentEvent['type'][] = ['refund_decided', 'close_decided', 'refunded'];

export interface Change {
  /** Locked in this transaction. */
  readonly order: Order;
  /** Read after the order was locked. */
  readonly attempt: Attempt;
  readonly event: PaymentEvent;
  /** What caused the event, for logs and metrics. */
  readonly trigger: Trigger;
  readonly at: number;
  /** Other columns of the attempt. */
  readonly patch?: AttemptPatch;
  /** Other columns of the order. */
  readonly orderPatch?: OrderPatch;
  /** When the customer paid, in milliseconds since 1970. Absent: now. */
  readonly paidAt?: number | undefined;
  /** Entry for the order's history. Written only if the attempt or the order changes. */
  readonly history?: Pick<OrderEvent, 'kind' | 'detail'>;
}

/** The rows after the change. */
export interface Applied {
  readonly order: Order;
  readonly attempt: Attempt;
}

/**
 * Applies one event to an attempt and its order. With {@link cancelWithoutAttempt} the only writer of their states. Must run in the transaction that locked
 * the order. Writes states, history, stock and outbox jobs together, and removes the products of a paid order from its cart.
 * Logs and counts the new states after the commit.
 * Throws if the tables of `domain/lifecycle.ts` do not list the change.
 */
export async function applyTransition(
  queries: Transaction,
  context: Pick<CheckoutContext, 'config' | 'jobs' | 'log' | 'observer'>,
  change: Change,
): Promise<Applied> {
  const { order, attempt, event, at, patch, history } = change;
  const { snapshot, stock } = await readSnapshot(queries, change, context.config);
  const after = transition(snapshot, event);
  assertAllowed(snapshot, after);
  const changesAttempt = after.attempt !== attempt.state || patch !== undefined;
  if (changesAttempt) await putAttempt(queries, attempt.id, { state: after.attempt, at, patch });
  const isPaid = after.order === 'paid' && order.state !== 'paid';
  const changed = await updateOrderState(queries, order, { to: after.order, at, patch: orderPatchOf(change, after) });
  // The stored word for a change of the order's state.
  const stateChange = { kind: 'moved', detail: { from: order.state, to: after.order, reason: after.reviewReason } };
  const events = [
    ...(history && (changesAttempt || changed !== order) ? [history] : []),
    ...(after.order !== order.state ? [stateChange] : []),
  ];
  await recordEvents(
    queries,
    events.map(({ kind, detail }) => ({ orderId: order.id, at, kind, detail })),
  );
  if (isPaid) await startFulfillment(queries, change);
  if (after.takesStock) {
    await markStockTaken(queries, order.id);
    await takeStock(queries, stock, at);
  }
  const isDeclined = attempt.live === 1 && after.attempt === 'declined';
  const endsLink = changed.payableUntil !== order.payableUntil;
  // A start that failed beside an open page cancels the order, and the page still takes a payment.
  const endsOffer = changed.state !== order.state && event.type !== 'start_failed';
  if (endsOffer || isDeclined || endsLink) await releaseReservation(queries, changed, at);
  await queueJobs(queries, order.id, { jobs: after.jobs, at });
  await queueMerchantMails(queries, context, { before: order, after: changed, at });
  const applied = { order: changed, attempt: { ...attempt, ...patch, state: after.attempt } };
  queries.onCommit(() => reportTransition(context, change, applied));
  return applied;
}

/** Cancels a locked order that has no attempt yet, and ends its payment link and its reservation. */
export async function cancelWithoutAttempt(
  queries: Transaction,
  { log, observer }: Pick<CheckoutContext, 'log' | 'observer'>,
  order: Order,
  at: number,
): Promise<void> {
  const to = 'cancelled';
  const [trigger, { id: orderId, number, state: from }] = ['merchant', order] as const;
  const changed = await updateOrderState(queries, order, { to, at, patch: { payableUntil: null } });
  await recordEvents(queries, [{ orderId, at, kind: 'moved', detail: { from, to } }]);
  await releaseReservation(queries, changed, at);
  queries.onCommit(() => {
    observer.orderChanged(to, trigger);
    log.info('order.changed', { order: number, trigger, from, to });
  });
}

/** Returns the columns of the order that change with its state. */
function orderPatchOf({ order, attempt, event, at, paidAt, orderPatch }: Change, after: Transition): OrderPatch {
  const isPaid = after.order === 'paid' && order.state !== 'paid';
  return {
    ...orderPatch,
    ...(after.reviewReason !== undefined && { reviewReason: after.reviewReason }),
    ...((isPaid || ENDS_LINK.includes(event.type)) && { payableUntil: null }),
    ...(isPaid && { paidAt: paidAt ?? at, confirmedAt: at, paidAttemptId: attempt.id }),
  };
}

/**
 * Writes the fulfillment of a paid order, before its stock is taken, and removes the products from the cart. The primary
 * key ensures that an order has one fulfillment.
 */
async function startFulfillment(queries: Queries, { order, attempt, at }: Change): Promise<void> {
  await insertFulfillment(queries, { orderId: order.id, attemptId: attempt.id, at, stockTaken: 0 });
  await emptyCartOf(queries, order, at);
}

/**
 * Queues the mails to the merchant about a changed order: it became paid, or it has a new reason to review.
 * Call it in the transaction of the change. Queues nothing without `MERCHANT_EMAIL`, or without the feature that sends them.
 */
export async function queueMerchantMails(
  queries: Queries,
  { config, jobs }: Pick<CheckoutContext, 'config' | 'jobs'>,
  { before, after, at }: { readonly before: Order; readonly after: Order; readonly at: number },
): Promise<void> {
  if (config.merchantEmail === undefined || !jobs.merchant_paid) return;
  const orderId = after.id;
  const reason = reasonToReview(after);
  if (after.state === 'paid' && before.state !== 'paid')
    await queueJob(queries, { key: jobKey('merchant_paid', orderId), orderId, job: 'merchant_paid', at });
  if (reason === null || reason === reasonToReview(before)) return;
  const key = `${jobKey('merchant_review', orderId)}:${reason}`;
  await queueJob(queries, { key, orderId, job: 'merchant_review', at });
}

function reportTransition(
  { log, observer }: Pick<CheckoutContext, 'log' | 'observer'>,
  { order: before, attempt: attemptBefore, event, trigger }: Change,
  { order, attempt }: Applied,
): void {
  const fields = { order: order.number, attempt: attempt.id, trigger };
  if (attempt.state !== attemptBefore.state) {
    observer.attemptChanged(attempt.flow, attempt.state);
    const { flow, state: to } = attempt;
    log.info('attempt.changed', { ...fields, flow, to });
    if (event.type === 'looked_up') publish('settled', () => ({ ...fields, flow, from: attemptBefore.state, to }));
  }
  if (order.state !== before.state) {
    observer.orderChanged(order.state, trigger);
    log.info('order.changed', { ...fields, from: before.state, to: order.state });
    if (order.reviewReason === 'oversold') log.warn('stock.oversold', fields);
  }
}

/** Reads what the event depends on, and locks the stock that it may take. */
async function readSnapshot(
  queries: Queries,
  { order, attempt, event, at }: Change,
  { environment, keyFingerprint }: CheckoutContext['config'],
): Promise<{ readonly snapshot: Snapshot; readonly stock: readonly Pieces[] }> {
  // The start of an attempt does not depend on other payments.
  const attempts = NEEDS_OTHER_ATTEMPTS.includes(event.type) ? await findAttempts(queries, order.id) : [];
  const others = attempts.filter(({ id }) => id !== attempt.id);
  const isPaid = order.state === 'paid';
  const isAlreadyPaid = isPaid || (event.type === 'looked_up' && (await isPaidByOtherOrder(queries, order)));
  const mayPay = event.type === 'looked_up' && event.result.kind === 'paid' && !isAlreadyPaid;
  const mayTakeStock = mayPay || event.type === 'stock_arrived';
  const stock = mayTakeStock ? await lockStock(queries, order, at) : { isCovered: false, lines: [] };
  // A changed key alone proves nothing. The flag shows that the gateway does not know the payment with it.
  const isUnknownToKey = attempt.keyFingerprint !== keyFingerprint && order.reviewReason === 'other_environment';
  const hasMoney = isPaid && payingAttemptOf(order, attempts)?.state === 'paid';
  const snapshot = {
    order: order.state,
    attempt: attempt.state,
    hasOtherLiveAttempt: others.some(({ live }) => live === 1),
    isAlreadyPaid,
    awaitsCustomer: attempt.idSource !== 'candidate' && isPlainPending(attempt.gatewayStatus),
    paysTheOrder: order.paidAttemptId === attempt.id,
    isOtherEnvironment: attempt.environment !== environment || isUnknownToKey,
    hasOtherOffer: others.some((other) => isOffered(other, at)),
    hasOtherReview: others.some((other) => mayHoldMoney(other, order)),
    hasOtherEnvironment: others.some((other) => other.environment !== environment && hasNotEnded(other)),
    hasEnoughStock: stock.isCovered,
    lacksStock: hasMoney && (await isStockTaken(queries, order.id)) === false,
  };
  return { snapshot, stock: stock.lines };
}

/** Returns whether an attempt has a payment in review, a lost response, or another payment than that of the order. */
function mayHoldMoney({ id, state }: Attempt, { paidAttemptId }: Order): boolean {
  return state === 'review' || state === 'unknown' || (state === 'paid' && id !== paidAttemptId);
}

/** Shortens the reservation of a declined order and ends that of others. A paid order removes those of its whole cart. */
async function releaseReservation(queries: Queries, order: Order, at: number): Promise<void> {
  const { cartId, state } = order;
  if (state === 'paid') await releaseCart(queries, cartId);
  if (state === 'expired' || state === 'cancelled') await endReservation(queries, order, at);
  if (state === 'declined') await endReservation(queries, order, at + AFTER_DECLINE_MS);
}
