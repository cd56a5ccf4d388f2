/** The payment link of an order through one payment flow. */

import type { Started } from '@tianguis/payments';
import type { Response } from 'express';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import { peekStart, startKeysOf } from '../../shop/start-limits.js';
import type { Order } from '../../tables/orders.js';
import { clientKeysOf } from '../../web/client-address.js';
import { actionOf, type FlowPages, formPathOf, type PaymentPage } from '../../web/flow-pages.js';
import { checkoutCsp } from '../../web/middleware/security-headers.js';
import { loadedOrder, loadOrder } from '../../web/order/load-order.js';
import { contextOf } from '../../web/request-context.js';
import type { Route } from '../../web/route.js';
import { ownsOrder } from '../../web/session.js';
import type { WebContext } from '../../web/web-context.js';
import type { PostLimits } from './limit-posts.js';
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

/** The routes of a flow, such as `GET` and `POST /orders/:token/pay/card`. */
export function flowRoutes({ config }: WebContext, flow: FlowPages, limits: PostLimits): readonly Route[] {
  const csp = checkoutCsp(config, flow.origins(config));
  const page = formPathOf(flow, payLinkPaths.payLink);
  const action = actionOf(flow, payLinkPaths.payLink);
  const form: Route = { get: page, before: [csp, loadOrder], handler: (_req, res) => sendLink(res, flow) };
  // The address of a form with errors.
  const refused: Route = {
    get: action,
    before: [loadOrder],
    handler: (_req, res) => res.redirect(303, pathOf(flow, loadedOrder(res))),
  };
  return [
    ...(page === payLinkPaths.payLink ? [] : [form]),
    ...(page === action ? [] : [refused]),
    { post: action, before: [csp, loadOrder, limits.refuse], handler: (_req, res) => submit(res, flow, limits) },
    ...(flow.routes?.(PAY_LINK) ?? []),
  ];
}

const pathOf = (flow: FlowPages, order: Order) => formPathOf(flow, payLinkPath(order));

async function submit(res: Response, flow: FlowPages, limits: PostLimits): Promise<void> {
  const submission = await readSubmission(res, flow);
  if (!submission) return;
  const { typed, payment } = submission;
  const { payAgain } = payment;
  const reading = flow.readStart(res);
  if ('problem' in reading)
    return redirectToLink(res, flow, { status: 422, typed, payAgain, problem: reading.problem });
  await limits.count(res);
  const { checkout } = contextOf(res);
  const order = loadedOrder(res);
  const start = async () =>
    (await findLimit(checkout, flow, order, payment)) ?? reading.start(order.id, startOptionsOf(order, payment));
  await answerPayment(res, flow, submission, start());
}

/** Returns the limit that would refuse the payment. */
async function findLimit(
  checkout: CheckoutContext,
  { id, paysAtOnce }: FlowPages,
  order: Order,
  { client, payer }: LinkPayment,
): Promise<Started<Order> | undefined> {
  if (!paysAtOnce || !client) return undefined;
  const limited = await peekStart(checkout, id, startKeysOf(order, client, payer !== undefined));
  return limited && { ...limited, order };
}

const PAY_LINK: PaymentPage = {
  path: payLinkPaths.payLink,
  load: [loadOrder],
  async readPayable(res) {
    const order = loadedOrder(res);
    const { state } = await readLink(res, order, []);
    if (state !== 'open') return { error: 'not_payable', location: payLinkPath(order) };
    const client = clientKeysOf(res);
    return { keys: client && startKeysOf(order, client, !ownsOrder(res, order)) };
  },
};
