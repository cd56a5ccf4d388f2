/** The checkout: a form for each payment flow of the shop. */

import { isOffered } from '@tianguis/payments/rules';
import type { IRouter, Request, RequestHandler, Response } from 'express';
import { findLatestOrderOfCart, type Order } from '../../tables/orders.js';
import { addRoutes } from '../add-routes.js';
import { readSessionCart } from '../cart-page.js';
import {
  isPayAgain,
  readCheckoutPage,
  readForm,
  redirectLimited,
  redirectToCheckout,
  refreshForm,
  sendQuotes,
} from '../checkout-form.js';
import { clientKeysOf } from '../client-address.js';
import { actionOf, type FlowPages, formPathOf, type PaymentPage } from '../flow-pages.js';
import { limitRate } from '../middleware/rate-limit.js';
import { checkoutCsp } from '../middleware/security-headers.js';
import { orderPath, paths } from '../paths.js';
import { render } from '../render.js';
import { contextOf } from '../request-context.js';
import { readSubmission, submitPayment } from '../submit-checkout.js';
import type { WebContext } from '../web-context.js';

/** Adds `GET /checkout`, and the routes of each payment flow. */
export function addCheckoutRoutes(app: IRouter, web: WebContext): void {
  // The payment flows share one rate limit.
  const limit = limitRate(web);
  for (const flow of web.flows) addFlow(app, web, flow, limit);
  const [first] = web.flows;
  app.get(paths.checkoutQuotes, sendQuotes);
  // All checkout links point to `/checkout`.
  if (first && web.flows.every(({ formPath }) => formPath !== ''))
    app.get(paths.checkout, (req, res) => {
      const page = formPathOf(first, paths.checkout);
      res.redirect(303, isPayAgain(req) ? `${page}?pay_again=1` : page);
    });
}

function addFlow(app: IRouter, web: WebContext, flow: FlowPages, limit: RequestHandler): void {
  const csp = checkoutCsp(web.config, flow.origins(web.config));
  const page = formPathOf(flow, paths.checkout);
  const action = actionOf(flow, paths.checkout);
  app.get(page, csp, (_req, res) => sendForm(res, flow));
  // An address that customers may have stored.
  if (action !== page) app.get(action, (_req, res) => res.redirect(303, page));
  const pay = (_req: Request, res: Response) => submit(res, flow);
  app.post(action, csp, refreshForm(page), limit, pay, redirectLimited(page));
  addRoutes(app, web, flow.routes?.(CHECKOUT) ?? []);
}

async function submit(res: Response, flow: FlowPages): Promise<void> {
  const page = formPathOf(flow, paths.checkout);
  const submission = await readSubmission(res);
  if (submission.kind === 'form') return redirectToCheckout(res, page, submission.answer);
  const answer = await submitPayment(res, submission, flow);
  if (answer) await redirectToCheckout(res, page, answer);
}

async function sendForm(res: Response, flow: FlowPages): Promise<void> {
  const form = await readForm(res);
  const open = await findOpenOrder(res);
  const payAgain = isPayAgain(res.req) || (flow.paysAtOnce && open !== undefined);
  const shown = await readCheckoutPage(res, flow, { ...form, payAgain });
  if (!shown) return;
  const page = { ...shown, openOrderHref: shown.closed && open && orderPath(open) };
  const { status } = form;
  await render(res, 'checkout', {
    title: page.flow.heading,
    hasErrors: status !== 200,
    page,
    status,
    scripts: [
      '/checkout.js',
      ...(contextOf(res).addressScripts ?? []),
      ...(page.closed === undefined ? flow.scripts : []),
    ],
    path: formPathOf(flow, paths.checkout),
  });
}

/** Returns the cart's order if the customer may still pay it on a payment page. */
async function findOpenOrder(res: Response): Promise<Order | undefined> {
  const { cartId } = res.req.session;
  const { db, clock, payments } = contextOf(res).checkout;
  const order = cartId === undefined ? undefined : await findLatestOrderOfCart(db.queries, cartId);
  if (!order || order.state === 'paid') return undefined;
  const attempts = await payments.orders.attempts(order.id);
  return attempts.some((attempt) => isOffered(attempt, clock.now())) ? order : undefined;
}

const CHECKOUT: PaymentPage = {
  path: paths.checkout,
  load: [],
  async readPayable(res) {
    const { cartId } = res.req.session;
    const cart = await readSessionCart(res);
    if (cart.lines.length === 0) return { error: 'cart_empty', location: await nextPathWithoutCart(res) };
    const client = clientKeysOf(res);
    return { keys: client && { ...client, ...(cartId !== undefined && { cartId }) } };
  },
};

/** Returns the order page if the cart was paid in another tab, otherwise `/cart`. */
async function nextPathWithoutCart(res: Response): Promise<string> {
  const { cartId } = res.req.session;
  const { queries } = contextOf(res).checkout.db;
  const order = cartId === undefined ? undefined : await findLatestOrderOfCart(queries, cartId);
  return order?.state === 'paid' ? orderPath(order) : paths.cart;
}
