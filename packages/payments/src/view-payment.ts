/** The state of an order's payment for a page or an API: codes and times, no texts. */

import type { PaymentContext } from './context.js';
import { withStatus } from './lookups.js';
import {
  type Attempt,
  isGatewayAttempt,
  isOffered,
  mayBePaid,
  payingAttemptOf,
  type StatedAttempt,
} from './rules/attempt.js';
import { isDeclinedOnPage, mayStartAnother, payAgainTime } from './rules/decide-start.js';
import { type DeclineReason, declineReason } from './rules/decline.js';
import { isPayableAt, isUncertain, type OrderState, type PaymentFlow } from './rules/order.js';
import { findAttempts } from './store/attempts.js';
import type { Db } from './store/database.js';
import { isBlockedByReplaced, type Order } from './store/orders.js';
import { unlessDatabaseFails } from './unless-database-fails.js';
import { verifyPayment } from './verify-payment.js';

/** Times are in milliseconds since 1970. */
export interface PaymentView {
  readonly state: OrderState;
  /** Another attempt may start, no earlier one can be charged any more, and the order is not {@link isBlocked}. */
  readonly safeToPayAgain: boolean;
  /** The attempts of the order allow another one. Unless it is {@link safeToPayAgain}, the goods may be paid twice. */
  readonly mayTryAgain: boolean;
  /** Another attempt may start beside one that the gateway has not ended, after a warning. */
  readonly mayPayAnotherWay: boolean;
  /** When another attempt may start. Absent: now, or not by time. */
  readonly payAgainFrom: number | undefined;
  /** The open page of the gateway or the bank. Absent if it can no longer be used. Only the customer may see it. */
  readonly paymentPage: { readonly url: string; readonly flow: PaymentFlow } | undefined;
  /** Why the last card was declined. Absent if it is unknown or must not be shown. Only the customer may see it. */
  readonly declineReason: DeclineReason | undefined;
  /** The order can be paid from its link. */
  readonly isPayable: boolean;
  /** An attempt is sent to the gateway now. */
  readonly isStarting: boolean;
  /** The bank declined the last card on the open payment page, which takes another one. */
  readonly isDeclinedOnPage: boolean;
  /** The order is closed, and the worker still looks up a payment that may exist. */
  readonly mayBePaidLate: boolean;
  /** The gateway has not ended an attempt that is no longer offered. */
  readonly hasUnendedAttempt: boolean;
  /** When the last offer of such attempts ends. Absent: there is none. */
  readonly lastOfferEndsAt: number | undefined;
  /** The customer abandoned a 3D Secure page, and the bank may still approve the payment. */
  readonly abandonedBankPage: boolean;
  /** The order is not paid, and one that it replaced is, or may be. No attempt starts. */
  readonly isBlocked: boolean;
  /** A payment of the order is confirmed, refunded or not. */
  readonly hasConfirmedPayment: boolean;
  /** A payment of this order was refunded. */
  readonly refunded: boolean;
  /** The payment that paid this order was refunded. */
  readonly orderRefunded: boolean;
  /** The form of payment, if the order was paid past the gateway. */
  readonly outsideMethod: string | undefined;
  /** The flow of the customer's last attempt. Absent: there is none. */
  readonly lastFlow: PaymentFlow | undefined;
}

/** A view with the row that it was read from, which the lookup may have changed. */
export interface OrderView<O = Order> extends PaymentView {
  readonly order: O;
}

/**
 * Looks up the payments of an order that is not paid, because a payment may arrive late or on an older attempt, and returns
 * how they stand. Safe for a page that refreshes itself: it uses recent lookups. If the database fails, the view is that of
 * the stored order, which is never safer.
 */
export async function viewOf(context: PaymentContext, stored: Order): Promise<OrderView> {
  const verified =
    stored.state === 'paid'
      ? { order: stored, lookupsSucceeded: true }
      : await unlessDatabaseFails(context, stored, () => verifyPayment(context, stored.id, 'order_page'));
  const { order, lookupsSucceeded } = verified ?? { order: stored, lookupsSucceeded: false };
  const { queries } = context.db;
  const attempts = await findAttempts(queries, order.id);
  const isBlocked = order.state !== 'paid' && (await isBlockedByReplaced(queries, order.id));
  const { environment } = context.config;
  const now = context.clock.now();
  return { order, ...paymentView({ order, attempts, isBlocked, lookupsSucceeded, environment, now }) };
}

/** Whether an order can be paid now, or why not. `waiting`: a payment of it, or of an order that it replaced, may exist. */
export type PayableState = 'open' | 'paid' | 'waiting' | 'replaced' | 'ended';

/** Returns whether an order can be paid now, for a page that offers it. Calls no gateway. The start decides again. */
export async function payableStateOf(queries: Db, order: Order, at: number): Promise<PayableState> {
  if (order.state === 'paid') return 'paid';
  if (isUncertain(order.state) || (await isBlockedByReplaced(queries, order.id))) return 'waiting';
  if (order.supersededBy !== null) return 'replaced';
  return isPayableAt(order, at) ? 'open' : 'ended';
}

const CLOSED: readonly OrderState[] = ['declined', 'expired', 'cancelled'];

interface PaymentRecords {
  readonly order: Pick<Order, 'state' | 'payableUntil' | 'paidAttemptId'>;
  /** All attempts of the order, oldest first. */
  readonly attempts: readonly Attempt[];
  /** See {@link PaymentView.isBlocked}. */
  readonly isBlocked: boolean;
  /** False if a lookup returned no payment or the database failed. */
  readonly lookupsSucceeded: boolean;
  readonly environment: string;
  readonly now: number;
}

/** Returns how the payments of an order stand. Pure. */
export function paymentView(input: PaymentRecords): PaymentView {
  const { order, isBlocked, lookupsSucceeded, environment, now, ...records } = input;
  const attempts = records.attempts.map(withStatus);
  const { state } = order;
  const isUnpaid = state === 'created' || CLOSED.includes(state);
  const unended = attempts.filter((each) => each.state === 'superseded' && mayBePaid(each));
  const hasUnendedAttempt = unended.length > 0 && state !== 'paid';
  const isStarting = isUnpaid && attempts.some((each) => each.state === 'creating');
  const mayBePaidLate = CLOSED.includes(state) && unended.length > 0 && (state !== 'declined' || !lookupsSucceeded);
  const mayBeCharged = attempts.some((each) => mayBePaid(each) || each.live === 1);
  const payAgainFrom = payAgainTime(attempts, now);
  const mayTryAgain = isUnpaid && !isStarting && !mayBePaidLate && payAgainFrom === undefined;
  const declined = state === 'declined' ? attempts.findLast((each) => each.state === 'declined') : undefined;
  return {
    state,
    safeToPayAgain: mayTryAgain && !mayBeCharged && !isBlocked,
    mayTryAgain,
    mayPayAnotherWay: mayPayAnotherWay(state, attempts, now),
    payAgainFrom,
    paymentPage: state === 'pending' || state === 'declined' ? openPage(attempts, environment, now) : undefined,
    declineReason: declined && declineReason(declined.gatewayStatus),
    isPayable: isPayableAt(order, now),
    isStarting,
    isDeclinedOnPage: state === 'pending' && attempts.some(isDeclinedOnPage),
    mayBePaidLate,
    hasUnendedAttempt,
    lastOfferEndsAt: unended.length > 0 ? Math.max(...unended.map(({ offerEndsAt }) => offerEndsAt)) : undefined,
    isBlocked,
    abandonedBankPage: state !== 'paid' && unended.some(({ abandonedAt }) => abandonedAt !== null),
    hasConfirmedPayment: attempts.some(({ confirmedAmount }) => confirmedAmount !== null),
    refunded: attempts.some((each) => each.state === 'refunded'),
    orderRefunded: payingAttemptOf(order, attempts)?.state === 'refunded',
    outsideMethod: payingAttemptOf(order, attempts)?.method ?? undefined,
    lastFlow: attempts.findLast(isGatewayAttempt)?.flow,
  };
}

/** Without a page if the last one has no address: an earlier page would take the payment a second time. */
function openPage(attempts: readonly Attempt[], environment: string, now: number): PaymentView['paymentPage'] {
  const page = attempts
    .filter(isGatewayAttempt)
    .findLast((each) => each.environment === environment && (isOffered(each, now) || isAtBank(each, now)));
  return page?.redirectUrl ? { url: page.redirectUrl, flow: page.flow } : undefined;
}

function isAtBank({ state, offerEndsAt }: Attempt, now: number): boolean {
  return state === 'open' && now < offerEndsAt;
}

/** A page that is still offered has its own link. */
function mayPayAnotherWay(state: OrderState, attempts: readonly StatedAttempt[], now: number): boolean {
  const unended = attempts.filter(mayBePaid);
  const isOpen = state === 'pending' || state === 'expired';
  return isOpen && unended.some((each) => !isOffered(each, now)) && mayStartAnother(unended, attempts, now);
}
