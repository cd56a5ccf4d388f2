import { readWebhook, type WebhookHint } from '../gateway/webhook-wire.js';
import { findOrdersNamed, findOrdersOfServiceIds } from '../store/attempts.js';
import { claimMessages, finishMessage, type InboxMessage } from '../store/inbox.js';
import { adoptPayment } from './adopt-payment.js';
import { parse } from './receive-webhook.js';
import type { CheckoutServices } from './services.js';
import { settlePayment } from './settle-payment.js';

const BATCH = 20;
const LEASE_MS = 60_000;
/** A message may arrive before our own row is written, or while the service cannot be asked. */
const RETRY_DELAYS_MS = [2_000, 15_000, 60_000, 300_000] as const;

/**
 * Looks up what the kept messages point to, each order once. Returns how many messages it took; 0 means that none was
 * due. A crash in the middle leaves them to be taken again.
 */
export async function processInbox(services: CheckoutServices): Promise<number> {
  const at = services.clock.now();
  const messages = await claimMessages(services.db.queries, { at, leaseUntil: at + LEASE_MS, most: BATCH });
  const settled = new Map<string, Promise<boolean>>();
  const settleOnce = (orderId: string) => {
    const known =
      settled.get(orderId) ?? settlePayment(services, orderId, 'webhook').then(({ reached }) => reached);
    settled.set(orderId, known);
    return known;
  };
  await Promise.all(messages.map((message) => processMessage(services, message, settleOnce)));
  return messages.length;
}

async function processMessage(
  services: CheckoutServices,
  message: InboxMessage,
  settleOnce: (orderId: string) => Promise<boolean>,
): Promise<void> {
  const hint = readWebhook(parse(message.body)) ?? { ids: [], references: [] };
  const { orderIds, early } = await findOrders(services, hint);
  const reached = await Promise.all(orderIds.map(settleOnce));
  const understood = orderIds.length > 0 && reached.every(Boolean) && !early;
  const at = services.clock.now();
  const delay = RETRY_DELAYS_MS[message.tries];
  if (understood) await finishMessage(services.db.queries, message, { state: 'done', nextAt: at, at });
  else if (delay === undefined) await giveUp(services, message, at);
  else await finishMessage(services.db.queries, message, { state: 'new', nextAt: at + delay, at });
}

/** The worker goes on looking at every order of ours; what was never ours is kept for a person. */
async function giveUp(services: CheckoutServices, message: InboxMessage, at: number): Promise<void> {
  services.log.warn('webhook_unmatched', { kind: message.event ?? 'unnamed' });
  await finishMessage(services.db.queries, message, { state: 'unmatched', nextAt: at, at });
}

interface Found {
  readonly orderIds: readonly string[];
  /** The answer to a card call is still awaited: should it be lost, this message is what is left of it. */
  readonly early: boolean;
}

/** Our orders that a hint points to. A reference alone counts only for a card payment whose answer was lost. */
async function findOrders(services: CheckoutServices, hint: WebhookHint): Promise<Found> {
  const { queries } = services.db;
  const byId = await findOrdersOfServiceIds(queries, hint.ids);
  if (byId.length > 0) return { orderIds: byId, early: false };
  const named = await findOrdersNamed(queries, hint.references);
  for (const { attemptId } of named.filter((match) => match.state === 'unknown')) {
    await adoptPayment(services, attemptId, hint.ids);
  }
  return {
    orderIds: [...new Set(named.map((match) => match.orderId))],
    early: named.some(({ kind, state }) => kind === 'card' && state === 'creating'),
  };
}
