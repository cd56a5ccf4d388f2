/** From an order to a leased attempt. Needs the order and the host only. */
import { setTimeout as delay } from 'node:timers/promises';
import type { LimitedStart } from './account-limits.js';
import { applyTransition } from './apply-transition.js';
import type { PaymentContext } from './context.js';
import type { OrderDescription } from './host.js';
import { LEASE_MS } from './lease-times.js';
import { withStatus } from './lookups.js';
import type { Attempt, GatewayAttempt } from './rules/attempt.js';
import { abandonmentOf, decideStart, type StartInput } from './rules/decide-start.js';
import { attemptReference, ID_BYTES, RETURN_PARAMETER, timeOrderedId } from './rules/ids.js';
import { isUncertain, type PaymentFlow } from './rules/order.js';
import { OFFER_MARGIN_MS, type Payer } from './rules/payment.js';
import { PaymentError } from './rules/payment-error.js';
import { findLinkedAttempts, insertAttempt } from './store/attempts.js';
import type { Transaction } from './store/database.js';
import { findBlockingOrder, lockOrder, type Order, recordEvent } from './store/orders.js';
import { verifyPayment } from './verify-payment.js';

/** Poll interval while another caller starts an attempt: 25 ms serves a double click, then backoff up to 500 ms. */
const FIRST_POLL_MS = 25;
const LONGEST_POLL_MS = 500;
/**
 * A card payment takes up to 24.5 s. A request that waited longer before it would not end in time, nor would one that waits for
 * its answer.
 */
export const LONGEST_CARD_WAIT_MS = 3_000;
/** Lookups of the order's payments in one start. */
const MAX_LOOKUPS = 3;

/** How an order is paid. */
export interface StartOptions {
  /** The customer was warned that an earlier attempt may still be charged, and chose to pay again. */
  readonly payAgain?: boolean | undefined;
  /** The person who pays. Absent: the customer of the order. */
  readonly payer?: Payer | undefined;
  /** The order is paid from its link. */
  readonly isFromLink?: boolean | undefined;
  /** What the host gets in `prepareStart`, `admit` and `noteDecline`. */
  readonly passed?: unknown;
}

/** An attempt in state `creating`. Only the caller that leased it may call the gateway for it. */
export interface LeasedAttempt extends OrderDescription {
  readonly kind: 'leased';
  /** When the lease began, by `performance.now()`. */
  readonly leasedAt: number;
  readonly order: Order;
  readonly attempt: GatewayAttempt;
}

/** Where the customer is sent: to the gateway or bank, the order page, or a form. */
export type Started<O = Order> =
  | { readonly kind: 'redirect'; readonly order: O; readonly url: string }
  | { readonly kind: 'show_order'; readonly order: O }
  /** A limit refuses the start for now. The gateway was not called. */
  | (LimitedStart & { readonly order: O })
  /** The goods of the order cannot be had any more. */
  | { readonly kind: 'sold_out'; readonly order: O }
  /** The host does not offer the order at its total any more. */
  | { readonly kind: 'not_offered'; readonly order: O }
  /** An earlier attempt may still be charged. The customer must confirm the warning. */
  | { readonly kind: 'confirm_pay_again'; readonly order: O };

/** What must happen before the order is read again: wait for another caller, or look up its payments. */
type StartDelay = {
  readonly order: Order;
  /** The caller pays by card, or waits for a card payment. */
  readonly hasCard: boolean;
} & ({ readonly kind: 'busy' } | { readonly kind: 'verify_first' });

type StartRequest = StartOptions & Pick<StartInput, 'flow' | 'lookups'>;

/**
 * Leases an attempt to pay an order, or returns where the customer is sent instead. An order has at most one live attempt.
 * Concurrent callers wait for the first caller's outcome. A card payment, and a caller behind one, waits 3 s, and then gets the
 * order page. Throws `PaymentError` `busy` if an earlier attempt could not be looked up, or has no answer at the deadline.
 */
export async function startAttempt(
  context: PaymentContext,
  id: string,
  flow: PaymentFlow,
  options: StartOptions,
): Promise<LeasedAttempt | Started> {
  const startedAt = performance.now();
  let lookups: StartInput['lookups'];
  let lookupCount = 0;
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 1.5, LONGEST_POLL_MS)) {
    const step = await tryStart(context, id, { ...options, flow, lookups });
    if (step.kind !== 'busy' && step.kind !== 'verify_first') return step;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs >= LEASE_MS[flow]) throw new PaymentError('busy', { orderId: id });
    if (step.hasCard && waitedMs >= LONGEST_CARD_WAIT_MS) return { kind: 'show_order', order: step.order };
    if (step.kind === 'verify_first') {
      lookupCount += 1;
      if (lookupCount > MAX_LOOKUPS) throw new PaymentError('busy', { orderId: id });
      ({ lookups } = await verifyPayment(context, id, 'checkout'));
    } else await delay(pollMs);
  }
}

/** Reads the order with locks, and starts an attempt if {@link decideStart} allows it. */
function tryStart(
  context: PaymentContext,
  orderId: string,
  request: StartRequest,
): Promise<LeasedAttempt | Started | StartDelay> {
  const { clock, config, db, host } = context;
  return db.transaction(async (tx) => {
    await host.lockBefore(tx, [orderId]);
    const order = await lockOrder(tx, orderId);
    const { attempts, hasReplaced } = await findLinkedAttempts(tx, orderId);
    // An order without an attempt is neither paid nor uncertain, so it blocks none.
    const isLinked = hasReplaced || order.supersededBy !== null;
    const blocking = isLinked ? await findBlockingOrder(tx, order) : undefined;
    const at = clock.now();
    const decision = decideStart({
      ...request,
      payAgain: request.payAgain === true,
      isByOther: request.payer !== undefined,
      state: order.state,
      payableUntil: order.payableUntil,
      // During an upgrade a process of the version before replaces an order and does not end its link.
      isBlocked: order.supersededBy !== null || blocking !== undefined,
      attempts: attempts.map(withStatus),
      environment: config.environment,
      at,
    });
    switch (decision.kind) {
      case 'unavailable':
        throw new PaymentError('busy', { orderId });
      case 'limited':
        return {
          kind: 'limited',
          scope: 'client',
          limit: 'order',
          seconds: Math.ceil((decision.until - at) / 1_000),
          order,
        };
      case 'confirm_pay_again':
        return { kind: 'confirm_pay_again', order };
      case 'show_order':
        return { kind: 'show_order', order: shownOrder(order, blocking, request) };
      case 'busy':
      case 'verify_first':
        return { kind: decision.kind, order, hasCard: hasCard(request, attempts) };
    }
    decision.kind satisfies 'lease' | 'redirect';
    const { passed } = request;
    const until = decision.kind === 'lease' ? at + config.orderTtlMs + OFFER_MARGIN_MS : undefined;
    const answer = await host.prepareStart(tx, order, { until, passed });
    if (answer === 'sold_out' || answer === 'not_offered') return { kind: answer, order };
    if (answer === 'not_yours') return { kind: 'show_order', order };
    if (decision.kind === 'redirect') return { kind: 'redirect', order, url: decision.url };
    return leaseAttempt(tx, context, { order, attempts }, request);
  });
}

function hasCard(request: StartRequest, attempts: readonly Attempt[]): boolean {
  return request.flow === 'card' || attempts.some(({ live, flow }) => live === 1 && flow === 'card');
}

/** A customer sees why the order cannot be paid. A person with the link of one order sees no other order. */
function shownOrder(order: Order, blocking: Order | undefined, { isFromLink }: StartRequest): Order {
  const isOwnReason = order.state === 'paid' || isUncertain(order.state);
  return blocking && !isFromLink && !isOwnReason ? blocking : order;
}

/** Inserts a new attempt, which supersedes the live one. */
async function leaseAttempt(
  tx: Transaction,
  context: PaymentContext,
  { order, attempts }: { readonly order: Order; readonly attempts: readonly Attempt[] },
  { flow, payer }: StartRequest,
): Promise<LeasedAttempt> {
  const { clock, config, host, observer, random } = context;
  const described = await host.describe(tx, order);
  assertTotal(order, described);
  const leasedAt = performance.now();
  const at = clock.now();
  const live = attempts.find((attempt) => attempt.live === 1);
  if (live) {
    const patch = abandonmentOf(live, config.environment, at);
    const event = { type: 'superseded' } as const;
    await applyTransition(tx, context, { order, attempt: live, event, trigger: 'checkout', at, patch });
  }
  const ordinal = attempts.length + 1;
  const leasedUntil = at + LEASE_MS[flow];
  const attempt = await insertAttempt(tx, {
    id: timeOrderedId(at, random(ID_BYTES)),
    orderId: order.id,
    ordinal,
    flow,
    state: 'creating',
    environment: config.environment,
    keyFingerprint: config.keyFingerprint,
    reference: attemptReference(order.number, ordinal),
    amount: order.total,
    offerEndsAt: at + config.orderTtlMs,
    leasedUntil,
    checkedAt: 0,
    nextCheckAt: leasedUntil,
    checks: 0,
    createdAt: at,
    updatedAt: at,
  });
  await recordEvent(tx, { orderId: order.id, at, kind: 'attempt_started', detail: { attempt: ordinal, flow } });
  tx.onCommit(() => observer.attemptChanged(flow, attempt.state));
  return { kind: 'leased', leasedAt, order, attempt, ...described, payer: payer ?? described.payer };
}

/** The gateway refuses other sums, and charges nothing for a total of 0. Throws `RangeError`. */
function assertTotal({ number, total }: Order, { lines }: OrderDescription): void {
  const isPositive = lines.every(({ unitPrice, quantity }) => unitPrice > 0 && quantity > 0);
  const linesTotal = lines.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0);
  if (!isPositive || linesTotal !== total || total === 0)
    throw new RangeError(`the lines of order ${number} do not add up to its total, or it is 0`);
}

/** Returns what both flows send to the gateway. */
export function paymentRequestOf({ config }: PaymentContext, { order, attempt, payer }: LeasedAttempt) {
  const returnUrl = `${config.publicUrl}/checkout/return/${order.token}`;
  return {
    idempotencyKey: attempt.id,
    reference: attempt.reference,
    orderNumber: order.number,
    contact: payer,
    amount: attempt.amount,
    returnUrl: attempt.flow === 'card' ? `${returnUrl}?${RETURN_PARAMETER}=${attempt.id}` : returnUrl,
  };
}
