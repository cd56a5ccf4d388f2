import { setTimeout as delay } from 'node:timers/promises';
import { numberInReference } from '../core/ids.js';
import { type Decision, decide, type Standing } from '../core/order.js';
import { conclude, type Evidence, judge, type Verdict } from '../core/payment.js';
import { GatewayError } from '../gateway/gateway-error.js';
import {
  type Attempt,
  claimCheck,
  findAttempt,
  findAttempts,
  findWatchedAttempts,
  putAttempt,
} from '../store/attempts.js';
import { emptyCartOf, lockCart } from '../store/carts.js';
import type { Queries } from '../store/database.js';
import { recordEvent } from '../store/history.js';
import {
  findOrder,
  insertFulfilment,
  isPaidElsewhere,
  lockOrder,
  moveOrder,
  type Order,
  patchOrder,
} from '../store/orders.js';
import { queueEffects } from '../store/outbox.js';
import { mendLapsedAttempt } from './mend-lapsed-attempt.js';
import type { CheckoutServices } from './services.js';
import type { Trigger } from './trigger.js';

/** An answer this young, in milliseconds, is as good as a new one. */
const FRESH_MS = 1_000;
/** For so long after it was begun, in milliseconds, a lookup of another process may be under way. */
const UNDER_WAY_MS = 500;
const LOOK_AGAIN_MS = 50;
/** Pages that refresh themselves ask the service no more often than this. */
const PAGE_FRESH_MS = 2_000;

/** How long after its time an attempt is looked at for the last time: clocks differ, and banks are slow. */
export const LAST_LOOK_MARGIN_MS = 120_000;

export interface Settled {
  readonly order: Order;
  /** The service could be asked about everything there was to ask. */
  readonly reached: boolean;
}

/**
 * Asks the service about each attempt of an order that may still move, judges the answers and moves the order once.
 * Nothing else in the program makes an order paid. Never throws for a fault of the service: the order stays as it is
 * and `reached` is false. Throws when the order does not exist or the database fails.
 */
export async function settlePayment(
  services: CheckoutServices,
  orderId: string,
  trigger: Trigger,
): Promise<Settled> {
  await mendLapsedAttempt(services, orderId);
  // A message, a shopper who comes back and a merchant who looked may tell of money that came after the end.
  const late = trigger === 'webhook' || trigger === 'return' || trigger === 'merchant';
  const watched = await findWatchedAttempts(services.db.queries, orderId, late);
  const asked = await Promise.all(watched.map((attempt) => askOnce(services, attempt, trigger)));
  const order = await findOrder(services.db.queries, orderId);
  if (!order) throw new Error('no such order');
  return { order, reached: asked.every(Boolean) };
}

/**
 * One lookup at a time for an attempt in this process, and one in a moment for all processes. Whoever is about to begin
 * a new payment, or to decide by hand, asks always: that somebody else asked does not mean that they got an answer.
 */
async function askOnce(services: CheckoutServices, attempt: Attempt, trigger: Trigger): Promise<boolean> {
  if (asksAlways(trigger)) return ask(services, attempt, trigger);
  const underWay = services.lookups.get(attempt.id);
  if (underWay !== undefined) return underWay;
  const lookup = ask(services, attempt, trigger).finally(() => services.lookups.delete(attempt.id));
  services.lookups.set(attempt.id, lookup);
  return lookup;
}

async function ask(services: CheckoutServices, attempt: Attempt, trigger: Trigger): Promise<boolean> {
  const { log, policy } = services;
  if (attempt.environment !== policy.environment || attempt.serviceId === null) return false;
  const turn = await takeTurn(services, attempt, trigger);
  // Somebody has just asked: good enough for a page that looks again, not for a message that is used up by this.
  if (!turn) return trigger !== 'webhook';
  try {
    const asked = services.clock.now();
    const evidence = await readEvidence(services, attempt.kind, attempt.serviceId);
    const ms = Math.max(0, services.clock.now() - asked);
    await apply(services, { attempt, serviceId: attempt.serviceId, evidence, trigger, ms });
    return true;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    log.warn('lookup_failed', {
      attempt: attempt.id,
      order: numberInReference(attempt.reference),
      trigger,
      call: error.call,
      code: error.code,
      status: error.status,
      reason: error.reason,
    });
    return false;
  }
}

/**
 * Whether it is ours to ask. Who comes back from paying waits a moment for what another process is just asking: "still
 * checking" would be true, and frighten somebody who has paid.
 */
async function takeTurn(services: CheckoutServices, attempt: Attempt, trigger: Trigger): Promise<boolean> {
  const { db, clock } = services;
  for (;;) {
    const at = clock.now();
    if (await claimCheck(db.queries, attempt.id, { at, notSince: at - freshMs(trigger) })) return true;
    if (trigger !== 'return') return false;
    const present = await findAttempt(db.queries, attempt.id);
    if (present?.state !== attempt.state || at - present.checkedAt >= UNDER_WAY_MS) return false;
    await delay(LOOK_AGAIN_MS);
  }
}

function asksAlways(trigger: Trigger): boolean {
  return trigger === 'checkout' || trigger === 'merchant';
}

function freshMs(trigger: Trigger): number {
  if (asksAlways(trigger)) return 0;
  return trigger === 'order_page' ? PAGE_FRESH_MS : FRESH_MS;
}

function readEvidence(
  services: CheckoutServices,
  kind: Attempt['kind'],
  serviceId: string,
): Promise<Evidence> {
  return kind === 'hosted'
    ? services.gateway.readSession(serviceId)
    : services.gateway.readTransaction(serviceId);
}

interface News {
  readonly attempt: Attempt;
  readonly serviceId: string;
  readonly evidence: Evidence;
  readonly trigger: Trigger;
  /** How long the service took to answer. */
  readonly ms: number;
}

/** Judges the answer and writes what it decides, all in one transaction that holds the order. */
async function apply(services: CheckoutServices, news: News): Promise<void> {
  const { serviceId: id, attempt: asked, evidence } = news;
  const judged = judge(evidence, { id, amount: asked.amount, reference: asked.reference });
  const overdue = news.trigger === 'worker' && services.clock.now() > asked.expiresAt + LAST_LOOK_MARGIN_MS;
  const verdict = overdue ? conclude(judged, asked.kind) : judged;
  const settled = await services.db.transaction(async (queries) => {
    const before = await findOrder(queries, asked.orderId);
    // The cart is locked before the order everywhere, so that two transactions never wait for each other.
    if (before) await lockCart(queries, before.cartId);
    const order = await lockOrder(queries, asked.orderId);
    const attempt = await findAttempt(queries, asked.id);
    if (!attempt) return undefined;
    const decision = decide(await readStanding(queries, order, attempt), verdict);
    await write(queries, { order, attempt, decision, verdict, at: services.clock.now(), news });
    return { order, attempt, decision };
  });
  if (settled) tell(services, settled, news.trigger);
}

/** Tells log and observer what has been committed. */
function tell(
  { log, observer }: CheckoutServices,
  { order, attempt, decision }: Pick<Writing, 'order' | 'attempt' | 'decision'>,
  trigger: Trigger,
): void {
  const named = { order: order.number, trigger, attempt: attempt.id };
  if (decision.attempt !== attempt.state) {
    observer.attemptBecame(attempt.kind, decision.attempt);
    log.info('attempt_moved', { ...named, kind: attempt.kind, to: decision.attempt });
  }
  if (decision.order) {
    observer.orderMoved(decision.order, trigger);
    log.info('order_moved', { ...named, from: order.state, to: decision.order });
  }
}

async function readStanding(queries: Queries, order: Order, attempt: Attempt): Promise<Standing> {
  const attempts = await findAttempts(queries, order.id);
  return {
    order: order.state,
    attempt: attempt.state,
    otherLive: attempts.some((other) => other.live === 1 && other.id !== attempt.id),
    alreadyPaid: order.state === 'paid' || (await isPaidElsewhere(queries, order)),
  };
}

interface Writing {
  readonly order: Order;
  readonly attempt: Attempt;
  readonly decision: Decision;
  readonly verdict: Verdict;
  readonly at: number;
  readonly news: News;
}

async function write(queries: Queries, writing: Writing): Promise<void> {
  const { order, attempt, decision, at, news } = writing;
  const { words } = news.evidence;
  if (decision.attempt !== attempt.state || words !== attempt.words) {
    await putAttempt(queries, attempt.id, { state: decision.attempt, at, patch: { words } });
    await recordAnswer(queries, writing);
  }
  const patch = {
    ...(decision.attention && { attention: decision.attention }),
    ...(decision.order === 'paid' && { attention: null, paidAt: at, paidAttemptId: attempt.id }),
  };
  if (!decision.order) {
    if (decision.attention && order.attention !== decision.attention)
      await patchOrder(queries, order, { at, patch });
    return;
  }
  await moveOrder(queries, order, { to: decision.order, at, patch });
  await recordEvent(queries, {
    orderId: order.id,
    at,
    kind: 'moved',
    detail: { from: order.state, to: decision.order, reason: decision.attention },
  });
  if (decision.order === 'paid') {
    await insertFulfilment(queries, { orderId: order.id, attemptId: attempt.id, at });
    await queueEffects(queries, order.id, at);
    await emptyCartOf(queries, order, at);
  }
}

/** What was asked, what was answered, and what it was taken for: words of the contract, and nothing of the shopper. */
function recordAnswer(queries: Queries, { order, attempt, verdict, at, news }: Writing): Promise<void> {
  return recordEvent(queries, {
    orderId: order.id,
    at,
    kind: 'service_said',
    detail: {
      attempt: attempt.ordinal,
      call: attempt.kind === 'hosted' ? 'read_session' : 'read_transaction',
      words: news.evidence.words,
      verdict: verdict.kind,
      trigger: news.trigger,
      ms: news.ms,
    },
  });
}
