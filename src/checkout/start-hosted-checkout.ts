/** The use case of the `hosted` payment flow. */
import { findOrderLines } from '../db/orders.js';
import { ShopError } from '../domain/shop-error.js';
import type { ClientKeys } from '../domain/stock.js';
import { ERRORS, GatewayError } from '../gateway/errors.js';
import type { StartedSession } from '../gateway/hosted-sessions.js';
import type { CheckoutContext } from './context.js';
import { countStart } from './count-start.js';
import { type CheckoutRequest, type CheckoutResult, placeOrder } from './place-order.js';
import { type LeasedAttempt, type Payer, paymentRequestOf, type StartedPayment } from './start-attempt.js';
import { storeFailureAndThrow, storeResponse } from './store-response.js';

/**
 * Places the order and creates its checkout session, or returns the open one. Safe to repeat: a double click, a second
 * tab and the Back button return the same URL. If the answer is lost, a second attempt follows under the next reference,
 * because no customer saw the first session. Throws {@link ShopError} `gateway_unavailable` or `payment_refused`; order and
 * cart stay, and the customer may try again.
 */
export async function startHostedCheckout(
  context: CheckoutContext,
  request: CheckoutRequest,
  isSecondTry = false,
): Promise<CheckoutResult> {
  const placed = await placeOrder(context, request, 'hosted');
  if (placed.kind !== 'leased') return placed;
  const opened = await openSession(context, placed, { client: request.client, isSecondTry });
  return opened.kind === 'lost' ? startHostedCheckout(context, request, true) : opened;
}

export interface SessionStart {
  readonly client: ClientKeys | undefined;
  readonly payer?: Payer | undefined;
  readonly isSecondTry: boolean;
}

/**
 * Creates the checkout session of a leased attempt. `lost`: the answer did not arrive and no customer saw the session, so the
 * caller may lease another attempt. Not at the second try. Throws as {@link startHostedCheckout}.
 */
export async function openSession(
  context: CheckoutContext,
  leased: LeasedAttempt,
  { client, payer, isSecondTry }: SessionStart,
): Promise<StartedPayment | { readonly kind: 'lost' }> {
  const { order, attempt } = leased;
  const limited = await countStart(context, leased, { client, payer });
  if (limited) return limited;
  const lines = leased.lines ?? (await findOrderLines(context.db.queries, order.id));
  const payment = { ...paymentRequestOf(context, leased, payer), lines, expiresAt: attempt.offerEndsAt };
  let session: StartedSession;
  try {
    session = await context.gateway.startSession(payment, context.clock.now());
  } catch (error) {
    if (isSecondTry || !allowsSecondTry(error)) return storeFailureAndThrow(context, attempt, error);
    const failed = await storeResponse(context, attempt, { kind: 'failed', reason: error.code });
    return failed ? { kind: 'lost' } : { kind: 'show_order', order };
  }
  const { gatewayId } = session;
  if (session.kind === 'unusable') {
    const { fault: reason } = session;
    const refused = session.fault === 'page_origin' ? { origin: session.origin } : undefined;
    const setting = refused && 'CHECKOUT_PAGE_ORIGINS';
    context.log.error('session.rejected', { order: order.number, attempt: attempt.id, reason, setting, ...refused });
    await storeResponse(context, attempt, { kind: 'failed', reason, gatewayId, ...refused });
    throw new ShopError('payment_refused');
  }
  const { url, offerEndsAt, numbers, unused = [] } = session;
  for (const member of unused)
    context.log.warn('gateway.value_unused', {
      order: order.number,
      attempt: attempt.id,
      call: 'create-session',
      member,
    });
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
function allowsSecondTry(error: unknown): error is GatewayError {
  if (!(error instanceof GatewayError)) return false;
  const { notProcessed, isRetried } = ERRORS[error.code];
  return !notProcessed && isRetried;
}
