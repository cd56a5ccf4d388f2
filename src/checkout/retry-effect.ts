import { recordEvent } from '../store/history.js';
import type { Order } from '../store/orders.js';
import { type Effect, effectKey, hastenEffect } from '../store/outbox.js';
import { EFFECT_LEASE_MS } from './process-outbox.js';
import type { CheckoutServices } from './services.js';

/**
 * Makes an effect of a paid order due at once, whatever pause its failures had earned it. `not_waiting` when it is done
 * or about to be tried anyway: somebody may be at it this moment, and it must not be done twice.
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
