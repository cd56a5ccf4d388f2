/** The payment link of an order through the card flow. */
import type { IRouter, Request, Response } from 'express';
import type { Order } from '../../db/orders.js';
import type { Started } from '../../payments/index.js';
import { type CardTokens, readCardTokens } from '../../payments/rules/index.js';
import type { CheckoutContext } from '../../shop/context.js';
import { peekStart, startKeysOf } from '../../shop/start-limits.js';
import { clientKeysOf } from '../../web/client-address.js';
import type { WebContext } from '../../web/context.js';
import { fieldsOf, postedText } from '../../web/form-body.js';
import { loadedOrder, loadOrder } from '../../web/load-order.js';
import { tooManyAttempts } from '../../web/middleware/rate-limit.js';
import { checkoutCsp } from '../../web/middleware/security-headers.js';
import { contextOf } from '../../web/request-context.js';
import { ownsOrder, type PostLimits } from './limit-posts.js';
import { payLinkPath, payLinkPaths } from './paths.js';
import {
  answerPayment,
  type LinkPayment,
  readSubmission,
  redirectToLink,
  sendLink,
  startOptionsOf,
} from './pay-form.js';
import { readLink } from './pay-page.js';

/** Adds `GET` and `POST /orders/:token/pay/card` if the shop offers this flow. */
export function addCardPayLink(app: IRouter, { config }: WebContext, limits: PostLimits): void {
  if (!config.paymentFlows.includes('card')) return;
  const csp = checkoutCsp(config, [new URL(config.payments.tokenizerUrl).origin]);
  app.get(payLinkPaths.payLinkCard, csp, loadOrder, (_req, res) => sendLink(res, 'pay-link/pay-card'));
  app.post(payLinkPaths.payLinkCard, csp, loadOrder, limits.refuse, (req, res) => submit(req, res, limits));
  app.post(payLinkPaths.payLinkAccessToken, loadOrder, sendAccessToken);
}

/** The card inputs have no `name`, so that the form posts no card data. */
async function submit(req: Request, res: Response, limits: PostLimits): Promise<void> {
  const { t, checkout } = contextOf(res);
  const submission = await readSubmission(res, 'pay-link/pay-card');
  if (!submission) return;
  const { typed, payment } = submission;
  const tokens = readCardTokens(fieldsOf(req));
  const { payAgain } = payment;
  if (!tokens)
    return redirectToLink(res, 'pay-link/pay-card', {
      status: 422,
      typed,
      payAgain,
      cardError: t('fields.card.invalid'),
    });
  await limits.count(res);
  await answerPayment(res, 'pay-link/pay-card', submission, payByCard(checkout, loadedOrder(res), payment, tokens));
}

/** Sends an access token for the tokenizer. Answers 409 if the order cannot be paid, 429 above a limit, and 503 if the gateway returns no token. */
async function sendAccessToken(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const order = loadedOrder(res);
  const { state } = await readLink(context, order, []);
  if (state !== 'open') {
    res.status(409).json({ error: 'not_payable', location: payLinkPath(order) });
    return;
  }
  const client = clientKeysOf(res);
  const keys = client && startKeysOf(order, client, !ownsOrder(res));
  const access = await context.checkout.payments.accessToken({
    isRefused: postedText(req, 'refused') === '1',
    admit: async () => keys && context.checkout.startLimits.countToken(keys),
  });
  if (access.kind === 'limited') throw tooManyAttempts(res, access.limit, access.seconds);
  if (access.kind === 'unavailable') res.status(503).json({ error: 'gateway_unavailable' });
  else res.json({ access_token: access.token });
}

/** Sends at most one card payment for the order. Throws as `startCard`. */
async function payByCard(
  context: CheckoutContext,
  order: Order,
  { payer, payAgain, client }: LinkPayment,
  tokens: CardTokens,
): Promise<Started<Order>> {
  const keys = client && startKeysOf(order, client, payer !== undefined);
  const limited = keys && (await peekStart(context, 'card', keys));
  if (limited) return limited;
  return context.payments.startCard(order.id, tokens, startOptionsOf(order, { payer, payAgain, client }));
}
