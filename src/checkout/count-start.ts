import type { ClientKeys } from '../domain/stock.js';
import type { CheckoutContext } from './context.js';
import type { LeasedAttempt } from './start-attempt.js';
import type { LimitedStart } from './start-limits.js';
import { storeResponse } from './store-response.js';

/**
 * Counts the start of a leased attempt. If a limit refuses it, the attempt ends without a call, and the customer may try
 * again. `client`: absent without rate limits.
 */
export async function countStart(
  context: CheckoutContext,
  { order, attempt }: LeasedAttempt,
  client: ClientKeys | undefined,
): Promise<LimitedStart | undefined> {
  if (!client) return undefined;
  const keys = { ...client, cartId: order.cartId, orderId: order.id };
  const limited = await context.startLimits.count(attempt.flow, keys);
  if (limited) await storeResponse(context, attempt, { kind: 'failed', reason: 'own_limit' });
  return limited;
}
