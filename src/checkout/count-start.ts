import type { ClientKeys } from '../domain/stock.js';
import type { CheckoutContext } from './context.js';
import type { LeasedAttempt, Payer } from './start-attempt.js';
import { type LimitedStart, startKeysOf } from './start-limits.js';
import { storeResponse } from './store-response.js';

/**
 * Counts the start of a leased attempt. If a limit refuses it, the attempt ends without a call, and the customer may try
 * again. `client`: absent without rate limits. `payer`: absent if the customer of the order pays.
 */
export async function countStart(
  context: CheckoutContext,
  { order, attempt }: LeasedAttempt,
  { client, payer }: { readonly client: ClientKeys | undefined; readonly payer?: Payer | undefined },
): Promise<LimitedStart | undefined> {
  if (!client) return undefined;
  const keys = startKeysOf(order, client, payer !== undefined);
  const limited = await context.startLimits.count(attempt.flow, keys);
  if (limited) await storeResponse(context, attempt, { kind: 'failed', reason: 'own_limit' });
  return limited;
}
