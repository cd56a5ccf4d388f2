import { readWebhook, type WebhookHint } from '../gateway/webhook-wire.js';
import { findOrdersNamed, findOrdersOfServiceIds } from '../store/attempts.js';
import { claimMessages, finishMessage, type InboxMessage, type MessageEnd } from '../store/inbox.js';
import { type Adoption, adoptPayment, lacksServiceId } from './adopt-payment.js';
import { mendLapsedAttempt } from './mend-lapsed-attempt.js';
import { messageName, parse } from './receive-webhook.js';
import type { CheckoutServices } from './services.js';
import { type Settled, settlePayment } from './settle-payment.js';

const BATCH = 20;
const LEASE_MS = 30_000;
/** While the answer to a card call is awaited. */
const EARLY_DELAY_MS = 2_000;
/** A message may arrive before our own row is written, or while the service cannot be asked. */
const RETRY_DELAYS_MS = [2_000, 15_000, 60_000, 300_000] as const;

/**
 * Looks up what the kept messages point to, each order once. Returns how many messages it took; 0 means that none was
 * due. A crash in the middle leaves them to be taken again.
 */
export async function processInbox(services: CheckoutServices): Promise<number> {
  const at = services.clock.now();
  const messages = await claimMessages(services.db.queries, { at, leaseUntil: at + LEASE_MS, most: BATCH });
  const settled = new Map<string, Promise<Settled>>();
  const settleOnce = (orderId: string) => {
    const known = settled.get(orderId) ?? settlePayment(services, orderId, 'webhook');
    settled.set(orderId, known);
    return known;
  };
  await Promise.all(messages.map((message) => processMessage(services, message, settleOnce)));
  return messages.length;
}

async function processMessage(
  services: CheckoutServices,
  message: InboxMessage,
  settleOnce: (orderId: string) => Promise<Settled>,
): Promise<void> {
  const hint = readWebhook(parse(message.body)) ?? { ids: [], references: [] };
  const found = await findOrders(services, hint);
  const settled = await Promise.all(found.orderIds.map(settleOnce));
  const reached = settled.every((one) => one.reached);
  const end = endOf(message, { ...found, reached }, services.clock.now());
  const named = { message: messageName(message.hash), kind: message.event ?? 'unnamed' };
  for (const { order } of settled)
    services.log.info('webhook_read', { ...named, order: order.number, to: end.state });
  if (end.state === 'unmatched') services.log.warn('webhook_unmatched', named);
  await finishMessage(services.db.queries, message, end);
}

/** Whether a message is used up, and when it is looked at again if it is not. */
function endOf(
  { tries }: InboxMessage,
  { orderIds, earlyUntil, unanswered, reached }: Found & { readonly reached: boolean },
  at: number,
): MessageEnd {
  // Not a failed try: it is looked at again until the awaited answer can no longer come, and then in earnest.
  if (earlyUntil !== undefined)
    return { state: 'new', tries, nextAt: Math.min(Math.max(earlyUntil + 1, at), at + EARLY_DELAY_MS), at };
  if (orderIds.length > 0 && reached && !unanswered)
    return { state: 'done', tries: tries + 1, nextAt: at, at };
  const delay = RETRY_DELAYS_MS[tries];
  // The worker goes on looking at every order of ours; what was never ours is kept for a person.
  if (delay === undefined) return { state: 'unmatched', tries: tries + 1, nextAt: at, at };
  return { state: 'new', tries: tries + 1, nextAt: at + delay, at };
}

interface Found {
  readonly orderIds: readonly string[];
  /** Until then the answer to a card call is awaited: should it be lost, this message is what is left of it. */
  readonly earlyUntil?: number;
  /** The service did not yet tell whose the payment is that the message names: the message is not used up. */
  readonly unanswered: boolean;
}

/** Our orders that a hint points to. A reference alone counts only for a card payment whose answer was lost. */
async function findOrders(services: CheckoutServices, hint: WebhookHint): Promise<Found> {
  const { queries } = services.db;
  const byId = await findOrdersOfServiceIds(queries, hint.ids);
  if (byId.length > 0) return { orderIds: byId, unanswered: false };
  const named = await findNamed(services, hint.references);
  const came: Adoption[] = [];
  if (services.policy.webhooksAuthenticated) {
    for (const { attemptId } of named.filter(lacksServiceId))
      came.push(await adoptPayment(services, attemptId, hint.ids));
  }
  const awaited = named.filter(({ kind, state }) => kind === 'card' && state === 'creating');
  return {
    orderIds: [...new Set(named.map((match) => match.orderId))],
    unanswered: came.includes('not_found') || came.includes('unreachable'),
    ...(awaited.length > 0 && { earlyUntil: Math.max(...awaited.map((match) => match.claimedUntil)) }),
  };
}

/** The attempts of these references, those of callers that died taken for what they are. */
async function findNamed(services: CheckoutServices, references: readonly string[]) {
  const { queries } = services.db;
  const named = await findOrdersNamed(queries, references);
  const now = services.clock.now();
  const lapsed = named.filter(({ state, claimedUntil }) => state === 'creating' && claimedUntil < now);
  if (lapsed.length === 0) return named;
  for (const { orderId } of lapsed) await mendLapsedAttempt(services, orderId);
  return findOrdersNamed(queries, references);
}
