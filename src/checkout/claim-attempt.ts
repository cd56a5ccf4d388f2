import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Attempt, type AttemptPatch, findAttempts, insertAttempt } from '../db/attempts.js';
import type { Queries } from '../db/database.js';
import { type OrderEvent, recordEvents } from '../db/history.js';
import { lockOrder, type Order } from '../db/orders.js';
import type { OrderLine } from '../domain/cart.js';
import { cardReference, ID_BYTES, timeOrderedId } from '../domain/ids.js';
import type { AttemptKind } from '../domain/order.js';
import { isAbandoned } from './abandoned-attempt.js';
import { applyTransition } from './apply-transition.js';
import { mendLapsedAttempt } from './mend-lapsed-attempt.js';
import type { CheckoutServices } from './services.js';
import { settlePayment } from './settle-payment.js';
import type { LookupResult } from './share-lookup.js';

export type Claim =
  | ClaimedAttempt
  /** The order has an open checkout session. The customer is redirected to its URL. */
  | { readonly kind: 'open'; readonly order: Order; readonly url: string }
  /** No attempt may be started. The order page shows the reason. */
  | { readonly kind: 'closed'; readonly order: Order }
  /** The live attempt could not be looked up, or the deadline passed. */
  | { readonly kind: 'unreachable' };

/** A new attempt in state `creating`. Only the caller that claimed it may call the gateway for it. */
export interface ClaimedAttempt {
  readonly kind: 'claimed';
  readonly order: Order;
  readonly attempt: Attempt;
  /** The order's lines, if the caller has just written them. */
  readonly lines?: readonly OrderLine[];
}

type Look = Claim | { readonly kind: 'busy' } | { readonly kind: 'settle_first'; readonly attempt: Attempt };

/** Poll interval while another caller starts an attempt: 25 ms serves a double click, then backoff up to 500 ms. */
const FIRST_POLL_MS = 25;
const LONGEST_POLL_MS = 500;
/** In milliseconds. A younger attempt of the same flow needs no lookup: a double click is likely. */
const JUST_OPENED_MS = 3_000;

/**
 * Returns the open checkout session of an order, or claims a new attempt. An order has at most one live attempt.
 * Concurrent callers wait for the first caller's outcome. An existing live attempt is settled before a new one starts.
 */
export async function claimAttempt(
  services: CheckoutServices,
  orderId: string,
  { kind, replaceAbandoned = false }: { readonly kind: AttemptKind; readonly replaceAbandoned?: boolean },
): Promise<Claim> {
  const endsAt = performance.now() + services.policy.claimMs[kind];
  let settled: LookupResult | undefined;
  let pollMs = FIRST_POLL_MS;
  while (performance.now() < endsAt) {
    await mendLapsedAttempt(services, orderId);
    const look = await lookOnce(services, { orderId, kind, replaceAbandoned, settled });
    if (look.kind === 'busy') {
      await delay(pollMs);
      pollMs = Math.min(pollMs * 1.5, LONGEST_POLL_MS);
    } else if (look.kind === 'settle_first') {
      const { lookups } = await settlePayment(services, orderId, 'checkout');
      settled = lookups.get(look.attempt.id) ?? 'answered';
      if (settled === 'unreachable') return unreachable(services, look.attempt, kind);
    } else {
      return look;
    }
  }
  return { kind: 'unreachable' };
}

/** If the lookup fails, an unexpired checkout session may still be shown. No new attempt is started. */
async function unreachable(services: CheckoutServices, attempt: Attempt, kind: AttemptKind): Promise<Claim> {
  const order = await services.db.transaction((queries) => lockOrder(queries, attempt.orderId));
  if (attempt.kind === 'card') return { kind: 'closed', order };
  const usable = kind === 'hosted' && services.clock.now() < attempt.expiresAt;
  const url = usable ? attempt.redirectUrl : null;
  return url ? { kind: 'open', order, url } : { kind: 'unreachable' };
}

interface Wish {
  readonly orderId: string;
  readonly kind: AttemptKind;
  /** The customer was warned and chose to abandon the 3D Secure page. */
  readonly replaceAbandoned: boolean;
  /** Result of the lookup of the live attempt; `undefined` before the lookup. */
  readonly settled: LookupResult | undefined;
}

async function lookOnce(services: CheckoutServices, wish: Wish): Promise<Look> {
  const look = await services.db.transaction((queries) => lookAt(queries, services, wish));
  if (look.kind === 'claimed') services.observer.attemptBecame(wish.kind, 'creating');
  return look;
}

async function lookAt(queries: Queries, services: CheckoutServices, wish: Wish): Promise<Look> {
  const order = await lockOrder(queries, wish.orderId);
  if (order.state === 'paid' || order.state === 'review' || order.state === 'outcome_unknown') {
    return { kind: 'closed', order };
  }
  const attempts = await findAttempts(queries, order.id);
  const live = attempts.find((attempt) => attempt.live === 1);
  if (!live) return makeAttempt(queries, services, { order, kind: wish.kind, ordinal: attempts.length + 1 });
  if (live.state === 'creating') return { kind: 'busy' };
  const at = services.clock.now();
  const intent = { order, kind: wish.kind, ordinal: attempts.length + 1 };
  const supersede = (patch?: AttemptPatch) =>
    applyTransition(queries, services, { order, attempt: live, event: { type: 'superseded' }, at, patch });
  if (live.environment !== services.policy.environment) {
    await supersede();
    return makeAttempt(queries, services, intent);
  }
  if (!wish.settled && !isJustOpened(services, live, wish.kind))
    return { kind: 'settle_first', attempt: live };
  if (live.kind === 'card') {
    const mayReplace =
      wish.replaceAbandoned && wish.settled === 'answered' && isAbandoned(live, attempts, at);
    if (!mayReplace) return { kind: 'closed', order };
    await supersede({ abandonedAt: at });
    return makeAttempt(queries, services, intent);
  }
  if (wish.kind === 'hosted' && live.redirectUrl !== null && wish.settled !== 'not_found')
    return { kind: 'open', order, url: live.redirectUrl };
  await supersede();
  return makeAttempt(queries, services, intent);
}

function isJustOpened(services: CheckoutServices, live: Attempt, kind: AttemptKind): boolean {
  const now = services.clock.now();
  return live.kind === kind && now - live.createdAt < JUST_OPENED_MS && now < live.expiresAt;
}

interface Intent {
  readonly order: Order;
  readonly kind: AttemptKind;
  readonly ordinal: number;
  /** History events to write before `attempt_started`. */
  readonly before?: readonly OrderEvent[];
}

/** Inserts a new attempt. The caller's transaction must have locked or created the order, and no attempt may be live. */
export async function makeAttempt(
  queries: Queries,
  services: CheckoutServices,
  { order, kind, ordinal, before = [] }: Intent,
): Promise<ClaimedAttempt> {
  const at = services.clock.now();
  const attempt = {
    id: timeOrderedId(at, randomBytes(ID_BYTES)),
    orderId: order.id,
    ordinal,
    kind,
    state: 'creating' as const,
    environment: services.policy.environment,
    // A hosted session carries the order number. A card payment needs a reference of its own.
    reference: kind === 'hosted' ? order.number : cardReference(order.number, ordinal),
    amount: order.total,
    serviceId: null,
    redirectUrl: null,
    expiresAt: at + services.policy.orderTtlMs,
    claimedUntil: at + services.policy.claimMs[kind],
    checkedAt: 0,
    nextCheckAt: at + services.policy.claimMs[kind],
    checks: 0,
    words: null,
    foundAt: null,
    returnedAt: null,
    abandonedAt: null,
    createdAt: at,
    updatedAt: at,
  };
  await insertAttempt(queries, attempt);
  const detail = { attempt: ordinal, kind };
  await recordEvents(queries, [...before, { orderId: order.id, at, kind: 'attempt_started', detail }]);
  return { kind: 'claimed', order, attempt: { ...attempt, live: 1 } };
}
