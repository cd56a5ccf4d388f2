import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { OrderLine } from '../core/cart.js';
import { cardReference, ID_BYTES, timeOrderedId } from '../core/ids.js';
import type { AttemptKind } from '../core/order.js';
import { type Attempt, findAttempts, insertAttempt, putAttempt } from '../store/attempts.js';
import type { Queries } from '../store/database.js';
import { type OrderEvent, recordEvents } from '../store/history.js';
import { lockOrder, type Order } from '../store/orders.js';
import { mendLapsedAttempt } from './mend-lapsed-attempt.js';
import type { CheckoutServices } from './services.js';
import { settlePayment } from './settle-payment.js';

export type Claim =
  | ClaimedAttempt
  /** A hosted page of this order is open: its address is the one to use. */
  | { readonly kind: 'open'; readonly order: Order; readonly url: string }
  /** Nothing may be started: the order's own page tells why. */
  | { readonly kind: 'closed'; readonly order: Order }
  /** The service could not be asked about the attempt that stands in the way. */
  | { readonly kind: 'unreachable' };

/** Ours to start: the intent is written, nobody else will call for it. */
export interface ClaimedAttempt {
  readonly kind: 'claimed';
  readonly order: Order;
  readonly attempt: Attempt;
  /** The order's lines, from whoever has just written them. */
  readonly lines?: readonly OrderLine[];
}

type Look = Claim | { readonly kind: 'busy' } | { readonly kind: 'settle_first'; readonly attempt: Attempt };

/** How long a second caller waits between two looks: short for a double click, ever longer behind a caller that died. */
const FIRST_POLL_MS = 25;
const LONGEST_POLL_MS = 500;
/** A page opened this recently, in milliseconds, is handed out again without asking: a double click. */
const JUST_OPENED_MS = 3_000;

/**
 * Finds or makes the one live attempt of an order. Two callers never start two: the second waits for the first one's
 * outcome. An attempt in the way is looked up before anything new is begun.
 */
export async function claimAttempt(
  services: CheckoutServices,
  orderId: string,
  kind: AttemptKind,
): Promise<Claim> {
  const endsAt = performance.now() + services.policy.claimMs[kind];
  let settled = false;
  let pollMs = FIRST_POLL_MS;
  while (performance.now() < endsAt) {
    await mendLapsedAttempt(services, orderId);
    const look = await lookOnce(services, { orderId, kind, settled });
    if (look.kind === 'busy') {
      await delay(pollMs);
      pollMs = Math.min(pollMs * 1.5, LONGEST_POLL_MS);
    } else if (look.kind === 'settle_first') {
      const { reached } = await settlePayment(services, orderId, 'checkout');
      if (!reached) return unreachable(services, look.attempt, kind);
      settled = true;
    } else {
      return look;
    }
  }
  return { kind: 'unreachable' };
}

/** With the service silent, a hosted page that has not run out may still be shown; nothing new may be begun. */
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
  /** The live attempt has just been looked up. */
  readonly settled: boolean;
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
  if (!wish.settled && !isJustOpened(services, live, wish.kind))
    return { kind: 'settle_first', attempt: live };
  if (live.kind === 'card') return { kind: 'closed', order };
  if (wish.kind === 'hosted' && live.redirectUrl !== null)
    return { kind: 'open', order, url: live.redirectUrl };
  await putAttempt(queries, live.id, { state: 'superseded', at: services.clock.now() });
  return makeAttempt(queries, services, { order, kind: wish.kind, ordinal: attempts.length + 1 });
}

function isJustOpened(services: CheckoutServices, live: Attempt, kind: AttemptKind): boolean {
  const now = services.clock.now();
  return live.kind === kind && now - live.createdAt < JUST_OPENED_MS && now < live.expiresAt;
}

interface Intent {
  readonly order: Order;
  readonly kind: AttemptKind;
  readonly ordinal: number;
  /** What the order's history has to tell first, written with it. */
  readonly before?: readonly OrderEvent[];
}

/** Writes the intent of one try to pay, for an order that this transaction has locked or made and that has no live one. */
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
    // A session names the order; a card payment's reference names one payment.
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
    createdAt: at,
    updatedAt: at,
  };
  await insertAttempt(queries, attempt);
  const detail = { attempt: ordinal, kind };
  await recordEvents(queries, [...before, { orderId: order.id, at, kind: 'attempt_started', detail }]);
  return { kind: 'claimed', order, attempt: { ...attempt, live: 1 } };
}
