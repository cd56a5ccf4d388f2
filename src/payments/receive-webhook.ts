import { createHash } from 'node:crypto';
import type { PaymentContext } from './context.js';
import { readWebhook, type WebhookHint } from './gateway/webhook-event.js';
import { findAttempts, findAttemptsByReference, findOrderIdsByGatewayId } from './store/attempts.js';
import { storeWebhook } from './store/inbox.js';

/**
 * Stores a webhook event before it is answered. The worker processes it later. An authenticated event is stored unchanged.
 * Without authentication, one reference of each order that the event names is stored. Returns `ignored` if there is none,
 * and `unreadable` if the body is not a JSON object. Throws if the event could not be stored, so that the gateway sends it
 * again.
 */
export async function receiveWebhook(
  context: PaymentContext,
  body: string,
): Promise<'stored' | 'ignored' | 'unreadable'> {
  const hint = readWebhook(parse(body));
  if (!hint) return 'unreadable';
  const { event = null } = hint;
  if (context.config.webhooksAuthenticated) {
    await store(context, body, event);
    return 'stored';
  }
  const references = await ownReferences(context, hint);
  for (const reference of references) await store(context, JSON.stringify(reference), null);
  return references.length === 0 ? 'ignored' : 'stored';
}

async function store(context: PaymentContext, body: string, event: string | null): Promise<void> {
  const hash = createHash('sha256').update(body).digest('hex');
  const copies = await storeWebhook(context.db.queries, { hash, body, event, at: context.clock.now() });
  context.log.info('webhook.stored', {
    webhook: webhookName(hash),
    event: event ?? 'unnamed',
    copies,
  });
}

/** Orders that an event without authentication may name. Each may cause lookups. */
const MAX_ORDERS = 2;

/** Returns one reference for each of our orders that an event names, up to {@link MAX_ORDERS}. This limits stored rows to the number of orders. */
async function ownReferences({ db }: PaymentContext, hint: WebhookHint): Promise<readonly string[]> {
  const { queries } = db;
  const named = await findAttemptsByReference(queries, hint.texts);
  const orderIds = new Set([
    ...(await findOrderIdsByGatewayId(queries, hint.texts)),
    ...named.map(({ orderId }) => orderId),
  ]);
  const attempts = await Promise.all(
    [...orderIds].slice(0, MAX_ORDERS).map((orderId) => findAttempts(queries, orderId)),
  );
  return attempts.flatMap(([first]) => first?.reference ?? []);
}

/** Returns the name of an event in the log. 12 hexadecimal digits are too short to look like a card number. */
export function webhookName(hash: string): string {
  return hash.slice(0, 12);
}

/** Parses a stored event body; returns `undefined` if it is not JSON. */
export function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
