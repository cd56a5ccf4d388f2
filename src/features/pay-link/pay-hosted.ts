/** The payment link of an order through the hosted flow. */
import type { IRouter, Response } from 'express';
import type { WebContext } from '../../web/context.js';
import { loadedOrder, loadOrder } from '../../web/load-order.js';
import { checkoutCsp } from '../../web/middleware/security-headers.js';
import { contextOf } from '../../web/request-context.js';
import type { PostLimits } from './limit-posts.js';
import { payLinkPath, payLinkPaths } from './paths.js';
import { answerPayment, readSubmission, startOptionsOf } from './pay-form.js';

/** Adds `POST /orders/:token/pay/hosted` if the shop offers this flow. */
export function addHostedPayLink(app: IRouter, { config }: WebContext, limits: PostLimits): void {
  if (!config.paymentFlows.includes('hosted')) return;
  // The address of a form with errors.
  app.get(payLinkPaths.payLinkHosted, loadOrder, (_req, res) => res.redirect(303, payLinkPath(loadedOrder(res))));
  app.post(payLinkPaths.payLinkHosted, checkoutCsp(config, []), loadOrder, limits.refuse, (_req, res) =>
    submit(res, limits),
  );
}

async function submit(res: Response, limits: PostLimits): Promise<void> {
  const submission = await readSubmission(res, 'pay-link/pay');
  if (!submission) return;
  await limits.count(res);
  const order = loadedOrder(res);
  const started = contextOf(res).checkout.payments.startHosted(order.id, startOptionsOf(order, submission.payment));
  await answerPayment(res, 'pay-link/pay', submission, started);
}
