import { type Attempt, isOffered, isPayable } from '../db/attempts.js';
import type { Queries, Transaction } from '../db/connection/database.js';
import { type Order, patchOrder, recordEvent } from '../db/orders.js';
import type { OrderState, PaymentFlow } from '../domain/order.js';
import { ShopError } from '../domain/shop-error.js';
import { applyTransition } from './apply-transition.js';
import type { CheckoutContext } from './context.js';
import { hasNoAnswer, type LookupResult } from './lookups.js';
import { contactHashOf, isSameContact } from './order-ownership.js';
import type { CartToPlace, Placement } from './placement.js';
import { abandonmentOf, isAbandoned, isLeaseExpired, mayStartAnother } from './stale-attempts.js';
import { insertNewAttempt, reserveCart } from './write-order.js';

/** In milliseconds. A younger attempt of the same flow needs no lookup: a double click is likely. */
const JUST_OPENED_MS = 3_000;

/** What the decision depends on, read with the order locked. */
export interface StartInput {
  readonly state: OrderState;
  readonly attempts: readonly Attempt[];
  readonly flow: PaymentFlow;
  /** The customer confirmed the warning that an earlier attempt may still be charged. */
  readonly payAgain: boolean;
  /** Results of the lookups that this request made for the order, by attempt id. Absent: it made none. */
  readonly lookups: ReadonlyMap<string, LookupResult> | undefined;
  readonly environment: string;
  readonly at: number;
}

export type StartDecision =
  /** A new attempt starts. It supersedes the live one, if any. */
  | { readonly kind: 'lease' }
  /** The customer continues on a page that is still open. */
  | { readonly kind: 'redirect'; readonly url: string }
  /** Another caller starts an attempt: wait and read again. */
  | { readonly kind: 'busy' }
  /** A payment may have arrived: look up, then read again. */
  | { readonly kind: 'settle_first' }
  /** A lookup had no answer, so no attempt starts. */
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'confirm_pay_again' }
  | { readonly kind: 'show_order' };

/**
 * Decides how an order is paid by this flow now. Pure. Beside attempts that may still be paid, a new one starts only if each
 * was looked up in this request, allows it, and the customer confirmed the warning.
 */
export function decideStart(input: StartInput): StartDecision {
  const { state, attempts, flow, lookups, environment, at } = input;
  if (state === 'paid' || mayBePaid({ state })) return { kind: 'show_order' };
  const live = attempts.find((attempt) => attempt.live === 1);
  if (live?.state === 'creating') return { kind: isLeaseExpired(live, at) ? 'settle_first' : 'busy' };
  // An attempt of other addresses cannot be looked up. It does not keep the customer from paying.
  const payable = attempts.filter((attempt) => isPayable(attempt) && attempt.environment === environment);
  const isJustOpened = live?.flow === flow && at - live.createdAt < JUST_OPENED_MS && at < live.offerEndsAt;
  if (payable.length > 0 && !lookups && !(isJustOpened && payable.length === 1)) return { kind: 'settle_first' };
  return decideBeside(input, payable, live?.flow === 'card');
}

/** Decides beside the attempts that may still be paid. `isAtBank`: one of them is a card payment at the bank. */
function decideBeside(
  { attempts, flow, payAgain, lookups, at }: StartInput,
  payable: readonly Attempt[],
  isAtBank: boolean,
): StartDecision {
  const resultOf = ({ id }: Attempt) => lookups?.get(id);
  // A page whose lookup failed may still be shown, but not one that the gateway does not know.
  const isUnknown = (attempt: Attempt) => ['not_found', 'other_environment'].includes(resultOf(attempt) ?? '');
  const page = payable.find((attempt) => isOffered(attempt, at) && !isUnknown(attempt));
  if (flow === 'hosted' && page?.redirectUrl && !isAtBank) return { kind: 'redirect', url: page.redirectUrl };
  // The order page shows that the bank's page is still open.
  if (!isAtBank && payable.some((attempt) => hasNoAnswer(resultOf(attempt)))) return { kind: 'unavailable' };
  const open = payable.filter((attempt) => resultOf(attempt) !== 'other_environment');
  const isAnswered = open.every((attempt) => resultOf(attempt) === 'answered');
  if (!isAnswered || !mayStartAnother(open, attempts, at)) return { kind: 'show_order' };
  if (payAgain || open.length === 0) return { kind: 'lease' };
  return { kind: isAtBank ? 'show_order' : 'confirm_pay_again' };
}

/**
 * Returns how the customer pays the order: on a page that is open, or with a new attempt. Both renew its reservation. Of the
 * customer's data only name and address may be corrected. Throws `ShopError` `gateway_unavailable` if an earlier attempt
 * could not be looked up.
 */
export async function startAttempt(
  queries: Transaction,
  context: CheckoutContext,
  order: Order,
  input: CartToPlace,
): Promise<Placement> {
  const { flow, attempts, settled, request, at } = input;
  const { environment } = context.policy;
  const lookups = settled?.order.id === order.id ? settled.lookups : undefined;
  const payAgain = request.payAgain === true;
  const decision = decideStart({ state: order.state, attempts, flow, payAgain, lookups, environment, at });
  if (decision.kind === 'busy') return { kind: 'busy', order };
  if (decision.kind === 'unavailable') throw new ShopError('gateway_unavailable');
  const corrected = order.state === 'paid' ? order : await correctContact(queries, order, input);
  if (decision.kind === 'settle_first') return { kind: 'settle_first', order: corrected, isCartChanged: false };
  if (decision.kind === 'show_order') return { kind: 'order', order: corrected };
  if (decision.kind === 'confirm_pay_again') return decision;
  await reserveCart(queries, context, { ...input, order });
  if (decision.kind === 'redirect') return { kind: 'redirect', order: corrected, url: decision.url };
  const live = attempts.find((attempt) => attempt.live === 1);
  if (live) {
    const patch = abandonmentOf(context, live, at);
    const event = { type: 'superseded' } as const;
    await applyTransition(queries, context, { order: corrected, attempt: live, event, trigger: 'checkout', at, patch });
  }
  return insertNewAttempt(queries, context, { order: corrected, flow, ordinal: attempts.length + 1 });
}

async function correctContact(
  queries: Queries,
  order: Order,
  { request: { contact }, at }: CartToPlace,
): Promise<Order> {
  if (isSameContact(order, contact)) return order;
  await recordEvent(queries, { orderId: order.id, at, kind: 'contact_corrected', detail: {} });
  const patch = { ...contact, contactHash: contactHashOf(order.id, contact) };
  return patchOrder(queries, order, { at, patch });
}

/** Returns whether the customer asked to replace a live card payment, and a lookup just confirmed that this is allowed. */
export function mayAbandon(live: Attempt, { request, settled, attempts, at }: CartToPlace): boolean {
  const isRequested = request.payAgain === true && settled?.lookups.get(live.id) === 'answered';
  return isRequested && isAbandoned(live, attempts, at);
}

/** Returns whether the attempt is no longer offered to the customer, and still watched for a payment. */
export function isSuperseded({ state }: Attempt): boolean {
  return state === 'superseded';
}

/** Returns whether the outcome of a payment is unknown, or the order is in review. */
export function mayBePaid({ state }: Pick<Order, 'state'>): boolean {
  return state === 'outcome_unknown' || state === 'review';
}
