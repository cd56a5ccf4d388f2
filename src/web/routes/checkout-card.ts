/** The pages of the `card` payment flow: card form, card payment and access token for the tokenizer. */
import type { IRouter, Request, RequestHandler, Response } from 'express';
import { findLatestOrderOfCart } from '../../db/orders.js';
import { findAttempts, isOffered } from '../../payments/index.js';
import { readCardTokens } from '../../payments/rules/index.js';
import { priceCart } from '../../shop/rules/cart.js';
import { startCardPayment } from '../../shop/start-card-payment.js';
import {
  type FormAnswer,
  isPayAgain,
  readCheckoutPage,
  readForm,
  redirectLimited,
  redirectToCheckout,
  refreshForm,
} from '../checkout-form.js';
import { clientKeysOf } from '../client-address.js';
import type { WebContext } from '../context.js';
import { fieldsOf, postedText } from '../form-body.js';
import { tooManyAttempts } from '../middleware/rate-limit.js';
import { checkoutCsp } from '../middleware/security-headers.js';
import { orderPath, paths } from '../paths.js';
import { render } from '../render.js';
import { contextOf } from '../request-context.js';
import { answerSubmission, readSubmission } from '../submit-checkout.js';
import { findSessionCart } from './cart.js';

/**
 * Adds `GET` and `POST /checkout/card` if the shop offers this flow. The browser sends the card data to the tokenizer and
 * posts only tokens here. Without the `hosted` flow `/checkout` redirects here, because all checkout links point there.
 */
export function addCardCheckout(app: IRouter, web: WebContext, limit: RequestHandler): void {
  if (!web.config.paymentFlows.includes('card')) return;
  const csp = checkoutCsp(web.config, [new URL(web.config.payments.tokenizerUrl).origin]);
  app.get(paths.checkout, (req, res) => {
    res.redirect(303, isPayAgain(req) ? `${paths.cardCheckout}?pay_again=1` : paths.cardCheckout);
  });
  app.get(paths.cardCheckout, csp, async (req, res) => {
    // The warning comes before a card is typed.
    const payAgain = isPayAgain(req) || (await isPageOpen(res));
    await sendForm(res, { ...(await readForm(res)), payAgain });
  });
  app.post(
    paths.cardCheckout,
    csp,
    refreshForm(paths.cardCheckout),
    limit,
    submit,
    redirectLimited(paths.cardCheckout),
  );
  app.post(paths.cardAccessToken, sendAccessToken);
}

/** The card inputs have no `name`, so that the form posts no card data. */
async function submit(req: Request, res: Response): Promise<void> {
  const { t, checkout } = contextOf(res);
  const submission = readSubmission(res);
  if (submission.kind === 'form') return redirectToCheckout(res, paths.cardCheckout, submission.answer);
  const { typed } = submission;
  const tokens = readCardTokens(fieldsOf(req));
  if (!tokens)
    return redirectToCheckout(res, paths.cardCheckout, { status: 422, typed, problem: t('fields.card.invalid') });
  const started = startCardPayment(checkout, submission.request, tokens);
  const answer = await answerSubmission(res, submission, started);
  if (answer) await redirectToCheckout(res, paths.cardCheckout, answer);
}

async function sendForm(res: Response, answer: FormAnswer): Promise<void> {
  const page = await readCheckoutPage(res, answer);
  if (!page) return;
  const { t, config } = contextOf(res);
  const { status, problem } = answer;
  await render(res, 'checkout-card', {
    title: t('titles.card'),
    hasErrors: status !== 200,
    page: {
      ...page,
      tokenizerUrl: config.payments.tokenizerUrl,
      accessTokenPath: paths.cardAccessToken,
      total: page.chosen?.total,
      cardError: problem,
    },
    status,
    scripts: ['/checkout.js', '/card.js'],
    path: paths.cardCheckout,
  });
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

/** Sends an access token for the tokenizer. Answers 409 if the cart is empty, 429 above a limit, and 503 if the gateway returns no token. */
async function sendAccessToken(req: Request, res: Response): Promise<void> {
  const cart = priceCart(await findSessionCart(res));
  if (cart.lines.length === 0) {
    res.status(409).json({ error: 'cart_empty', location: await nextPathWithoutCart(res) });
    return;
  }
  const client = clientKeysOf(res);
  const { cartId } = req.session;
  const keys = client && { ...client, ...(cartId !== undefined && { cartId }) };
  const { checkout } = contextOf(res);
  const access = await checkout.payments.accessToken({
    isRefused: postedText(req, 'refused') === '1',
    admit: async () => keys && checkout.startLimits.countToken(keys),
  });
  if (access.kind === 'limited') throw tooManyAttempts(res, access.limit, access.seconds);
  if (access.kind === 'unavailable') res.status(503).json({ error: 'gateway_unavailable' });
  else res.json({ access_token: access.token });
}

/** Returns the order page if the cart was paid in another tab, otherwise `/cart`. */
async function nextPathWithoutCart(res: Response): Promise<string> {
  const { cartId } = res.req.session;
  const { queries } = contextOf(res).checkout.db;
  const order = cartId === undefined ? undefined : await findLatestOrderOfCart(queries, cartId);
  return order?.state === 'paid' ? orderPath(order) : paths.cart;
}
