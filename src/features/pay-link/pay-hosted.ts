/** The payment link of an order through the hosted flow. */
import type { IRouter, Response } from 'express';
import type { CheckoutContext } from '../../checkout/context.js';
import { startAttempt } from '../../checkout/start-attempt.js';
import { openSession } from '../../checkout/start-hosted-checkout.js';
import type { Order } from '../../db/orders.js';
import type { WebContext } from '../../web/context.js';
import { loadedOrder, loadOrder } from '../../web/load-order.js';
import { checkoutCsp } from '../../web/middleware/security-headers.js';
import { paths, payLinkPath } from '../../web/paths.js';
import { contextOf } from '../../web/request-context.js';
import type { PostLimits } from './limit-posts.js';
import { answerPayment, type LinkPayment, type LinkResult, readSubmission } from './pay-form.js';

/** Adds `POST /orders/:token/pay/hosted` if the shop offers this flow. */
export function addHostedPayLink(app: IRouter, { config }: WebContext, limits: PostLimits): void {
  if (!config.paymentFlows.includes('hosted')) return;
  // The address of a form with errors.
  app.get(paths.payLinkHosted, loadOrder, (_req, res) => res.redirect(303, payLinkPath(loadedOrder(res))));
  app.post(paths.payLinkHosted, checkoutCsp(config, []), loadOrder, limits.refuse, (_req, res) => submit(res, limits));
}

async function submit(res: Response, limits: PostLimits): Promise<void> {
  const submission = await readSubmission(res, 'pay');
  if (!submission) return;
  await limits.count(res);
  const started = payHosted(contextOf(res).checkout, loadedOrder(res), submission.payment);
  await answerPayment(res, 'pay', submission, started);
}

/** Returns the URL of the order's hosted page, or where the person is sent instead. Throws as `startHostedCheckout`. */
async function payHosted(
  context: CheckoutContext,
  order: Order,
  payment: LinkPayment,
  isSecondTry = false,
): Promise<LinkResult> {
  const { payer, payAgain, client } = payment;
  const started = await startAttempt(context, order, {
    flow: 'hosted',
    payAgain,
    passed: { client },
    isFromLink: true,
    isByOther: payer !== undefined,
  });
  if (started.kind !== 'leased') return started;
  const opened = await openSession(context, started, { client, payer, isSecondTry });
  return opened.kind === 'lost' ? payHosted(context, order, payment, true) : opened;
}
