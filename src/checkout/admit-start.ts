import type { PaymentContext } from '../payments/context.js';
import type { LeasedAttempt } from './start-attempt.js';
import type { LimitedStart } from './start-limits.js';
import { storeResponse } from './store-response.js';

/**
 * Asks the host once, just before the gateway call, whether a leased attempt may start. A refusal ends the attempt without a
 * call, and the customer may try again.
 */
export async function admitStart(
  context: PaymentContext,
  { order, attempt }: LeasedAttempt,
  passed: unknown,
): Promise<LimitedStart | undefined> {
  const refused = await context.host.admit(order, attempt.flow, passed);
  if (!refused) return undefined;
  await storeResponse(context, attempt, { kind: 'failed', reason: 'own_limit' });
  return { kind: 'limited', ...refused };
}
