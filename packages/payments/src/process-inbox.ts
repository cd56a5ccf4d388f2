import type { PaymentContext } from './context.js';
import { expireAttemptLease } from './expire-lease.js';
import { GatewayError, gatewayErrorOf } from './gateway/errors.js';
import { readWebhook, type WebhookHint } from './gateway/webhook-event.js';
import { type LinkResult, lacksGatewayId, linkPayment } from './link-payment.js';
import { parse, webhookName } from './receive-webhook.js';
import { processRefundEvent } from './resolve-refund.js';
import { isLeaseExpired } from './rules/attempt.js';
import { errorName } from './rules/error-name.js';
import type { PaymentLogFields } from './rules/payment-log.js';
import { findAttemptsByReference, findOrderIdsByGatewayId } from './store/attempts.js';
import { finishWebhook, leaseWebhooks, type StoredWebhook, type WebhookOutcome } from './store/inbox.js';
import { type Verified, verifyPayment } from './verify-payment.js';
import { withDeadline } from './with-deadline.js';

const BATCH = 20;
const LEASE_MS = 30_000;
/** Below the lease, so that two processes never work on the same event. */
const EVENT_DEADLINE_MS = 15_000;
/** Ids of one event that are looked up although no attempt has them. */
const MAX_UNKNOWN_IDS = 3;
/** An event of another system at the same gateway account must not use up the lookups. */
const TRIES_WITH_UNKNOWN_IDS = 2;
/** Delay while the response to the call that starts an attempt is pending. */
const EARLY_DELAY_MS = 2_000;
/** An event may arrive before our own row is written, or while the gateway is unreachable. */
const RETRY_DELAYS_MS = [2_000, 15_000, 60_000, 300_000] as const;

/**
 * Processes one batch of stored webhook events and verifies each order once. Returns the number of leased events. After a
 * crash the lease expires and the events are leased again. An event that throws or exceeds its deadline is retried and
 * ends as `failed`. It does not affect the other events. Rejects only when no events could be leased.
 */
export async function processInbox(
  context: PaymentContext,
  { eventDeadlineMs = EVENT_DEADLINE_MS } = {},
): Promise<number> {
  const at = context.clock.now();
  const events = await leaseWebhooks(context.db.queries, { at, leaseUntil: at + LEASE_MS, limit: BATCH });
  const verified = new Map<string, Promise<Verified>>();
  const verifyOnce: VerifyOnce = (orderId) => {
    const known = verified.get(orderId) ?? verifyPayment(context, orderId, 'webhook');
    verified.set(orderId, known);
    return known;
  };
  await Promise.all(
    events.map((stored) => {
      const processing = withDeadline(eventDeadlineMs, () => verifyEvent(context, stored, verifyOnce));
      return processWebhook(context, stored, processing);
    }),
  );
  return events.length;
}

type VerifyOnce = (orderId: string) => Promise<Verified>;

async function processWebhook(
  context: PaymentContext,
  stored: StoredWebhook,
  processing: Promise<WebhookOutcome>,
): Promise<void> {
  const { clock, db, log } = context;
  const fields = logFieldsOf(stored);
  try {
    const outcome = await processing.catch((error: unknown) => {
      const retried = retryOutcome(stored, 'failed', clock.now());
      log.warn('webhook.try_failed', { ...fields, reason: errorName(error), count: retried.tries });
      return retried;
    });
    if (outcome.state === 'unmatched') log.warn('webhook.unmatched', fields);
    if (outcome.state === 'failed') log.error('webhook.failed', { ...fields, count: outcome.tries });
    await finishWebhook(db.queries, stored, outcome);
  } catch (error) {
    // The lease expires, and the event is leased again.
    log.error('webhook.finish_failed', { ...fields, reason: errorName(error) });
  }
}

function logFieldsOf({ hash, event }: StoredWebhook): PaymentLogFields {
  return { webhook: webhookName(hash), event: event ?? 'unnamed' };
}

/** Verifies the orders that an event points to, and returns how the event ends. */
async function verifyEvent(
  context: PaymentContext,
  stored: StoredWebhook,
  verifyOnce: VerifyOnce,
): Promise<WebhookOutcome> {
  const body = parse(stored.body);
  // A text is a reference of ours, stored in place of an unauthenticated event.
  const hint = readWebhook(body) ?? { ids: [], texts: typeof body === 'string' ? [body] : [] };
  // Only the gateway can post an authenticated event, so only such an event causes a lookup.
  if (hint.refund && context.config.webhooksAuthenticated) {
    const at = context.clock.now();
    const result = await processRefundEvent(context, hint.refund);
    if (result === 'verified') return finalOutcome(stored, 'done', at);
    if (result === 'unreachable') return retryOutcome(stored, 'failed', at);
  }
  // An event without texts names no order, so no retry can find one.
  if (hint.texts.length === 0) return finalOutcome(stored, 'unmatched', context.clock.now());
  const found = await resolveOrders(context, hint, stored.tries < TRIES_WITH_UNKNOWN_IDS);
  const verified = await Promise.all(found.orderIds.map(verifyOnce));
  const lookupsSucceeded = verified.every((each) => each.lookupsSucceeded);
  const outcome = outcomeOf(stored, { ...found, lookupsSucceeded }, context.clock.now());
  for (const { order } of verified)
    context.log.info('webhook.processed', { ...logFieldsOf(stored), order: order.number, to: outcome.state });
  return outcome;
}

/** Returns whether an event is done, and otherwise when it is retried. */
function outcomeOf(
  stored: StoredWebhook,
  { orderIds, earlyUntil, mustRetryLink, lookupsSucceeded }: Found & { readonly lookupsSucceeded: boolean },
  at: number,
): WebhookOutcome {
  const { tries } = stored;
  // Not counted as a try: the event is retried until the lease of the pending call expires.
  if (earlyUntil !== undefined)
    return { state: 'new', tries, nextAt: Math.min(Math.max(earlyUntil + 1, at), at + EARLY_DELAY_MS), at };
  if (orderIds.length > 0 && lookupsSucceeded && !mustRetryLink) return finalOutcome(stored, 'done', at);
  return retryOutcome(stored, orderIds.length > 0 ? 'failed' : 'unmatched', at);
}

/** Schedules the next try. After the last one the event ends in the given state. The worker still looks up its orders. */
function retryOutcome(stored: StoredWebhook, last: 'failed' | 'unmatched', at: number): WebhookOutcome {
  const retryDelayMs = RETRY_DELAYS_MS[stored.tries];
  if (retryDelayMs === undefined) return finalOutcome(stored, last, at);
  return { state: 'new', tries: stored.tries + 1, nextAt: at + retryDelayMs, at };
}

function finalOutcome({ tries }: StoredWebhook, state: WebhookOutcome['state'], at: number): WebhookOutcome {
  return { state, tries: tries + 1, nextAt: at, at };
}

interface Found {
  readonly orderIds: readonly string[];
  /** Lease end of the call that starts the attempt. If its response is lost, only this event has the id. */
  readonly earlyUntil?: number;
  /** The gateway did not yet confirm which attempt owns the payment, so the event is retried. */
  readonly mustRetryLink: boolean;
}

/**
 * Returns the references that an event names. If none is ours, the gateway is asked which reference the named sessions and
 * payments have, because an event may name only the id of an attempt whose answer was lost.
 */
async function referencesOf(context: PaymentContext, { ids, texts }: WebhookHint): Promise<readonly string[]> {
  const { db, gateway, lookupBudget, config } = context;
  if (!config.webhooksAuthenticated || (await findAttemptsByReference(db.queries, texts)).length > 0) return texts;
  const found: string[] = [];
  for (const id of ids.slice(0, MAX_UNKNOWN_IDS)) {
    for (const flow of gateway.flows) {
      if (!(await lookupBudget.take(flow, 'webhook', false))) continue;
      const payment = await gateway.lookUp(flow, id).catch(gatewayErrorOf);
      if (!(payment instanceof GatewayError) && payment.gatewayId === id && payment.reference)
        found.push(payment.reference);
    }
  }
  return found.length > 0 ? found : texts;
}

/** Returns our orders that a hint names. The event's ids are linked only from authenticated webhooks. */
async function resolveOrders(context: PaymentContext, hint: WebhookHint, looksUpIds: boolean): Promise<Found> {
  const { queries } = context.db;
  const byId = await findOrderIdsByGatewayId(queries, hint.refund ? [] : hint.texts);
  if (byId.length > 0) return { orderIds: byId, mustRetryLink: false };
  const references = looksUpIds ? await referencesOf(context, hint) : hint.texts;
  let named = await findAttemptsByReference(queries, references);
  const now = context.clock.now();
  const stale = named.filter((attempt) => isLeaseExpired(attempt, now));
  for (const { orderId } of stale) await expireAttemptLease(context, orderId, 'webhook');
  if (stale.length > 0) named = await findAttemptsByReference(queries, references);
  const results: LinkResult[] = [];
  if (context.config.webhooksAuthenticated) {
    for (const { attemptId } of named.filter(lacksGatewayId))
      results.push(await linkPayment(context, attemptId, hint.ids.slice(0, MAX_UNKNOWN_IDS), 'webhook'));
  }
  const awaited = named.filter(({ state }) => state === 'creating');
  return {
    orderIds: [...new Set(named.map((match) => match.orderId))],
    mustRetryLink: results.includes('not_found') || results.includes('unreachable'),
    ...(awaited.length > 0 && { earlyUntil: Math.max(...awaited.map((match) => match.leasedUntil)) }),
  };
}
