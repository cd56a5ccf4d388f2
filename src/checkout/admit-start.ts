import type { PaymentContext } from '../payments/context.js';
import { type LimitedStart, refusalOf } from './account-limits.js';
import type { LeasedAttempt } from './start-attempt.js';
import { storeResponse } from './store-response.js';

/**
 * Asks the host once, just before the gateway call, whether a leased attempt may start, and then counts it for the account.
 * A refusal ends the attempt without a call, and the customer may try again.
 */
export async function admitStart(
  context: PaymentContext,
  { order, attempt }: LeasedAttempt,
  passed: unknown,
): Promise<LimitedStart | undefined> {
  const { accountLimits, host } = context;
  const { flow } = attempt;
  const admission = await host.admit(order, flow, passed);
  const refused = await refusalOf(admission, (share) => accountLimits.count(flow, share));
  if (!refused) return undefined;
  await storeResponse(context, attempt, { kind: 'failed', reason: 'own_limit' });
  return refused;
}
