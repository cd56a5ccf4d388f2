import { type RequestHandler, type Response, Router } from 'express';
import { isOwnOrder } from '../../checkout/order-ownership.js';
import { startCardPayment } from '../../checkout/start-card-payment.js';
import { type CheckoutStep, startHostedCheckout } from '../../checkout/start-hosted-checkout.js';
import { vaultAccess } from '../../checkout/vault-access.js';
import { type CardTokens, readCardTokens } from '../../core/card-data.js';
import { type Contact, readContact } from '../../core/contact.js';
import type { AttemptKind } from '../../core/order.js';
import { ShopError } from '../../core/shop-error.js';
import { findLatestOrderOfCart } from '../../store/orders.js';
import { formatMoney } from '../../words/format.js';
import {
  ACCESS_TOKEN_PATH,
  priceSessionCart,
  sendForm,
  sendFreshForm,
  typedTexts,
} from '../checkout-form.js';
import { limitAttempts } from '../middleware/limit-attempts.js';
import { checkoutPolicy, noStore } from '../middleware/security-headers.js';
import type { TypedContact } from '../pages/checkout-page.js';
import { contextOf, flowServices, nameOrder } from '../request-context.js';
import type { WebServices } from '../services.js';
import { ownOrder, ownOrders } from '../session.js';

/** The ways to pay that this shop offers: a form each, and the token with which a browser reaches the vault. */
export function checkoutRoutes(web: WebServices): Router {
  const router = Router();
  const { waysToPay } = web.settings;
  router.use('/checkout', noStore);
  // One count for both ways.
  const limits = limitAttempts(web);
  if (waysToPay.includes('hosted')) addHosted(router, web, limits);
  // Every way to the checkout leads to /checkout.
  else router.get('/checkout', (_req, res) => res.redirect(303, '/checkout/card'));
  if (waysToPay.includes('card')) addCard(router, web, limits);
  return router;
}

function addHosted(router: Router, web: WebServices, limits: RequestHandler): void {
  const policy = checkoutPolicy(web.settings, 'checkout');
  router.get('/checkout', policy, (_req, res) => sendFreshForm(web, res, 'hosted'));
  router.post('/checkout/hosted', policy, limits, (_req, res) => submit(web, res, 'hosted'));
}

function addCard(router: Router, web: WebServices, limits: RequestHandler): void {
  const policy = checkoutPolicy(web.settings, 'card');
  router.get('/checkout/card', policy, (_req, res) => sendFreshForm(web, res, 'card'));
  router.post('/checkout/card', policy, limits, (_req, res) => submit(web, res, 'card'));
  router.post(ACCESS_TOKEN_PATH, limits, (_req, res) => sendAccessToken(web, res));
}

/** A form whose fields are all in order. */
interface Submission {
  readonly way: AttemptKind;
  readonly contact: Contact;
  readonly tokens?: CardTokens;
  readonly seenTotal?: string;
  readonly typed: TypedContact;
}

async function submit(web: WebServices, res: Response, way: AttemptKind): Promise<void> {
  const fields = res.req.body as Readonly<Record<string, unknown>>;
  const values = typedTexts(fields);
  const reading = readContact(fields);
  if (!reading.ok)
    return sendForm(web, res, { way, status: 422, typed: { values, problems: reading.problems } });
  const typed = { values, problems: {} };
  const tokens = way === 'card' ? readCardTokens(fields) : undefined;
  if (way === 'card' && !tokens) {
    return sendForm(web, res, {
      way,
      status: 422,
      typed,
      cardError: contextOf(res).t('fields.card.invalid'),
    });
  }
  const { seen_total: seenTotal } = fields;
  return pay(web, res, {
    way,
    typed,
    contact: reading.contact,
    ...(tokens && { tokens }),
    ...(typeof seenTotal === 'string' && { seenTotal }),
  });
}

async function pay(web: WebServices, res: Response, submission: Submission): Promise<void> {
  const { way, contact, tokens, typed } = submission;
  const request = {
    cartId: res.req.session.cartId,
    contact,
    locale: contextOf(res).locale,
    ownOrders: ownOrders(res),
    ...(submission.seenTotal !== undefined && { seenTotal: submission.seenTotal }),
  };
  const services = flowServices(web, res);
  try {
    const step = await (tokens
      ? startCardPayment(services, request, tokens)
      : startHostedCheckout(services, request));
    await follow(web, res, { step, submission });
  } catch (error) {
    const answer = keepsTheForm(res, error);
    if (!answer) throw error;
    await sendForm(web, res, { way, typed, ...answer });
  }
}

/** Faults after which the shopper may simply press the button again: the form comes back as it was. */
function keepsTheForm(res: Response, error: unknown): { status: number; notice: string } | undefined {
  const { t } = contextOf(res);
  const code = error instanceof ShopError ? error.code : undefined;
  if (code === 'service_unavailable') return { status: 503, notice: t('notices.serviceUnavailable') };
  return code === 'payment_refused' ? { status: 502, notice: t('errors.payment_refused.text') } : undefined;
}

async function follow(
  web: WebServices,
  res: Response,
  { step, submission }: { readonly step: CheckoutStep; readonly submission: Submission },
): Promise<void> {
  if (step.kind === 'cart_empty') throw new ShopError('cart_empty');
  if (step.kind === 'cart_changed') {
    const { locale, t } = contextOf(res);
    const notice = t('notices.totalChanged', { total: formatMoney(step.cart.total, locale) });
    const { way, typed } = submission;
    return sendForm(web, res, { way, status: 409, typed, priced: step.cart, notice });
  }
  const { contact } = submission;
  nameOrder(res, step.order);
  if (isOwnOrder(step.order, { contact, ownOrders: ownOrders(res) })) await ownOrder(res.req, step.order);
  if (step.kind === 'redirect') res.redirect(302, step.url);
  else res.redirect(303, `/orders/${step.order.token}`);
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
