import {
  type Attempt,
  type AttemptPatch,
  findAttempts,
  hasNotEnded,
  isOffered,
  payingAttemptOf,
  putAttempt,
} from '../db/attempts.js';
import { assertAllowed } from '../domain/lifecycle.js';
import type { AttemptState } from '../domain/order.js';
import { type PaymentEvent, type Snapshot, type Transition, transition } from '../domain/transition.js';
import { isPlainPending } from '../gateway/status.js';
import type { PaymentContext } from '../payments/context.js';
import type { Transaction } from '../payments/store/database.js';
import {
  isPaidByOtherOrder,
  type Order,
  type OrderEvent,
  type OrderPatch,
  recordEvents,
  updateOrderState,
} from '../payments/store/orders.js';
import type { LockedGoods } from './host.js';
import type { Trigger } from './lookups.js';
import { publish } from './payment-observer.js';

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
  /** Read after the order was locked. Absent: the order has none. */
  readonly attempt: Attempt | undefined;
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
  readonly attempt: Attempt | undefined;
}

/**
 * Applies one event to an order and its attempt. The only writer of their states. Must run in the transaction that locked the
 * order. Writes states and history together with what the host changes. Logs and counts the new states after
 * the commit.
 * Throws if the tables of `domain/lifecycle.ts` do not list the change.
 */
export async function applyTransition(
  queries: Transaction,
  context: Pick<PaymentContext, 'config' | 'host' | 'log' | 'observer'>,
  change: Change,
): Promise<Applied> {
  const { order: before, attempt: attemptBefore, event, at, history } = change;
  const { snapshot, goods } = await readSnapshot(queries, change, context);
  const after = transition(snapshot, event);
  assertAllowed(snapshot, after);
  const attempt = await updateAttempt(queries, change, after);
  const order = await updateOrderState(queries, before, { to: after.order, at, patch: orderPatchOf(change, after) });
  // The stored word for a change of the order's state.
  const stateChange = { kind: 'moved', detail: { from: before.state, to: after.order, reason: after.reviewReason } };
  const events = [
    ...(history && (attempt !== attemptBefore || order !== before) ? [history] : []),
    ...(order.state !== before.state ? [stateChange] : []),
  ];
  await recordEvents(
    queries,
    events.map(({ kind, detail }) => ({ orderId: order.id, at, kind, detail })),
  );
  const isDeclined = attemptBefore?.live === 1 && attempt?.state === 'declined';
  await context.host.applyChange(queries, {
    before,
    after: order,
    cause: event.type,
    at,
    attempt: attempt && { id: attempt.id, ordinal: attempt.ordinal, flow: attempt.flow, isDeclined },
  });
  if (after.takesStock) await goods?.take();
  const applied = { order, attempt };
  queries.onCommit(() => reportTransition(context, change, applied));
  return applied;
}

/** Returns the changed attempt, or the same object if no column changes. */
async function updateAttempt(
  queries: Transaction,
  { attempt, patch, at }: Change,
  { attempt: state }: Transition<AttemptState | null>,
): Promise<Attempt | undefined> {
  if (!attempt || state === null || (state === attempt.state && patch === undefined)) return attempt;
  await putAttempt(queries, attempt.id, { state, at, patch });
  return { ...attempt, ...patch, state };
}

/** Returns the columns of the order that change with its state. */
function orderPatchOf(
  { order, attempt, event, at, paidAt, orderPatch }: Change,
  after: Transition<AttemptState | null>,
): OrderPatch {
  const isPaid = after.order === 'paid' && order.state !== 'paid';
  return {
    ...orderPatch,
    ...(after.reviewReason !== undefined && { reviewReason: after.reviewReason }),
    ...((isPaid || ENDS_LINK.includes(event.type)) && { payableUntil: null }),
    ...(isPaid && { paidAt: paidAt ?? at, confirmedAt: at, paidAttemptId: attempt?.id }),
  };
}

function reportTransition(
  { log, observer }: Pick<PaymentContext, 'log' | 'observer'>,
  { order: before, attempt: attemptBefore, event, trigger }: Change,
  { order, attempt }: Applied,
): void {
  const fields = { order: order.number, attempt: attempt?.id, trigger };
  if (attempt && attemptBefore && attempt.state !== attemptBefore.state) {
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

/** Reads what the event depends on, and locks the goods that it may take. */
async function readSnapshot(
  queries: Transaction,
  { order, attempt, event, at }: Change,
  { config: { environment, keyFingerprint }, host }: Pick<PaymentContext, 'config' | 'host'>,
): Promise<{ readonly snapshot: Snapshot<AttemptState | null>; readonly goods: LockedGoods | undefined }> {
  // The start of an attempt does not depend on other payments.
  const attempts = NEEDS_OTHER_ATTEMPTS.includes(event.type) ? await findAttempts(queries, order.id) : [];
  const others = attempts.filter(({ id }) => id !== attempt?.id);
  const isPaid = order.state === 'paid';
  const isAlreadyPaid = isPaid || (event.type === 'looked_up' && (await isPaidByOtherOrder(queries, order)));
  const mayPay = event.type === 'looked_up' && event.result.kind === 'paid' && !isAlreadyPaid;
  const goods = mayPay || event.type === 'stock_arrived' ? await host.lockGoods(queries, order) : undefined;
  // A changed key alone proves nothing. The flag shows that the gateway does not know the payment with it.
  const isOtherKey = attempt !== undefined && attempt.keyFingerprint !== keyFingerprint;
  const isUnknownToKey = isOtherKey && order.reviewReason === 'other_environment';
  const hasMoney = isPaid && payingAttemptOf(order, attempts)?.state === 'paid';
  const snapshot = {
    order: order.state,
    attempt: attempt?.state ?? null,
    hasOtherLiveAttempt: others.some(({ live }) => live === 1),
    isAlreadyPaid,
    awaitsCustomer: attempt !== undefined && attempt.idSource !== 'candidate' && isPlainPending(attempt.gatewayStatus),
    paysTheOrder: attempt !== undefined && order.paidAttemptId === attempt.id,
    isOtherEnvironment: isUnknownToKey || (attempt !== undefined && attempt.environment !== environment),
    hasOtherOffer: others.some((other) => isOffered(other, at)),
    hasOtherReview: others.some((other) => mayHoldMoney(other, order)),
    hasOtherEnvironment: others.some((other) => other.environment !== environment && hasNotEnded(other)),
    hasEnoughStock: goods?.available === true,
    lacksStock: hasMoney && (await host.lacksGoods(queries, order)),
  };
  return { snapshot, goods };
}

/** Returns whether an attempt has a payment in review, a lost response, or another payment than that of the order. */
function mayHoldMoney({ id, state }: Attempt, { paidAttemptId }: Order): boolean {
  return state === 'review' || state === 'unknown' || (state === 'paid' && id !== paidAttemptId);
}
