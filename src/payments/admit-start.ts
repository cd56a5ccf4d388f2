import { type LimitedStart, refusalOf } from './account-limits.js';
import type { PaymentContext } from './context.js';
import type { LeasedAttempt } from './start-attempt.js';
import { storeFailureAndThrow, storeResponse } from './store-response.js';

/**
 * Asks the host once, just before the gateway call, whether a leased attempt may start, and then counts it for the account.
 * A refusal ends the attempt without a call, and the customer may try again. So does an error of the host, which is thrown.
 */
export async function admitStart(
  context: PaymentContext,
  { order, attempt }: LeasedAttempt,
  passed: unknown,
): Promise<LimitedStart | undefined> {
  const { accountLimits, host } = context;
  const { flow } = attempt;
  const admitting = host.admit(order, flow, passed);
  // The gateway was not called, so the attempt has failed and its outcome is known.
  const admission = await admitting.catch((error: unknown) => storeFailureAndThrow(context, attempt, error));
  const refused = await refusalOf(admission, (share) => accountLimits.count(flow, share));
  if (!refused) return undefined;
  await storeResponse(context, attempt, { kind: 'failed', reason: 'own_limit' });
  return refused;
}
