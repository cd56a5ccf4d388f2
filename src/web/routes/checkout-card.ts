/** Payment by card on the shop's own page, and the token with which a browser reaches the vault. */
import type { IRouter, RequestHandler, Response } from 'express';
import { startCardPayment } from '../../checkout/start-card-payment.js';
import { vaultAccess } from '../../checkout/vault-access.js';
import { readCardTokens } from '../../core/card-data.js';
import { findLatestOrderOfCart } from '../../store/orders.js';
import { priceSessionCart, sendFreshForm } from '../checkout-form.js';
import { checkoutPolicy } from '../middleware/security-headers.js';
import { flowServices } from '../request-context.js';
import type { WebServices } from '../services.js';
import { submitCheckout, type WayToPay } from '../submit-checkout.js';

/** Where the browser asks for the token that opens the vault. */
const ACCESS_TOKEN_PATH = '/checkout/card/access-token';

const card: WayToPay = {
  form: {
    title: (t) => t('titles.card'),
    send(web, res, { page, problem, title, status }) {
      const { tokenizerUrl } = web.settings;
      const cardError = problem === undefined ? {} : { cardError: problem };
      return web.pages.send(res, {
        view: 'checkout-card',
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
    return (services, request) => startCardPayment(services, request, tokens);
  },
};

/** The card form, whose fields the browser hands to the vault: what is posted here are tokens. */
export function addCardCheckout(app: IRouter, web: WebServices, limits: RequestHandler): void {
  const policy = checkoutPolicy(web.settings, [new URL(web.settings.tokenizerUrl).origin]);
  app.get('/checkout/card', policy, (_req, res) => sendFreshForm(web, res, card.form));
  app.post('/checkout/card', policy, limits, (_req, res) => submitCheckout(web, res, card));
  app.post(ACCESS_TOKEN_PATH, limits, (_req, res) => sendAccessToken(web, res));
}

/** Only a visitor with something to buy gets a token; it opens the vault for a few minutes and nothing else. */
async function sendAccessToken(web: WebServices, res: Response): Promise<void> {
  const priced = await priceSessionCart(web, res);
  if (priced.lines.length === 0) {
    res.status(409).json({ error: 'cart_empty', location: await wayOnFromEmptyCart(web, res) });
    return;
  }
  const token = await vaultAccess(flowServices(web, res));
  if (token === undefined) res.status(503).json({ error: 'service_unavailable' });
  else res.json({ access_token: token });
}

/** A cart that is empty because another tab paid it leads to what became of it. */
async function wayOnFromEmptyCart(web: WebServices, res: Response): Promise<string> {
  const { cartId } = res.req.session;
  const order =
    cartId === undefined ? undefined : await findLatestOrderOfCart(web.checkout.db.queries, cartId);
  return order?.state === 'paid' ? `/orders/${order.token}` : '/cart';
}
