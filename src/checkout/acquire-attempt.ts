import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Attempt, type AttemptPatch, findAttempts, insertAttempt } from '../db/attempts.js';
import { lockCartOfOrder } from '../db/carts.js';
import type { Queries } from '../db/database.js';
import { type OrderEvent, recordEvents } from '../db/history.js';
import { lockOrder, type Order } from '../db/orders.js';
import type { OrderLine } from '../domain/cart.js';
import { cardReference, ID_BYTES, timeOrderedId } from '../domain/ids.js';
import type { PaymentFlow } from '../domain/order.js';
import { isAbandoned } from './abandoned-attempt.js';
import { applyTransition } from './apply-transition.js';
import type { CheckoutContext } from './context.js';
import { endLapsedAttempt } from './end-lapsed-attempt.js';
import { renewReservation } from './reserve-stock.js';
import { settlePayment } from './settle-payment.js';
import type { LookupResult } from './share-lookup.js';

export type AcquireResult =
  | LeasedAttempt
  /** The order has an open checkout session. The customer is redirected to its URL. */
  | { readonly kind: 'open'; readonly order: Order; readonly url: string }
  /** No attempt may be started. The order page shows the reason. */
  | { readonly kind: 'closed'; readonly order: Order }
  /** The reservation ended meanwhile, and not enough is left. The caller must place the cart again. */
  | { readonly kind: 'out_of_stock' }
  /** The live attempt could not be looked up, or the deadline passed. */
  | { readonly kind: 'unreachable' };

/** A new attempt in state `creating`. Only the caller that leased it may call the gateway for it. */
export interface LeasedAttempt {
  readonly kind: 'leased';
  readonly order: Order;
  readonly attempt: Attempt;
  /** The order's lines, if the caller has just written them. */
  readonly lines?: readonly OrderLine[];
}

type TryResult =
  | AcquireResult
  | { readonly kind: 'busy' }
  | { readonly kind: 'settle_first'; readonly attempt: Attempt };

/** Poll interval while another caller starts an attempt: 25 ms serves a double click, then backoff up to 500 ms. */
const FIRST_POLL_MS = 25;
const LONGEST_POLL_MS = 500;
/** In milliseconds. A younger attempt of the same flow needs no lookup: a double click is likely. */
const JUST_OPENED_MS = 3_000;

/**
 * Returns the open checkout session of an order, or leases a new attempt. An order has at most one live attempt.
 * Concurrent callers wait for the first caller's outcome. An existing live attempt is settled before a new one starts.
 */
export async function acquireAttempt(
  context: CheckoutContext,
  orderId: string,
  input: Pick<AcquireInput, 'flow' | 'addressKey'> & { readonly replaceAbandoned?: boolean },
): Promise<AcquireResult> {
  const { flow, addressKey, replaceAbandoned = false } = input;
  const endsAt = performance.now() + context.policy.leaseMs[flow];
  let settled: LookupResult | undefined;
  let pollMs = FIRST_POLL_MS;
  while (performance.now() < endsAt) {
    await endLapsedAttempt(context, orderId);
    const result = await tryAcquire(context, {
      ...{ orderId, flow, addressKey },
      replaceAbandoned,
      settled,
    });
    if (result.kind === 'busy') {
      await delay(pollMs);
      pollMs = Math.min(pollMs * 1.5, LONGEST_POLL_MS);
    } else if (result.kind === 'settle_first') {
      const { lookups } = await settlePayment(context, orderId, 'checkout');
      settled = lookups.get(result.attempt.id) ?? 'answered';
      if (settled === 'unreachable') return resultIfUnreachable(context, result.attempt, flow);
    } else {
      return result;
    }
  }
  return { kind: 'unreachable' };
}

/** If the lookup fails, an unexpired checkout session may still be shown. No new attempt is started. */
async function resultIfUnreachable(
  context: CheckoutContext,
  attempt: Attempt,
  flow: PaymentFlow,
): Promise<AcquireResult> {
  const order = await context.db.transaction((queries) => lockOrder(queries, attempt.orderId));
  if (attempt.flow === 'card') return { kind: 'closed', order };
  const usable = flow === 'hosted' && context.clock.now() < attempt.expiresAt;
  const url = usable ? attempt.redirectUrl : null;
  return url ? { kind: 'open', order, url } : { kind: 'unreachable' };
}

interface AcquireInput {
  readonly orderId: string;
  readonly flow: PaymentFlow;
  /** The customer was warned and chose to abandon the 3D Secure page. */
  readonly replaceAbandoned: boolean;
  /** Hash of the client's rate limit address. */
  readonly addressKey?: string | undefined;
  /** Result of the lookup of the live attempt; `undefined` before the lookup. */
  readonly settled: LookupResult | undefined;
}

async function tryAcquire(context: CheckoutContext, input: AcquireInput): Promise<TryResult> {
  const result = await context.db.transaction((queries) => acquireInTransaction(queries, context, input));
  if (result.kind === 'leased') context.observer.attemptChanged(input.flow, 'creating');
  return result;
}

async function acquireInTransaction(
  queries: Queries,
  context: CheckoutContext,
  input: AcquireInput,
): Promise<TryResult> {
  // A new attempt may reserve stock. For the lock order see db/stock.ts.
  await lockCartOfOrder(queries, input.orderId);
  const order = await lockOrder(queries, input.orderId);
  if (order.state === 'paid' || order.state === 'review' || order.state === 'outcome_unknown') {
    return { kind: 'closed', order };
  }
  const attempts = await findAttempts(queries, order.id);
  const live = attempts.find((attempt) => attempt.live === 1);
  if (live?.state === 'creating') return { kind: 'busy' };
  const at = context.clock.now();
  const next = { order, flow: input.flow, ordinal: attempts.length + 1 };
  /** Starts the next attempt. It supersedes the live one. */
  const startNext = async (patch?: AttemptPatch): Promise<TryResult> => {
    const isReserved = await renewReservation(queries, context, { order, addressKey: input.addressKey, at });
    if (!isReserved) return { kind: 'out_of_stock' };
    const event = { type: 'superseded' } as const;
    if (live) await applyTransition(queries, context, { order, attempt: live, event, at, patch });
    return insertNewAttempt(queries, context, next);
  };
  if (!live || live.environment !== context.policy.environment) return startNext();
  if (!input.settled && !isJustOpened(context, live, input.flow))
    return { kind: 'settle_first', attempt: live };
  if (live.flow === 'card') {
    const mayReplace =
      input.replaceAbandoned && input.settled === 'answered' && isAbandoned(live, attempts, at);
    return mayReplace ? startNext({ abandonedAt: at }) : { kind: 'closed', order };
  }
  if (input.flow === 'hosted' && live.redirectUrl !== null && input.settled !== 'not_found')
    return { kind: 'open', order, url: live.redirectUrl };
  return startNext();
}

function isJustOpened(context: CheckoutContext, live: Attempt, flow: PaymentFlow): boolean {
  const now = context.clock.now();
  return live.flow === flow && now - live.createdAt < JUST_OPENED_MS && now < live.expiresAt;
}

interface NewAttempt {
  readonly order: Order;
  readonly flow: PaymentFlow;
  readonly ordinal: number;
  /** History events to write before `attempt_started`. */
  readonly before?: readonly OrderEvent[];
}

/** Inserts a new attempt. The caller's transaction must have locked or created the order, and no attempt may be live. */
export async function insertNewAttempt(
  queries: Queries,
  context: CheckoutContext,
  { order, flow, ordinal, before = [] }: NewAttempt,
): Promise<LeasedAttempt> {
  const at = context.clock.now();
  const attempt = {
    id: timeOrderedId(at, randomBytes(ID_BYTES)),
    orderId: order.id,
    ordinal,
    flow,
    state: 'creating' as const,
    environment: context.policy.environment,
    // A hosted session carries the order number. A card payment needs a reference of its own.
    reference: flow === 'hosted' ? order.number : cardReference(order.number, ordinal),
    amount: order.total,
    gatewayId: null,
    redirectUrl: null,
    expiresAt: at + context.policy.orderTtlMs,
    leasedUntil: at + context.policy.leaseMs[flow],
    checkedAt: 0,
    nextCheckAt: at + context.policy.leaseMs[flow],
    checks: 0,
    gatewayStatus: null,
    foundAt: null,
    returnedAt: null,
    abandonedAt: null,
    createdAt: at,
    updatedAt: at,
  };
  await insertAttempt(queries, attempt);
  const detail = { attempt: ordinal, flow };
  await recordEvents(queries, [...before, { orderId: order.id, at, kind: 'attempt_started', detail }]);
  return { kind: 'leased', order, attempt: { ...attempt, live: 1 } };
}
