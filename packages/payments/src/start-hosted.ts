/** The `hosted` payment flow of an order. */

import { admitStart } from './admit-start.js';
import type { PaymentContext } from './context.js';
import { ERRORS, GatewayError } from './gateway/errors.js';
import type { StartedSession } from './gateway/hosted-sessions.js';
import { PaymentError } from './rules/payment-error.js';
import {
  type LeasedAttempt,
  paymentRequestOf,
  type Started,
  type StartOptions,
  startAttempt,
} from './start-attempt.js';
import { storeFailureAndThrow, storeResponse } from './store-response.js';

/**
 * Creates the checkout session of an order, or returns the open one. Safe to repeat: a double click, a second tab and the Back
 * button return the same URL. If the answer is lost, a second attempt follows under the next reference, because no customer
 * saw the first session. Throws {@link PaymentError}; the order stays, and the customer may try again.
 */
export async function startHosted(context: PaymentContext, orderId: string, options: StartOptions): Promise<Started> {
  for (const isSecondTry of [false, true]) {
    const leased = await startAttempt(context, orderId, 'hosted', options);
    if (leased.kind !== 'leased') return leased;
    const opened = await openSession(context, leased, { passed: options.passed, isSecondTry });
    if (opened.kind !== 'lost') return opened;
  }
  throw new PaymentError('gateway_unavailable');
}

/** `lost`: the answer did not arrive and no customer saw the session. Not at the second try. */
async function openSession(
  context: PaymentContext,
  leased: LeasedAttempt,
  { passed, isSecondTry }: { readonly passed: unknown; readonly isSecondTry: boolean },
): Promise<Started | { readonly kind: 'lost' }> {
  const { order, attempt, lines } = leased;
  const refused = await admitStart(context, leased, passed);
  if (refused) return refused;
  const payment = { ...paymentRequestOf(context, leased), lines, expiresAt: attempt.offerEndsAt };
  let session: StartedSession;
  try {
    session = await context.gateway.startSession(payment, context.clock.now());
  } catch (error) {
    if (isSecondTry || !mayTryAgain(error)) return storeFailureAndThrow(context, attempt, error);
    const failed = await storeResponse(context, attempt, { kind: 'failed', reason: error.code });
    return failed ? { kind: 'lost' } : { kind: 'show_order', order };
  }
  return storeSession(context, leased, session);
}

async function storeSession(
  context: PaymentContext,
  { order, attempt }: LeasedAttempt,
  session: StartedSession,
): Promise<Started> {
  const { gatewayId } = session;
  const fields = { order: order.number, attempt: attempt.id };
  if (session.kind === 'unusable') {
    const { fault: reason } = session;
    const refused = session.fault === 'page_origin' ? { origin: session.origin } : undefined;
    const setting = refused && 'CHECKOUT_PAGE_ORIGINS';
    context.log.error('session.rejected', { ...fields, reason, setting, ...refused });
    await storeResponse(context, attempt, { kind: 'failed', reason, gatewayId, ...refused });
    throw new PaymentError('payment_refused');
  }
  const { url, offerEndsAt, numbers, unused = [] } = session;
  for (const member of unused) context.log.warn('gateway.value_unused', { ...fields, call: 'create-session', member });
  const opened = { kind: 'opened', gatewayId, redirectUrl: url, offerEndsAt, ...numbers } as const;
  const stored = await storeResponse(context, attempt, opened);
  return stored?.isUsable
    ? { kind: 'redirect', order: stored.order, url }
    : { kind: 'show_order', order: stored?.order ?? order };
}

/**
 * Returns whether the gateway may have created a session that no customer saw. After a timeout there is no time for a second
 * try.
 */
function mayTryAgain(error: unknown): error is GatewayError {
  if (!(error instanceof GatewayError)) return false;
  const { notProcessed, isRetried } = ERRORS[error.code];
  return !notProcessed && isRetried;
}
