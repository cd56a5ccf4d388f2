/** The states of orders and payment attempts. `lifecycle.ts` lists the transitions. */
export const ORDER_STATES = [
  'created',
  'pending',
  'outcome_unknown',
  'paid',
  'declined',
  'expired',
  'cancelled',
  'review',
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** The outcome of a payment is unknown, or the order is in review. */
export const UNCERTAIN_STATES = ['outcome_unknown', 'review'] as const satisfies readonly OrderState[];

export function isUncertain(state: OrderState): boolean {
  return (UNCERTAIN_STATES as readonly OrderState[]).includes(state);
}

/** Returns whether the payment link of an order has not ended, and no payment of it may exist. */
export function isPayableAt(
  { state, payableUntil }: { readonly state: OrderState; readonly payableUntil: number | null },
  at: number,
): boolean {
  return !isUncertain(state) && payableUntil !== null && at < payableUntil;
}

/** Payment flows: the gateway's hosted page, or a card payment with tokens from our page. */
export const PAYMENT_FLOWS = ['hosted', 'card'] as const;
export type PaymentFlow = (typeof PAYMENT_FLOWS)[number];

/** How an attempt is paid. `outside`: past the gateway, such as by bank transfer. No customer chooses it, and no call is about it. */
export type AttemptFlow = PaymentFlow | 'outside';

/**
 * States of a payment attempt. `creating`: committed, and its gateway call may be in flight. `open`: the gateway accepted
 * it, and the customer may be paying. `unknown`: the response to a card payment was lost. `superseded`: no longer
 * offered to the customer, still watched for payments. `review`: needs a decision. `refunded`: the merchant returned the
 * money, and later lookups change nothing. The other states are ends, on which a payment may still be found.
 */
export const ATTEMPT_STATES = [
  'creating',
  'open',
  'unknown',
  'superseded',
  'failed',
  'paid',
  'declined',
  'expired',
  'cancelled',
  'review',
  'refunded',
] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

/**
 * How an attempt's gateway id became known. `answer`: the authenticated answer to our own request named it. `found`: a
 * webhook or an admin user named it, and the lookup returned the attempt's reference. `candidate`: an admin user named it,
 * and the gateway returns no reference that proves it. A candidate never makes an order paid.
 */
export const ID_SOURCES = ['answer', 'found', 'candidate'] as const;
export type IdSource = (typeof ID_SOURCES)[number];

/** An order has at most one attempt in these states. */
export const LIVE_ATTEMPT_STATES: readonly AttemptState[] = ['creating', 'open', 'unknown'];

/** Attempts in these states are looked up. */
export const LOOKED_UP_STATES: readonly AttemptState[] = ['open', 'superseded', 'review'];

/** Final states without a payment. Looked up again only after a webhook, a customer's return or a manual check. */
export const UNPAID_ENDS: readonly AttemptState[] = ['failed', 'declined', 'expired', 'cancelled'];

/** Review reasons of a payment that may have moved money but is not confirmed as paid. */
const PAYMENT_REVIEW_REASONS = [
  'unclear_status',
  'other_id',
  'other_amount',
  'other_currency',
  'other_reference',
  /** The gateway still works on the payment after its offer, or has a word for it that the interface does not define. */
  'overdue',
  /** After the offer the gateway does not know the payment, and nothing proves that none was made. */
  'not_found',
  /** The watch ended without a usable answer. */
  'no_answer',
  /** An admin user named a payment that the gateway confirms, and that no reference proves. */
  'candidate',
] as const;
export type PaymentReviewReason = (typeof PAYMENT_REVIEW_REASONS)[number];

/** Review reasons: problems that need a decision of an admin user. */
export const REVIEW_REASONS = [
  ...PAYMENT_REVIEW_REASONS,
  'second_payment',
  /** Paid although its goods were not available. None were taken. */
  'oversold',
  /** The attempt was made with other gateway addresses, or the gateway does not know it with the present key. */
  'other_environment',
  /** The host of the payments failed, so that it does not have a change of the order. */
  'host_failed',
  /** The order is paid, and the response to another card payment of it was lost. */
  'outcome_unknown',
] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];
