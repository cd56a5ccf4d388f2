/** The `card` payment flow: card form, card payment and access token for the tokenizer. */
import type { IRouter, RequestHandler, Response } from 'express';
import { type Attempt, findAttempts, isOffered } from '../../db/attempts.js';
import { findLatestOrderOfCart } from '../../db/orders.js';
import { type CardTokens, readCardTokens } from '../../domain/card-data.js';
import { priceCart } from '../../domain/cart.js';
import type { ProcessedPayment } from '../../gateway/card-payments.js';
import { GatewayError } from '../../gateway/errors.js';
import { type CheckoutForm, isPayAgain, refreshForm, sendFreshForm } from '../../web/checkout-form.js';
import type { WebContext } from '../../web/context.js';
import { fieldsOf } from '../../web/form-body.js';
import { limitGatewayUse } from '../../web/middleware/rate-limit.js';
import { checkoutCsp } from '../../web/middleware/security-headers.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { findSessionCart } from '../../web/routes/cart.js';
import { submitCheckout } from '../../web/submit-checkout.js';
import { acquireAttempt, paymentRequestOf } from '../acquire-attempt.js';
import type { CheckoutContext } from '../context.js';
import { failAttempt, finishAttempt } from '../finish-attempt.js';
import type { CheckoutRequest, CheckoutResult } from '../placement.js';
import { settlePayment } from '../settle-payment.js';

/** The browser requests the access token for the tokenizer here. */
const ACCESS_TOKEN_PATH = '/checkout/card/access-token';

const form: CheckoutForm = (res, { page, problem, hasErrors, status }) => {
  const { t, settings } = contextOf(res);
  const { tokenizerUrl } = settings;
  return render(res, 'checkout-card', {
    title: t('titles.card'),
    hasErrors,
    page: { ...page, tokenizerUrl, accessTokenPath: ACCESS_TOKEN_PATH, cardError: problem },
    status,
    scripts: ['/checkout.js', '/card.js'],
    path: '/checkout/card',
  });
};

/**
 * Adds `GET` and `POST /checkout/card` if the shop offers this flow. The browser sends the card data to the tokenizer and
 * posts only tokens here. Without the `hosted` flow `/checkout` redirects here, because all checkout links point there.
 */
export function addCardCheckout(app: IRouter, web: WebContext, limit: RequestHandler): void {
  if (!web.settings.paymentFlows.includes('card')) return;
  const csp = checkoutCsp(web.settings, [new URL(web.settings.tokenizerUrl).origin]);
  app.get('/checkout', (req, res) => {
    res.redirect(303, isPayAgain(req) ? '/checkout/card?pay_again=1' : '/checkout/card');
  });
  app.get('/checkout/card', csp, async (_req, res) => sendFreshForm(res, form, await isPageOpen(res)));
  app.post('/checkout/card', csp, refreshForm(form), limit, (_req, res) => submitCard(res));
  app.post(ACCESS_TOKEN_PATH, limit, (_req, res) => sendAccessToken(res));
}

/** Returns whether the customer may still pay the cart's order on a hosted page. */
async function isPageOpen(res: Response): Promise<boolean> {
  const { cartId } = res.req.session;
  const { db, clock } = contextOf(res).checkout;
  const order = cartId === undefined ? undefined : await findLatestOrderOfCart(db.queries, cartId);
  if (!order || order.state === 'paid') return false;
  const attempts = await findAttempts(db.queries, order.id);
  return attempts.some((attempt) => isOffered(attempt, clock.now()));
}

/** The card inputs have no `name`, so that the form posts no card data. */
function submitCard(res: Response): Promise<void> {
  const tokens = readCardTokens(fieldsOf(res.req));
  if (!tokens) return submitCheckout(res, form, { problem: contextOf(res).t('fields.card.invalid') });
  return submitCheckout(res, form, {
    start: (context, request) => startCardPayment(context, request, tokens),
  });
}

/** Sends an access token for the tokenizer. Answers 409 if the cart is empty and 503 if the gateway returns no token. */
async function sendAccessToken(res: Response): Promise<void> {
  const cart = priceCart(await findSessionCart(res));
  if (cart.lines.length === 0) {
    res.status(409).json({ error: 'cart_empty', location: await nextPathWithoutCart(res) });
    return;
  }
  await limitGatewayUse(res);
  const { gateway, log } = contextOf(res).checkout;
  try {
    res.json({ access_token: await gateway.accessToken() });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    log.warn('tokenizer_access.failed', { call: error.call, code: error.code, reason: error.reason });
    res.status(503).json({ error: 'gateway_unavailable' });
  }
}

/** Returns the order page if the cart was paid in another tab, otherwise `/cart`. */
async function nextPathWithoutCart(res: Response): Promise<string> {
  const { cartId } = res.req.session;
  const { queries } = contextOf(res).checkout.db;
  const order = cartId === undefined ? undefined : await findLatestOrderOfCart(queries, cartId);
  return order?.state === 'paid' ? `/orders/${order.token}` : '/cart';
}

/**
 * Places the order and sends at most one card payment for it (interface section 4.1). Returns a redirect if the bank
 * requires 3D Secure, otherwise the order after a lookup. Throws `ShopError` only if the card was provably not
 * charged.
 */
export async function startCardPayment(
  context: CheckoutContext,
  request: CheckoutRequest,
  tokens: CardTokens,
): Promise<CheckoutResult> {
  const acquired = await acquireAttempt(context, request, 'card');
  if (acquired.kind !== 'leased') return acquired;
  const { order, attempt } = acquired;
  const processed = await context.gateway.processPayment({ ...paymentRequestOf(context, acquired), tokens });
  switch (processed.kind) {
    case 'known':
      return storeAndRedirect(context, attempt, processed);
    case 'declined': {
      const { gatewayStatus } = processed;
      const finished = await finishAttempt(context, attempt, { kind: 'declined', gatewayStatus });
      return { kind: 'order', order: finished.order };
    }
    case 'refused':
      return failAttempt(context, attempt, processed.error);
    case 'unknown': {
      const { code, status, reason } = processed.error;
      const fields = { order: order.number, attempt: attempt.id, code, status, reason };
      context.log.error('card_payment.outcome_lost', fields);
      const finished = await finishAttempt(context, attempt, { kind: 'unknown', reason: code });
      return { kind: 'order', order: finished.order };
    }
  }
}

async function storeAndRedirect(
  context: CheckoutContext,
  attempt: Attempt,
  { id: gatewayId, bankUrl, payment }: Extract<ProcessedPayment, { kind: 'known' }>,
): Promise<CheckoutResult> {
  const { gatewayStatus, numbers } = payment;
  const opened = { kind: 'opened', gatewayId, gatewayStatus, redirectUrl: bankUrl, ...numbers } as const;
  const finished = await finishAttempt(context, attempt, opened);
  if (bankUrl !== undefined && !finished.late) return { kind: 'redirect', order: finished.order, url: bankUrl };
  const { order } = await settlePayment(context, attempt.orderId, 'card_answer');
  return { kind: 'order', order };
}
