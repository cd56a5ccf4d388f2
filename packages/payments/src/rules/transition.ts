/** Order and payment attempt state machine. Pure; `apply-transition.ts` is its only caller. */
import {
  type AttemptState,
  isUncertain,
  LIVE_ATTEMPT_STATES,
  LOOKED_UP_STATES,
  type OrderState,
  type ReviewReason,
  UNPAID_ENDS,
} from './order.js';
import type { PaymentResult } from './payment.js';

/** A result that `looked_up` applies. The end of an offer is an event of its own. */
export type LookedUp = Exclude<PaymentResult, { kind: 'offer_ended' | 'never_completed' }>;

/** What happened to an attempt: results of our own calls, results of a lookup, decisions of an admin user. */
export type PaymentEvent =
  /** The gateway accepted the attempt. */
  | { readonly type: 'opened' }
  /** The gateway refused the attempt or provably received nothing, or no customer saw its hosted session. */
  | { readonly type: 'start_failed' }
  /** The gateway responded to a card payment with a decline that names no id. */
  | { readonly type: 'start_declined' }
  /** A card payment was sent and no usable response came back. */
  | { readonly type: 'answer_lost' }
  /** An authenticated webhook or an admin user named the id of an attempt whose response was lost. */
  | { readonly type: 'found' }
  /** A newer attempt of the same order takes its place. */
  | { readonly type: 'superseded' }
  /** A newer order for the same goods takes the place of its order. */
  | { readonly type: 'order_replaced' }
  | { readonly type: 'looked_up'; readonly result: LookedUp }
  /** The offer is over, and the gateway still waits for the customer. The attempt is watched for a late payment. */
  | { readonly type: 'offer_ended' }
  /** An admin user returned the money at the gateway. */
  | { readonly type: 'refund_decided' }
  /** An admin user found no payment at the gateway, or cancelled an unpaid order. */
  | { readonly type: 'close_decided' }
  /** An admin user has the goods of an oversold order. */
  | { readonly type: 'goods_arrived' }
  /** An admin user recorded that the order was paid past the gateway. It inserts an attempt of its own. */
  | { readonly type: 'paid_outside' }
  /** An admin user repeats the changes that the host missed. */
  | { readonly type: 'change_repeated' }
  /** All money that the gateway confirmed for the attempt was returned. */
  | { readonly type: 'refunded' };

/** What is read in the transaction that applies the event. */
export interface Snapshot<Present extends AttemptState | null = AttemptState> {
  readonly order: OrderState;
  /** Null: no attempt to pay the order has started, or the event inserts one. */
  readonly attempt: Present;
  /** Another attempt of the order is live, so the failure of this one is not the failure of the order. */
  readonly hasOtherLiveAttempt: boolean;
  /** A payment at the gateway may be on its way, so that the order is not paid past the gateway (`decide-outside.ts`). */
  readonly mayBeCharged: boolean;
  /** Another attempt of the order has a payment page that is still open. */
  readonly hasOtherOffer: boolean;
  /** The goods are already paid: by this order, or by an order that replaced it or was replaced by it. */
  readonly isAlreadyPaid: boolean;
  /** The gateway's last answer: it waits for the customer, so the page of the attempt still takes a payment. */
  readonly awaitsCustomer: boolean;
  /** The order became paid through this attempt. */
  readonly paysTheOrder: boolean;
  /** The attempt cannot be looked up with the current settings. */
  readonly isOtherEnvironment: boolean;
  /** Another attempt has a payment in review, a lost response, or a second payment that was not returned. */
  readonly hasOtherReview: boolean;
  /** Another attempt of the order has not ended, and cannot be looked up with the current settings. */
  readonly hasOtherEnvironment: boolean;
  /** All goods of the order are available. */
  readonly hasGoods: boolean;
  /** The order is paid, its money was not returned, and its goods were not taken. */
  readonly lacksGoods: boolean;
  /** The order is paid, and the host failed to apply a change of it. */
  readonly isHostBehind: boolean;
  /** The host failed to apply a refund of the order. */
  readonly missesRefund: boolean;
}

export interface Transition<After extends AttemptState | null = AttemptState> {
  readonly order: OrderState;
  /** Null: still no attempt. */
  readonly attempt: After;
  /** `null` clears the review reason; absent keeps it. */
  readonly reviewReason?: ReviewReason | null;
  /** Whether the same transaction takes the goods of the order. */
  readonly takesGoods?: boolean;
}

/**
 * Returns the states after an event. A paid order stays paid: later money only adds a review reason. An order in review
 * waits for `paid` or a decision. Money that was received or returned for an attempt is never undone by a response.
 * Throws if the event needs an attempt and the order has none, or inserts one and is given another.
 */
export function transition(before: Snapshot, event: PaymentEvent): Transition;
export function transition(before: Snapshot<AttemptState | null>, event: PaymentEvent): Transition<AttemptState | null>;
export function transition(
  before: Snapshot<AttemptState | null>,
  event: PaymentEvent,
): Transition<AttemptState | null> {
  const { order, attempt } = before;
  const changes =
    attempt === null ? changesWithoutAttempt({ ...before, attempt }, event) : changesOf({ ...before, attempt }, event);
  return { order, attempt, ...changes };
}

type Changes = Partial<Transition>;

/** An order without an attempt holds no money. A newer order takes its place, or an admin user cancels it. */
function changesWithoutAttempt(before: Snapshot<null>, { type }: PaymentEvent): Changes {
  const { order } = before;
  if (type === 'paid_outside') return paidOutside(before);
  if (type === 'order_replaced') return order === 'created' ? { order: 'cancelled' } : {};
  if (type === 'close_decided') return { order: 'cancelled', reviewReason: null };
  if (type === 'change_repeated') return { reviewReason: null };
  throw new Error(`the event ${type} needs an attempt`);
}

function changesOf(before: Snapshot, event: PaymentEvent): Changes {
  if (event.type === 'refund_decided' || event.type === 'close_decided') return decided(before, event.type);
  if (event.type === 'goods_arrived') return goodsArrived(before);
  if (event.type === 'change_repeated') return changeRepeated(before);
  if (event.type === 'refunded') return refunded(before);
  if (before.attempt === 'paid' || before.attempt === 'refunded') return {};

  switch (event.type) {
    case 'opened':
      return opened(before);

    case 'start_failed':
    case 'start_declined':
    case 'answer_lost':
      return notOpened(before, event.type);

    case 'found':
      return found(before);

    case 'superseded':
      return superseded(before);

    case 'order_replaced':
      return { ...superseded(before), order: isWaiting(before) ? 'cancelled' : before.order };

    case 'offer_ended':
      return offerEnded(before);

    case 'looked_up':
      return lookedUp(before, event.result);

    case 'paid_outside':
      throw new Error('the event paid_outside inserts an attempt of its own');
  }
}

function opened(before: Snapshot): Changes {
  if (awaitsResponse(before)) return { order: 'pending', attempt: 'open' };
  // Another caller ended the attempt before this response. It is watched and not offered to the customer.
  return LOOKED_UP_STATES.includes(before.attempt) ? {} : { attempt: 'superseded' };
}

/** A late response never overwrites a known result. */
function notOpened(before: Snapshot, type: 'start_failed' | 'start_declined' | 'answer_lost'): Changes {
  const { order, attempt } = before;
  if (attempt !== 'creating' && attempt !== 'unknown' && attempt !== 'superseded') return {};
  if (type === 'start_declined') return { order: awaitsResponse(before) ? 'declined' : order, attempt: 'declined' };
  if (type === 'start_failed') return { order: orderAfterFailure(before), attempt: 'failed' };
  if (attempt === 'unknown') return {};
  if (order === 'paid') return { attempt: 'unknown', reviewReason: 'outcome_unknown' };
  return { order: order === 'review' ? order : 'outcome_unknown', attempt: 'unknown' };
}

function orderAfterFailure({ order, attempt }: Snapshot): OrderState {
  // A payment with a lost response has failed after all, so the outcome of its order is known.
  if (attempt === 'unknown' && order === 'outcome_unknown') return 'declined';
  // The new attempt superseded the open one and failed. Without a live attempt the customer may try again.
  if (attempt === 'creating' && order === 'pending') return 'cancelled';
  return order;
}

/** An attempt whose lost payment is found is open. One that was closed is watched again, and a declined one stays declined. */
function found({ order, attempt }: Snapshot): Changes {
  if (attempt === 'unknown') return { order: order === 'outcome_unknown' ? 'pending' : order, attempt: 'open' };
  return attempt === 'cancelled' || attempt === 'failed' ? { attempt: 'superseded' } : {};
}

function superseded({ attempt }: Snapshot): Changes {
  return LIVE_ATTEMPT_STATES.includes(attempt) ? { attempt: 'superseded' } : {};
}

/** Our own clock ends the offer, never the attempt: order `expired` means that no page is offered. */
function offerEnded(before: Snapshot): Changes {
  if (before.attempt !== 'open' && before.attempt !== 'superseded') return {};
  const endsOrder = isWaiting(before) && !before.hasOtherLiveAttempt && !before.hasOtherOffer;
  return { attempt: 'superseded', order: endsOrder ? 'expired' : before.order };
}

function lookedUp(before: Snapshot, result: LookedUp): Changes {
  const { order, attempt } = before;
  switch (result.kind) {
    case 'pending':
      return {};

    case 'paid':
      return paid(before);

    case 'review':
      return { order: order === 'paid' ? order : 'review', attempt: 'review', reviewReason: result.reason };

    case 'declined':
    case 'expired':
    case 'cancelled': {
      if (UNPAID_ENDS.includes(attempt)) return {};
      // Only the live attempt of a waiting order ends the order. A superseded attempt ends alone.
      const endsOrder = isWaiting(before) && attempt !== 'superseded' && !before.hasOtherLiveAttempt;
      return { order: endsOrder ? result.kind : order, attempt: result.kind };
    }
  }
}

/** Money that arrives later is a second payment. */
function paidOutside(before: Snapshot<null>): Changes {
  const { order, isAlreadyPaid, mayBeCharged } = before;
  return isAlreadyPaid || mayBeCharged || order === 'paid' || isUncertain(order) ? {} : paid(before);
}

function paid(before: Snapshot<AttemptState | null>): Changes {
  const { order, isAlreadyPaid, hasGoods } = before;
  // A second payment for the same goods needs a refund, which only an admin user can decide.
  if (isAlreadyPaid || order === 'paid')
    return { order: order === 'paid' ? order : 'review', attempt: 'paid', reviewReason: 'second_payment' };
  return {
    order: 'paid',
    attempt: 'paid',
    // All lines or none: a part of an order is never taken.
    reviewReason: hasGoods ? reasonAfterGoods(before) : 'oversold',
    takesGoods: hasGoods,
  };
}

/** The goods are taken. The host may still have missed a refund. */
function reasonAfterGoods(before: Snapshot<AttemptState | null>): Changes['reviewReason'] {
  return before.missesRefund ? 'host_failed' : reasonOfOthers(before);
}

/** Another attempt of the order may have moved money too. An order in review keeps its reason for that. */
function reasonOfOthers(before: Snapshot<AttemptState | null>): Changes['reviewReason'] {
  if (before.hasOtherReview) return before.order === 'review' ? undefined : 'outcome_unknown';
  return before.hasOtherEnvironment ? 'other_environment' : null;
}

/** These decisions make no order paid, and they do not change the payment that paid the order. */
function decided(before: Snapshot, type: 'refund_decided' | 'close_decided'): Changes {
  return {
    order: before.order === 'paid' ? 'paid' : 'cancelled',
    attempt: attemptAfterDecision(before, type),
    reviewReason: reasonOfHost(before),
  };
}

/** A decision about another payment leaves an oversold order oversold, and does not repeat what the host missed. */
function reasonOfHost({ isHostBehind, missesRefund, lacksGoods }: Snapshot): ReviewReason | null {
  if (isHostBehind || missesRefund) return 'host_failed';
  return lacksGoods ? 'oversold' : null;
}

/** A decision about an oversold order, applied to the attempt that paid it. Without goods the order stays oversold. */
function goodsArrived(before: Snapshot): Changes {
  const { order, attempt, paysTheOrder, lacksGoods, hasGoods } = before;
  const isOversold = order === 'paid' && attempt === 'paid' && paysTheOrder && lacksGoods;
  return isOversold && hasGoods ? { reviewReason: reasonAfterGoods(before), takesGoods: true } : {};
}

/** The host has the change now, and takes the goods that were never taken. An order without its goods is oversold. */
function changeRepeated(before: Snapshot): Changes {
  const { order, attempt, paysTheOrder, lacksGoods, hasGoods } = before;
  if (order !== 'paid') return { reviewReason: null };
  const mayTake = attempt === 'paid' && paysTheOrder && hasGoods;
  if (lacksGoods && !mayTake) return { reviewReason: 'oversold' };
  return { reviewReason: reasonOfOthers(before), takesGoods: lacksGoods };
}

/** The order needs no more review, unless another payment of it does. A paid order stays paid, also without money. */
function refunded(before: Snapshot): Changes {
  const { order, attempt, paysTheOrder, hasOtherReview, missesRefund } = before;
  if (attempt !== 'paid' && attempt !== 'review') return {};
  const returned = { attempt: 'refunded' } as const;
  if (order !== 'paid' && order !== 'review') return returned;
  // The order is no longer oversold, and the other payment still has to be returned.
  if (hasOtherReview)
    return paysTheOrder && reasonOfHost(before) ? { ...returned, reviewReason: 'second_payment' } : returned;
  // Nothing else follows from a payment that was returned.
  const ended = missesRefund ? 'host_failed' : null;
  if (order === 'review') return { ...returned, order: 'cancelled', reviewReason: ended };
  return { ...returned, reviewReason: paysTheOrder ? ended : reasonOfHost(before) };
}

function attemptAfterDecision(
  { attempt, awaitsCustomer, paysTheOrder, isOtherEnvironment }: Snapshot,
  type: 'refund_decided' | 'close_decided',
): AttemptState {
  if (attempt === 'review' && type === 'close_decided' && awaitsCustomer) return 'superseded';
  if (attempt === 'review' || attempt === 'unknown') return type === 'refund_decided' ? 'refunded' : 'cancelled';
  const isSecondPayment = attempt === 'paid' && !paysTheOrder;
  const cannotBeLookedUp = isOtherEnvironment && (attempt === 'open' || attempt === 'superseded');
  if (type === 'refund_decided' && (isSecondPayment || cannotBeLookedUp)) return 'refunded';
  // Not offered to the customer again, and still watched for a late payment.
  return attempt === 'open' ? 'superseded' : attempt;
}

/** Returns whether the order waits for the response to the call that starts the attempt. */
function awaitsResponse({ order, attempt }: Snapshot): boolean {
  if (order === 'paid' || order === 'review') return false;
  return attempt === 'creating' || (attempt === 'unknown' && order === 'outcome_unknown');
}

function isWaiting({ order }: Snapshot): boolean {
  return order === 'created' || order === 'pending';
}
