import { applyToHost, type HostFailedError, logHostFailure } from './call-host.js';
import type { PaymentContext } from './context.js';
import type { AppliedChange } from './host.js';
import { publish } from './observer.js';
import { type EventInput, readSnapshot } from './read-snapshot.js';
import type { Attempt } from './rules/attempt.js';
import { attemptReference, ID_BYTES, timeOrderedId } from './rules/ids.js';
import { assertAllowed } from './rules/lifecycle.js';
import type { Trigger } from './rules/lookup.js';
import type { AttemptState } from './rules/order.js';
import { type PaymentEvent, type Transition, transition } from './rules/transition.js';
import { type AttemptPatch, findAttempts, insertAttempt, putAttempt } from './store/attempts.js';
import type { Transaction } from './store/database.js';
import { type Order, type OrderEvent, type OrderPatch, recordEvents, updateOrderState } from './store/orders.js';

/** Events after which the order cannot be paid from its link. */
const ENDS_LINK: readonly PaymentEvent['type'][] = ['refund_decided', 'close_decided', 'refunded'];

export interface Change extends EventInput {
  /** What caused the event, for logs and metrics. */
  readonly trigger: Trigger;
  /** Other columns of the attempt. */
  readonly patch?: AttemptPatch;
  /** Other columns of the order. */
  readonly orderPatch?: OrderPatch;
  /** When the customer paid, in milliseconds since 1970. Absent: now. */
  readonly paidAt?: number | undefined;
  /** Entry for the order's history. Written only if the attempt or the order changes. */
  readonly history?: Pick<OrderEvent, 'kind' | 'detail'>;
  /** The transaction stores an answer of the gateway. The caller gives the change to the host after the commit. */
  readonly isAnswer?: boolean;
}

/** The rows after the change. */
export interface Applied {
  readonly order: Order;
  readonly attempt: Attempt | undefined;
  /** What the host gets. Absent: nothing changed. */
  readonly change?: AppliedChange<Order> | undefined;
  /** The host does not have the change. The order is in review. */
  readonly failure?: HostFailedError | undefined;
}

/**
 * Applies one event to an order and its attempt. The only writer of their states. Must run in the transaction that locked the
 * order. Writes states and history together with what the host changes. If the host fails, the order is in review. Logs and
 * counts the new states after the commit.
 * Throws if the tables of `payments/rules/lifecycle.ts` do not list the change.
 */
export async function applyTransition(
  queries: Transaction,
  context: Pick<PaymentContext, 'config' | 'host' | 'log' | 'observer' | 'random'>,
  change: Change,
): Promise<Applied> {
  const { order: before, attempt: attemptBefore, event, at, history, isAnswer } = change;
  const { snapshot, goods, missed, failure } = await readSnapshot(queries, change, context);
  const after = transition(snapshot, event);
  assertAllowed(snapshot, after);
  const attempt = await writeAttempt(queries, context, change, after);
  const changed = await updateOrderState(queries, before, {
    to: after.order,
    at,
    patch: orderPatchOf(change, after, attempt),
  });
  // The stored word for a change of the order's state.
  const stateChange = { kind: 'moved', detail: { from: before.state, to: after.order, reason: after.reviewReason } };
  const events = [
    ...(history && (attempt !== attemptBefore || changed !== before) ? [history] : []),
    ...(changed.state !== before.state ? [stateChange] : []),
  ];
  await recordEvents(
    queries,
    events.map(({ kind, detail }) => ({ orderId: before.id, at, kind, detail })),
  );
  const hasChanged = changed !== before || attempt?.state !== attemptBefore?.state;
  const isRepeated = event.type === 'change_repeated';
  const hostChange = {
    before: isRepeated ? { ...before, ...missed.change, reviewReason: null } : before,
    after: changed,
    cause: event.type,
    at,
    attempt: attempt && hostAttemptOf(change, attempt),
  };
  const take = after.takesGoods ? goods?.take : undefined;
  if (failure && !hasChanged) queries.onCommit(() => logHostFailure(context, hostChange, failure));
  const work = { change: hostChange, take, failure, refunds: isRepeated ? missed.refunds : [] };
  const result = hasChanged && !isAnswer ? await applyToHost(queries, context, work) : { order: changed };
  const applied = { ...result, attempt, change: hasChanged ? hostChange : undefined };
  queries.onCommit(() => reportTransition(context, change, applied));
  return applied;
}

/** Returns the changed or inserted attempt, or the same object if no column changes. */
async function writeAttempt(
  queries: Transaction,
  context: Pick<PaymentContext, 'config' | 'random'>,
  { order, attempt, event, patch, at }: Change,
  { attempt: state }: Transition<AttemptState | null>,
): Promise<Attempt | undefined> {
  if (event.type === 'paid_outside' && state === 'paid')
    return insertOutsideAttempt(queries, context, { order, at, patch });
  if (!attempt || state === null || (state === attempt.state && patch === undefined)) return attempt;
  await putAttempt(queries, attempt.id, { state, at, patch });
  return { ...attempt, ...patch, state };
}

/** Inserts the attempt of an order that was paid past the gateway: it is paid, and no call of the gateway is about it. */
async function insertOutsideAttempt(
  tx: Transaction,
  { config: { environment, keyFingerprint }, random }: Pick<PaymentContext, 'config' | 'random'>,
  { order: { id: orderId, number, total }, at, patch }: Pick<Change, 'order' | 'at' | 'patch'>,
): Promise<Attempt> {
  const ordinal = (await findAttempts(tx, orderId)).length + 1;
  const amounts = { amount: total, confirmedAmount: total };
  const times = { offerEndsAt: at, leasedUntil: at, checkedAt: 0, nextCheckAt: at, createdAt: at, updatedAt: at };
  return insertAttempt(tx, {
    id: timeOrderedId(at, random(ID_BYTES)),
    orderId,
    ordinal,
    flow: 'outside',
    state: 'paid',
    environment,
    keyFingerprint,
    reference: attemptReference(number, ordinal),
    ...amounts,
    ...times,
    checks: 0,
    ...patch,
  });
}

function hostAttemptOf({ attempt: before, event }: Change, { id, ordinal, flow, state }: Attempt) {
  const isDeclined = state === 'declined' && (before?.live === 1 || event.type === 'change_repeated');
  return { id, ordinal, flow, isDeclined };
}

/** Returns the columns of the order that change with its state. */
function orderPatchOf(
  { order, event, at, paidAt, orderPatch }: Change,
  after: Transition<AttemptState | null>,
  attempt: Attempt | undefined,
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
  if (attempt && attempt.state !== attemptBefore?.state) {
    observer.attemptChanged(attempt.flow, attempt.state);
    const { flow, state: to } = attempt;
    log.info('attempt.changed', { ...fields, flow, to });
    if (event.type === 'looked_up') publish('verified', () => ({ ...fields, flow, from: attemptBefore?.state, to }));
  }
  if (order.state !== before.state) {
    observer.orderChanged(order.state, trigger);
    log.info('order.changed', { ...fields, from: before.state, to: order.state });
    if (order.reviewReason === 'oversold') log.warn('order.oversold', fields);
  }
}
