/** The form of a payment link, for each payment flow: reads it, and answers with a redirect or with the form again. */

import type { Started, StartOptions } from '@tianguis/payments';
import { errorName, isPayableAt, isUncertain, type Payer, PaymentError } from '@tianguis/payments/rules';
import type { Response } from 'express';
import { readContact } from '../../shop/rules/contact.js';
import type { ClientKeys } from '../../shop/rules/stock.js';
import type { ShopStart } from '../../shop/shop-host.js';
import type { Order } from '../../tables/orders.js';
import { isPayAgain, typedTexts } from '../../web/checkout-form.js';
import { clientKeysOf } from '../../web/client-address.js';
import type { TypedForm } from '../../web/contact-fields.js';
import { type FlowPages, formPathOf } from '../../web/flow-pages.js';
import { fieldsOf } from '../../web/form-body.js';
import { reportLimit } from '../../web/middleware/rate-limit.js';
import { loadedOrder } from '../../web/order/load-order.js';
import { orderPath } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { ownershipMarks, ownsOrder } from '../../web/session.js';
import { findForm, isAnswer, isWaitOver, redirectToForm, storeForm, waitText } from '../../web/typed-form.js';
import { payLinkPath } from './paths.js';
import { findAskedFields, type LinkAnswer, payPage, readLink } from './pay-page.js';

/** A submitted payment of an order from its link. */
export interface LinkPayment {
  /** Absent: the customer of the order pays. */
  readonly payer: Payer | undefined;
  readonly payAgain: boolean;
  /** Absent without rate limits. */
  readonly client: ClientKeys | undefined;
}

/** The longest window of a limit. */
const LONGEST_WAIT_S = 600;

/** Returns how the payments start this payment. */
export function startOptionsOf({ contactHash }: Order, { payer, payAgain, client }: LinkPayment): StartOptions {
  const passed: ShopStart = { client, contactHash, isByOther: payer !== undefined };
  return { payer, payAgain, isFromLink: true, passed };
}

/**
 * Sends the page as a link opens it, or with the answer to a POST: the first page, or the form of a flow that has its own
 * page. If the order cannot be paid by that flow, the first page says why.
 */
export async function sendLink(res: Response, flow?: FlowPages): Promise<void> {
  const context = contextOf(res);
  const order = loadedOrder(res);
  const answer = await readAnswer(res, order);
  const page = payPage(context, await readLink(res, order, ownershipMarks(res)), answer, flow);
  await render(res, page.flow ? 'pay-link/views/form' : 'pay-link/views/pay', {
    title: context.t('payLink.title'),
    hasErrors: answer.status !== 200,
    page,
    status: answer.status,
    scripts: page.flow ? flow?.scripts : page.forms.flatMap(({ scripts }) => scripts),
    path: page.href,
    noindex: true,
  });
}

async function readAnswer(res: Response, order: Order): Promise<LinkAnswer> {
  const { req } = res;
  const payAgain = isPayAgain(req);
  const stored = await findForm<LinkAnswer>(res, payLinkPath(order));
  if (stored && isAnswer(req) && !isWaitOver(res, stored))
    return { ...stored, payAgain, notices: stored.isLimited ? [waitText(res)] : stored.notices };
  const values = stored?.typed.values ?? {};
  const notices = isAnswer(req) && !stored ? [contextOf(res).t('notices.formLost')] : [];
  return { status: 200, typed: { values, problems: {} }, payAgain, notices };
}

/** Stores the answer and redirects to the page of the link, which shows it. */
export function redirectToLink(res: Response, flow: FlowPages, answer: LinkAnswer): Promise<void> {
  const page = payLinkPath(loadedOrder(res));
  const path = formPathOf(flow, page);
  return redirectToForm(res, answer.payAgain ? `${path}?pay_again=1` : path, answer, { page });
}

/** A valid form: the payment, and the texts of its fields. */
export interface Submission {
  readonly payment: LinkPayment;
  readonly typed: TypedForm;
}

/** Reads the posted person, without what is not asked for. A session that owns the order needs none. Redirects to the form and returns `undefined` if it is invalid. */
export async function readSubmission(res: Response, flow: FlowPages): Promise<Submission | undefined> {
  const payAgain = isPayAgain(res.req);
  const client = clientKeysOf(res);
  if (ownsOrder(res, loadedOrder(res)))
    return { payment: { payer: undefined, payAgain, client }, typed: { values: {}, problems: {} } };
  const fields = fieldsOf(res.req);
  const values = typedTexts(fields);
  const order = loadedOrder(res);
  const names = await findAskedFields(contextOf(res).checkout.db.queries, order);
  const result = readContact(fields, names);
  if (!result.ok) {
    await redirectToLink(res, flow, { status: 422, typed: { values, problems: result.problems }, payAgain });
    return undefined;
  }
  // After Back, the page shows them again.
  if (names.length > 0) await storeForm(res, payLinkPath(order), { status: 200, typed: { values, problems: {} } });
  const { contact } = result;
  const { firstName, lastName } = names.includes('first_name') ? contact : order;
  const payer: Payer = { firstName, lastName, email: names.length > 0 ? contact.email : order.email };
  return { payment: { payer, payAgain, client }, typed: { values, problems: {} } };
}

/**
 * Awaits the payment, and redirects to it, or to the form: 409 (sold out, a code that ended, or a warning to confirm), 429 (a limit), 502
 * (refused payment) or 503 (no gateway, or an earlier payment has no answer: its owner gets the order). Paying adds nothing to the
 * session.
 */
export async function answerPayment(
  res: Response,
  flow: FlowPages,
  { typed, payment: { payAgain } }: Submission,
  started: Promise<Started<Order>>,
): Promise<void> {
  const { t, checkout } = contextOf(res);
  const result = await started.catch((error: unknown) => {
    if (!(error instanceof PaymentError)) throw error;
    const { code } = error;
    checkout.log.warn('checkout.failed', { reason: errorName(error) });
    return { kind: code };
  });
  const form = { typed, payAgain };
  switch (result.kind) {
    case 'redirect':
      return res.redirect(302, result.url);
    case 'show_order':
      return res.redirect(
        303,
        hasEnded(result.order, checkout.clock.now()) ? payLinkPath(result.order) : orderPath(result.order),
      );
    case 'sold_out':
    case 'not_offered':
      return redirectToLink(res, flow, { ...form, status: 409 });
    case 'confirm_pay_again':
      return redirectToLink(res, flow, { ...form, status: 409, payAgain: true });
    case 'limited':
      reportLimit(res, result.limit, result.seconds);
      return redirectToLink(res, flow, {
        ...form,
        status: 429,
        retryAt: checkout.clock.now() + result.seconds * 1000,
        // The page itself names a longer wait.
        isLimited: result.seconds <= LONGEST_WAIT_S,
      });
    case 'busy':
    case 'gateway_unavailable': {
      const isBusy = result.kind === 'busy';
      const order = loadedOrder(res);
      if (isBusy && ownsOrder(res, order)) return res.redirect(303, orderPath(order));
      return redirectToLink(res, flow, {
        ...form,
        status: 503,
        retryAt: checkout.clock.now() + 5_000,
        notices: [t(isBusy ? 'errors.busy.text' : 'notices.gatewayUnavailable')],
      });
    }
    case 'payment_refused':
      return redirectToLink(res, flow, { ...form, status: 502, notices: [t('errors.payment_refused.text')] });
    default:
      return result satisfies never;
  }
}

/** The page of the link says why it ended. */
function hasEnded(order: Order, at: number): boolean {
  return order.state !== 'paid' && !isUncertain(order.state) && !isPayableAt(order, at);
}
