/** The `card` payment flow: card form, card payment and access token for the tokenizer. */
import type { IRouter, RequestHandler, Response } from 'express';
import { startCardPayment } from '../../checkout/start-card-payment.js';
import { tokenizerAccess } from '../../checkout/tokenizer-access.js';
import { findLatestOrderOfCart } from '../../db/orders.js';
import { readCardTokens } from '../../domain/card-data.js';
import { priceSessionCart, sendFreshForm } from '../checkout-form.js';
import type { WebContext } from '../context.js';
import { limitGatewayUse } from '../middleware/rate-limit.js';
import { checkoutPolicy } from '../middleware/security-headers.js';
import { render } from '../render.js';
import { checkoutFor } from '../request-context.js';
import { submitCheckout, type WayToPay } from '../submit-checkout.js';

/** The browser requests the access token for the tokenizer here. */
const ACCESS_TOKEN_PATH = '/checkout/card/access-token';

const card: WayToPay = {
  form: {
    title: (t) => t('titles.card'),
    send(web, res, { page, problem, title, status }) {
      const { tokenizerUrl } = web.settings;
      const cardError = problem === undefined ? {} : { cardError: problem };
      return render(web, res, 'checkout-card', {
        title,
        page: { ...page, tokenizerUrl, accessTokenPath: ACCESS_TOKEN_PATH, ...cardError },
        status,
        scripts: ['/card.js'],
        path: '/checkout/card',
      });
    },
  },
  begin(fields, t) {
    const tokens = readCardTokens(fields);
    if (!tokens) return t('fields.card.invalid');
    return (context, request) => startCardPayment(context, request, tokens);
  },
};

/**
 * Adds the routes of the `card` flow. The browser sends the card data to the tokenizer and posts only tokens here.
 * The caller must pass the payment limits.
 */
export function addCardCheckout(app: IRouter, web: WebContext, limits: RequestHandler): void {
  const policy = checkoutPolicy(web.settings, [new URL(web.settings.tokenizerUrl).origin]);
  app.get('/checkout/card', policy, (_req, res) => sendFreshForm(web, res, card.form));
  app.post('/checkout/card', policy, limits, (_req, res) => submitCheckout(web, res, card));
  app.post(ACCESS_TOKEN_PATH, limits, (_req, res) => sendAccessToken(web, res));
}

/** Sends an access token for the tokenizer. Answers 409 if the cart is empty and 503 if the gateway returns no token. */
async function sendAccessToken(web: WebContext, res: Response): Promise<void> {
  const priced = await priceSessionCart(web, res);
  if (priced.lines.length === 0) {
    res.status(409).json({ error: 'cart_empty', location: await wayOnFromEmptyCart(web, res) });
    return;
  }
  await limitGatewayUse(web, res);
  const token = await tokenizerAccess(checkoutFor(web, res));
  if (token === undefined) res.status(503).json({ error: 'gateway_unavailable' });
  else res.json({ access_token: token });
}

/** Returns the order page if the cart was paid in another tab, otherwise `/cart`. */
async function wayOnFromEmptyCart(web: WebContext, res: Response): Promise<string> {
  const { cartId } = res.req.session;
  const order =
    cartId === undefined ? undefined : await findLatestOrderOfCart(web.checkout.db.queries, cartId);
  return order?.state === 'paid' ? `/orders/${order.token}` : '/cart';
}
