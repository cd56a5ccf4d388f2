/** The pages of the `card` payment flow: card form, card payment and access token for the tokenizer. */
import type { IRouter, RequestHandler, Response } from 'express';
import { startCardPayment, tokenizerAccess } from '../../checkout/start-card-payment.js';
import { findAttempts, isOffered } from '../../db/attempts.js';
import { findLatestOrderOfCart } from '../../db/orders.js';
import { readCardTokens } from '../../domain/card-data.js';
import { priceCart } from '../../domain/cart.js';
import { type CheckoutForm, isPayAgain, refreshForm, sendFreshForm } from '../checkout-form.js';
import type { WebContext } from '../context.js';
import { fieldsOf } from '../form-body.js';
import { limitGatewayUse } from '../middleware/rate-limit.js';
import { checkoutCsp } from '../middleware/security-headers.js';
import { render } from '../render.js';
import { contextOf } from '../request-context.js';
import { submitCheckout } from '../submit-checkout.js';
import { findSessionCart } from './cart.js';

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
  const token = await tokenizerAccess(contextOf(res).checkout);
  if (token === undefined) res.status(503).json({ error: 'gateway_unavailable' });
  else res.json({ access_token: token });
}

/** Returns the order page if the cart was paid in another tab, otherwise `/cart`. */
async function nextPathWithoutCart(res: Response): Promise<string> {
  const { cartId } = res.req.session;
  const { queries } = contextOf(res).checkout.db;
  const order = cartId === undefined ? undefined : await findLatestOrderOfCart(queries, cartId);
  return order?.state === 'paid' ? `/orders/${order.token}` : '/cart';
}
