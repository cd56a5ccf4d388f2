import { pruneMessages } from '../store/inbox.js';
import { pruneSessions } from '../store/sessions.js';
import type { CheckoutServices } from './services.js';

const EVERY_MS = 10 * 60 * 1000;
/** Messages hold what the service said of a customer: they are kept as long as a person may need them. */
const KEEP_MESSAGES_MS = 30 * 24 * 60 * 60 * 1000;

const tidied = new WeakMap<CheckoutServices, number>();

/** Removes sessions that have run out and messages that are long done, now and then. */
export async function tidyUp(services: CheckoutServices): Promise<void> {
  const now = services.clock.now();
  if (now - (tidied.get(services) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return;
  tidied.set(services, now);
  await pruneSessions(services.db.queries, now);
  await pruneMessages(services.db.queries, now - KEEP_MESSAGES_MS);
}
