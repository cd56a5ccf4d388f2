import { type LimitedStart, refusalOf } from './account-limits.js';
import type { PaymentContext } from './context.js';
import { LATEST_CARD_CALL_MS } from './lease-times.js';
import { PaymentError } from './rules/payment-error.js';
import type { LeasedAttempt, Started } from './start-attempt.js';
import { storeFailureAndThrow, storeResponse } from './store-response.js';

/**
 * Asks the host once, just before the gateway call, whether a leased attempt may start, and then counts it for the account.
 * A refusal ends the attempt without a call, and the customer may try again. So does an error of the host, which is thrown.
 */
export async function admitStart(
  context: PaymentContext,
  { order, attempt, leasedAt }: LeasedAttempt,
  passed: unknown,
): Promise<Extract<Started, { kind: 'limited' }> | undefined> {
  const { accountLimits, host } = context;
  const { flow } = attempt;
  let refused: LimitedStart | undefined;
  try {
    const admission = await host.admit(order, flow, passed);
    refused = await refusalOf(admission, (share) => accountLimits.count(flow, share));
    if (flow === 'card' && performance.now() - leasedAt > LATEST_CARD_CALL_MS)
      throw new PaymentError('gateway_unavailable');
  } catch (error) {
    // The gateway was not called, so the attempt has failed and its outcome is known.
    return storeFailureAndThrow(context, attempt, error);
  }
  if (!refused) return undefined;
  const stored = await storeResponse(context, attempt, { kind: 'failed', reason: 'own_limit' });
  return { ...refused, order: stored?.order ?? order };
}
