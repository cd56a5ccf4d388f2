import { createHash } from 'node:crypto';
import { readWebhook } from '../gateway/webhook-wire.js';
import { keepMessage } from '../store/inbox.js';
import type { CheckoutServices } from './services.js';

/**
 * Keeps a message of the service, word for word, before it is answered; what it points to is looked up afterwards.
 * `unreadable` for what is no JSON object. Throws when it could not be kept, so that the sender sends it again.
 */
export async function receiveWebhook(
  services: CheckoutServices,
  body: string,
): Promise<'kept' | 'unreadable'> {
  const hint = readWebhook(parse(body));
  if (!hint) return 'unreadable';
  const { event = null } = hint;
  const hash = createHash('sha256').update(body).digest('hex');
  const fresh = await keepMessage(services.db.queries, { hash, body, event, at: services.clock.now() });
  services.log.info('webhook_kept', {
    message: messageName(hash),
    kind: event ?? 'unnamed',
    count: fresh ? 1 : 2,
  });
  return 'kept';
}

/** What the log calls a message, from its receipt to its end. Too short to be taken for a card number. */
export function messageName(hash: string): string {
  return hash.slice(0, 12);
}

/** A message that was kept, as JSON again. */
export function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
