import { forgetShoppers, type Pruned, prune } from '../store/prune.js';
import type { CheckoutServices } from './services.js';

const EVERY_MS = 10 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A few hundred rows hold nobody up; more follow in the worker's next turn. */
const MOST = 200;

/** How long what is over is kept, in milliseconds. */
const KEEP_MS: readonly (readonly [Pruned, number])[] = [
  ['sessions', 0],
  // Twice as long as a session finds its cart.
  ['carts', 60 * DAY_MS],
  // Messages hold what the service said of a customer: they are kept as long as a person may need them.
  ['messages', 30 * DAY_MS],
  ['effects', 90 * DAY_MS],
];

const tidied = new WeakMap<CheckoutServices, number>();

/**
 * Removes, now and then, sessions that have run out, carts that were left, messages and effects that are long done, and
 * if the merchant wishes the names and e-mails of old orders. A part at a time: what is left is for the next turn.
 */
export async function tidyUp(services: CheckoutServices): Promise<void> {
  const now = services.clock.now();
  if (now - (tidied.get(services) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return;
  const removed = [await forgetOldShoppers(services, now)];
  for (const [what, keptFor] of KEEP_MS)
    removed.push(await prune(services.db.queries, what, { before: now - keptFor, most: MOST }));
  if (removed.every((count) => count < MOST)) tidied.set(services, now);
}

async function forgetOldShoppers({ db, policy }: CheckoutServices, now: number): Promise<number> {
  const { personalDataMs } = policy;
  if (personalDataMs === undefined) return 0;
  return db.transaction((queries) =>
    forgetShoppers(queries, { before: now - personalDataMs, most: MOST, at: now }),
  );
}
