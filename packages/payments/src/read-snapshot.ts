/** What an event depends on, read in the transaction that applies it. */

import { findMissed, HostFailedError, type Missed, NOTHING_MISSED, tryHost } from './call-host.js';
import type { PaymentContext } from './context.js';
import { isPlainPending } from './gateway/status.js';
import type { FullHost, LockedGoods } from './host.js';
import { withStatus } from './lookups.js';
import { type Attempt, hasNotEnded, isOffered, payingAttemptOf } from './rules/attempt.js';
import { mayBeCharged } from './rules/decide-outside.js';
import type { AttemptState } from './rules/order.js';
import type { PaymentEvent, Snapshot } from './rules/transition.js';
import { findAttempts } from './store/attempts.js';
import type { Transaction } from './store/database.js';
import { isPaidByOtherOrder, type Order } from './store/orders.js';

/** Events whose changes depend on the other attempts of the order. */
const NEEDS_OTHER_ATTEMPTS: readonly PaymentEvent['type'][] = [
  'looked_up',
  'paid_outside',
  'offer_ended',
  'refund_decided',
  'close_decided',
  'goods_arrived',
  'change_repeated',
  'refunded',
];

/** Decisions and returned money: their changes depend on what the host has done for a paid order. */
const DEPENDS_ON_HOST: readonly PaymentEvent['type'][] = [
  'refund_decided',
  'close_decided',
  'goods_arrived',
  'change_repeated',
  'refunded',
];

/** An event of an order, and what was read of it. */
export interface EventInput {
  /** Locked in this transaction. */
  readonly order: Order;
  /** Read after the order was locked. Absent: the order has none. */
  readonly attempt: Attempt | undefined;
  readonly event: PaymentEvent;
  readonly at: number;
  /** `lockBefore` failed, so that the host is not called. */
  readonly hostFailure?: HostFailedError | undefined;
}

interface ReadSnapshot {
  readonly snapshot: Snapshot<AttemptState | null>;
  readonly goods: LockedGoods | undefined;
  /** What the host missed before. */
  readonly missed: Missed;
  readonly failure: HostFailedError | undefined;
}

/** Reads what the event depends on, and locks the goods that it may take. */
export async function readSnapshot(
  tx: Transaction,
  input: EventInput,
  { config: { environment, keyFingerprint }, host }: Pick<PaymentContext, 'config' | 'host'>,
): Promise<ReadSnapshot> {
  const { order, attempt, event, at } = input;
  // The start of an attempt does not depend on other payments.
  const attempts = NEEDS_OTHER_ATTEMPTS.includes(event.type) ? await findAttempts(tx, order.id) : [];
  const others = attempts.filter(({ id }) => id !== attempt?.id);
  const isPaid = order.state === 'paid';
  const isAlreadyPaid = isPaid || (isPayment(event) && (await isPaidByOtherOrder(tx, order)));
  const mayPay = isPayment(event) && !isAlreadyPaid;
  const hasMoney = isPaid && payingAttemptOf(order, attempts)?.state === 'paid';
  const facts = { mayPay, hasMoney };
  const { goods, lacksGoods, failure } = await askHost(tx, host, input, facts);
  const missed = await readMissed(tx, input, facts);
  // A changed key alone proves nothing. The flag shows that the gateway does not know the payment with it.
  const isOtherKey = attempt !== undefined && attempt.keyFingerprint !== keyFingerprint;
  const isUnknownToKey = isOtherKey && order.reviewReason === 'other_environment';
  const snapshot = {
    order: order.state,
    attempt: attempt?.state ?? null,
    hasOtherLiveAttempt: others.some(({ live }) => live === 1),
    isAlreadyPaid,
    awaitsCustomer: attempt !== undefined && attempt.idSource !== 'candidate' && isPlainPending(attempt.gatewayStatus),
    paysTheOrder: attempt !== undefined && order.paidAttemptId === attempt.id,
    isOtherEnvironment: isUnknownToKey || (attempt !== undefined && attempt.environment !== environment),
    mayBeCharged:
      event.type === 'paid_outside' && mayBeCharged({ order, attempts: attempts.map(withStatus), environment, at }),
    hasOtherOffer: others.some((other) => isOffered(other, at)),
    hasOtherReview: others.some((other) => mayHoldMoney(other, order)),
    hasOtherEnvironment: others.some((other) => other.environment !== environment && hasNotEnded(other)),
    hasGoods: goods?.available === true,
    lacksGoods,
    isHostBehind: isPaid && missed.change !== undefined,
    missesRefund: missed.refunds.length > 0,
  };
  return { snapshot, goods, missed, failure };
}

function isPayment(event: PaymentEvent): boolean {
  return event.type === 'paid_outside' || (event.type === 'looked_up' && event.result.kind === 'paid');
}

interface MoneyFacts {
  /** The event makes the order paid. */
  readonly mayPay: boolean;
  /** The order is paid, and the money was not returned. */
  readonly hasMoney: boolean;
}

/** Reads what the host missed before, if the event depends on it. */
async function readMissed(tx: Transaction, input: EventInput, { mayPay, hasMoney }: MoneyFacts): Promise<Missed> {
  const { type } = input.event;
  const { id, state, reviewReason } = input.order;
  if (reviewReason === null || !(mayPay || DEPENDS_ON_HOST.includes(type))) return NOTHING_MISSED;
  const { change, refunds } = await findMissed(tx, id);
  const isReturned = state === 'paid' && !hasMoney;
  const isGivenUp = type === 'close_decided' && reviewReason === 'host_failed';
  return {
    // A payment whose money was returned has no goods and no receipt.
    change: change && { ...change, ...(isReturned && { state }) },
    refunds: isGivenUp ? [] : refunds,
  };
}

interface HostAnswers {
  readonly goods?: LockedGoods | undefined;
  readonly lacksGoods: boolean;
  readonly failure?: HostFailedError;
}

/** Asks the host about goods, if the event depends on them. The goods of a host that fails cannot be had. */
async function askHost(
  tx: Transaction,
  host: FullHost,
  { order, event: { type }, hostFailure }: EventInput,
  { mayPay, hasMoney }: MoneyFacts,
): Promise<HostAnswers> {
  if (hostFailure) return { lacksGoods: false, failure: hostFailure };
  const needsGoods = mayPay || type === 'goods_arrived' || (type === 'change_repeated' && hasMoney);
  const goods = needsGoods ? await tryHost(tx, 'lockGoods', () => host.lockGoods(tx, order)) : undefined;
  if (goods instanceof HostFailedError) return { lacksGoods: false, failure: goods };
  const asks = hasMoney && DEPENDS_ON_HOST.includes(type);
  const lacksGoods = asks && (await tryHost(tx, 'lacksGoods', () => host.lacksGoods(tx, order)));
  return lacksGoods instanceof HostFailedError
    ? { goods, lacksGoods: false, failure: lacksGoods }
    : { goods, lacksGoods };
}

/** Returns whether an attempt has a payment in review, a lost response, or another payment than that of the order. */
function mayHoldMoney({ id, state }: Attempt, { paidAttemptId }: Order): boolean {
  return state === 'review' || state === 'unknown' || (state === 'paid' && id !== paidAttemptId);
}
