import { recordEvent } from '../db/history.js';
import type { Order } from '../db/orders.js';
import { type Effect, effectKey, hastenEffect } from '../db/outbox.js';
import { EFFECT_LEASE_MS } from './process-outbox.js';
import type { CheckoutServices } from './services.js';

/**
 * Makes a delayed outbox job due now. Returns `not_waiting` if the job is done or due within the lease time: a worker may
 * hold its lease, and the job must not run twice at once.
 */
export async function retryEffect(
  services: CheckoutServices,
  order: Pick<Order, 'id' | 'number'>,
  effect: Effect['effect'],
): Promise<'hastened' | 'not_waiting'> {
  const at = services.clock.now();
  const hastened = await services.db.transaction(async (queries) => {
    const found = await hastenEffect(queries, effectKey(effect, order.id), {
      at,
      after: at + EFFECT_LEASE_MS,
    });
    if (found)
      await recordEvent(queries, { orderId: order.id, at, kind: 'effect_retried', detail: { effect } });
    return found;
  });
  if (!hastened) return 'not_waiting';
  services.log.info('effect_hastened', { order: order.number, kind: effect });
  return 'hastened';
}
