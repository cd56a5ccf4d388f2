/** From an order to a leased attempt. Needs the order only: neither the content of its cart nor a session. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Attempt, findAttempts, insertAttempt } from '../db/attempts.js';
import type { Queries, Transaction } from '../db/connection/database.js';
import {
  isBlockedByReplaced,
  lockOrder,
  type Order,
  type OrderEvent,
  patchOrder,
  recordEvent,
  recordEvents,
} from '../db/orders.js';
import type { OrderLine } from '../domain/cart.js';
import type { Contact } from '../domain/contact.js';
import { attemptReference, ID_BYTES, timeOrderedId } from '../domain/ids.js';
import type { PaymentFlow } from '../domain/order.js';
import { OFFER_MARGIN_MS } from '../domain/payment.js';
import { ShopError } from '../domain/shop-error.js';
import { applyTransition } from './apply-transition.js';
import type { CheckoutContext } from './context.js';
import { abandonmentOf, decideStart, type StartInput } from './decide-start.js';
import { LEASE_MS } from './lease-times.js';
import { contactHashOf, isSameContact } from './order-ownership.js';
import { settlePayment } from './settle-payment.js';
import type { LimitedStart } from './start-limits.js';

/** Poll interval while another caller starts an attempt: 25 ms serves a double click, then backoff up to 500 ms. */
const FIRST_POLL_MS = 25;
const LONGEST_POLL_MS = 500;
/** A card payment takes up to 24.5 s. A request that waited longer before it would not end in time. */
export const LONGEST_CARD_WAIT_MS = 3_000;

/** How a customer pays an order. */
export interface StartRequest {
  readonly flow: PaymentFlow;
  /** The customer was warned that an earlier attempt may still be charged, and chose to pay again. */
  readonly payAgain: boolean;
  /** Corrects the name and address of the order. */
  readonly contact?: Contact | undefined;
  /** For {@link PaymentHost.prepareStart}. */
  readonly passed?: unknown;
  /** The order is paid from its link. */
  readonly isFromLink?: boolean;
  /** A person pays who does not own the order. */
  readonly isByOther?: boolean;
}

/** The person who pays, as the gateway gets it. */
export type Payer = Pick<Contact, 'firstName' | 'lastName' | 'email'>;

/** An attempt in state `creating`. Only the caller that leased it may call the gateway for it. */
export interface LeasedAttempt {
  readonly kind: 'leased';
  readonly order: Order;
  readonly attempt: Attempt;
  /** The order's lines, if the caller has just written them. */
  readonly lines?: readonly OrderLine[] | undefined;
}

/** A leased attempt, or where the customer is sent instead: to the gateway or bank, the order page or the form. */
export type StartResult =
  | LeasedAttempt
  | { readonly kind: 'redirect'; readonly order: Order; readonly url: string }
  | { readonly kind: 'show_order'; readonly order: Order }
  | LimitedStart
  /** Less is left than the order needs, or the merchant has hidden a product of it. */
  | { readonly kind: 'sold_out'; readonly order: Order }
  /** An earlier attempt may still be charged. The customer must confirm the warning. */
  | { readonly kind: 'confirm_pay_again' };

/** Where the customer is sent after the gateway's answer. */
export type StartedPayment = Extract<StartResult, { readonly kind: 'redirect' | 'show_order' | 'limited' }>;

/** What must happen before the order is read again: wait for another caller, or look up its payments. */
export interface StartDelay {
  readonly kind: 'busy' | 'settle_first';
  readonly order: Order;
}

/**
 * Leases an attempt to pay an order, or returns where the customer is sent instead. An order has at most one live attempt.
 * Concurrent callers wait for the first caller's outcome. A card payment waits 3 s, and then gets the order page. `first`:
 * what the transaction that placed the order has found.
 * Throws `ShopError` `gateway_unavailable` if an earlier payment could not be looked up or the deadline passed.
 */
export async function startAttempt(
  context: CheckoutContext,
  order: Order,
  request: StartRequest,
  first?: StartDelay,
): Promise<StartResult> {
  const startedAt = performance.now();
  const leaseMs = LEASE_MS[request.flow];
  let lookups: StartInput['lookups'];
  let step = first ?? (await readAndTry(context, order, request, lookups));
  for (let pollMs = FIRST_POLL_MS; isDelay(step); pollMs = Math.min(pollMs * 1.5, LONGEST_POLL_MS)) {
    const waitedMs = performance.now() - startedAt;
    if (waitedMs >= leaseMs) throw new ShopError('gateway_unavailable');
    if (step.kind === 'settle_first') ({ lookups } = await settlePayment(context, order.id, 'checkout'));
    else if (request.flow === 'card' && waitedMs >= LONGEST_CARD_WAIT_MS)
      return { kind: 'show_order', order: step.order };
    else await delay(pollMs);
    step = await readAndTry(context, step.order, request, lookups);
  }
  return step;
}

export function isDelay(step: { readonly kind: string }): step is StartDelay {
  return step.kind === 'busy' || step.kind === 'settle_first';
}

/** Reads the order with locks, and tries. It is shown if another customer of its cart took it over meanwhile. */
function readAndTry(
  context: CheckoutContext,
  { id, contactHash }: Order,
  request: StartRequest,
  lookups: StartInput['lookups'],
): Promise<StartResult | StartDelay> {
  return context.db.transaction(async (queries) => {
    // For the lock order see db/stock.ts.
    await context.host.lockBefore(queries, [id]);
    const order = await lockOrder(queries, id);
    if (order.contactHash !== contactHash) return { kind: 'show_order', order };
    return tryStart(queries, context, { order, attempts: await findAttempts(queries, id) }, { ...request, lookups });
  });
}

/** An order that is locked with its cart, and its attempts. */
export interface LockedOrder {
  readonly order: Order;
  readonly attempts: readonly Attempt[];
  /** The caller has just written the order: its lines, and the history events that precede its first attempt. */
  readonly written?: { readonly lines: readonly OrderLine[]; readonly events: readonly OrderEvent[] };
}

/** Starts an attempt if {@link decideStart} allows it. Of the customer's data only name and address may be corrected. */
export async function tryStart(
  queries: Transaction,
  context: CheckoutContext,
  locked: LockedOrder,
  request: StartRequest & Pick<StartInput, 'lookups'>,
): Promise<StartResult | StartDelay> {
  const at = context.clock.now();
  const { environment } = context.config;
  const { id, state, payableUntil, supersededBy } = locked.order;
  // During an upgrade a process of the version before replaces an order and does not end its link.
  const isReplaced = supersededBy !== null;
  // A new order replaces no order that is paid or uncertain.
  const isBlocked = isReplaced || (!locked.written && (await isBlockedByReplaced(queries, id)));
  const decision = decideStart({
    ...request,
    state,
    payableUntil,
    isBlocked,
    attempts: locked.attempts,
    environment,
    at,
  });
  if (decision.kind === 'busy') return { kind: 'busy', order: locked.order };
  if (decision.kind === 'limited')
    return { kind: 'limited', limit: 'order', seconds: Math.ceil((decision.until - at) / 1_000) };
  if (decision.kind === 'unavailable') throw new ShopError('gateway_unavailable');
  const order = await correctContact(queries, locked.order, request.contact, at);
  if (decision.kind === 'settle_first') return { kind: 'settle_first', order };
  if (decision.kind === 'show_order') return { kind: 'show_order', order };
  if (decision.kind === 'confirm_pay_again') return decision;
  const until = decision.kind === 'lease' ? at + context.config.orderTtlMs + OFFER_MARGIN_MS : undefined;
  // A new order was written for what is left. An older one may hold its pieces no longer.
  const { passed } = request;
  const goods = locked.written ? 'ready' : await context.host.prepareStart(queries, order, { until, passed });
  if (goods === 'sold_out') return { kind: 'sold_out', order };
  if (decision.kind === 'redirect') return { kind: 'redirect', order, url: decision.url };
  return leaseAttempt(queries, context, { ...locked, order }, request.flow);
}

async function correctContact(
  queries: Queries,
  order: Order,
  contact: Contact | undefined,
  at: number,
): Promise<Order> {
  if (!contact || order.state === 'paid' || isSameContact(order, contact)) return order;
  await recordEvent(queries, { orderId: order.id, at, kind: 'contact_corrected', detail: {} });
  return patchOrder(queries, order, { at, patch: { ...contact, contactHash: contactHashOf(order.id, contact) } });
}

/** Inserts a new attempt, which supersedes the live one. */
async function leaseAttempt(
  queries: Transaction,
  context: CheckoutContext,
  { order, attempts, written }: LockedOrder,
  flow: PaymentFlow,
): Promise<LeasedAttempt> {
  const { clock, config, observer, random } = context;
  const at = clock.now();
  const live = attempts.find((attempt) => attempt.live === 1);
  if (live) {
    const patch = abandonmentOf(live, config.environment, at);
    const event = { type: 'superseded' } as const;
    await applyTransition(queries, context, { order, attempt: live, event, trigger: 'checkout', at, patch });
  }
  const ordinal = attempts.length + 1;
  const leasedUntil = at + LEASE_MS[flow];
  const attempt = await insertAttempt(queries, {
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
  const started = { orderId: order.id, at, kind: 'attempt_started', detail: { attempt: ordinal, flow } };
  await recordEvents(queries, [...(written?.events ?? []), started]);
  queries.onCommit(() => observer.attemptChanged(flow, attempt.state));
  return { kind: 'leased', order, attempt, lines: written?.lines };
}

/** Names the attempt of a browser that returns from its bank. Other persons with the link of the order do not know the id. */
export const RETURN_PARAMETER = 'attempt';

/** Returns what both flows send to the gateway. `payer`: absent if the customer of the order pays. */
export function paymentRequestOf({ config }: CheckoutContext, { order, attempt }: LeasedAttempt, payer: Payer = order) {
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
