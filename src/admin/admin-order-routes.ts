import type { Request, Response } from 'express';
import {
  changeFulfillment,
  type FulfillmentChange,
  type FulfillmentOutcome,
} from '../checkout/change-fulfillment.js';
import { type CorrectionOutcome, correctAddress } from '../checkout/correct-address.js';
import { decideOrder } from '../checkout/decide-order.js';
import { findTranslatedLines } from '../checkout/find-translated-lines.js';
import { checkPayment } from '../checkout/order-actions.js';
import { findRefundOptions } from '../checkout/refund-payment.js';
import { retryJob } from '../checkout/retry-job.js';
import { findAttempts, payingAttemptOf } from '../db/attempts.js';
import { findFulfillment } from '../db/fulfillments.js';
import { findHistory } from '../db/history.js';
import { findInvoiceRequest } from '../db/invoice-requests.js';
import { findOrderByNumber, findPaidElsewhere, type Order } from '../db/orders.js';
import { findOrderPageJobs, ORDER_PAGE_JOBS } from '../db/outbox.js';
import { findRefunds } from '../db/refunds.js';
import { ADDRESS_FIELD_NAMES, readContact } from '../domain/contact.js';
import { FULFILLMENT_STATES, isFulfillable, readShipment } from '../domain/fulfillment.js';
import { ShopError } from '../domain/shop-error.js';
import { typedTexts } from '../web/checkout-form.js';
import type { WebContext } from '../web/context.js';
import { fieldsOf, postedText } from '../web/form-body.js';
import { render } from '../web/render.js';
import { checkoutFor, contextOf, logOrderNumber } from '../web/request-context.js';
import {
  ACTION_RESULTS,
  type ActionResult,
  adminOrderPage,
  type OrderRecord,
  type RefusedForms,
} from './admin-order-page.js';
import { type AdminRouter, adminOf } from './guard-routes.js';
import { adminOrderPath } from './order-rows.js';
import { packingSlip } from './packing-slip.js';
import { readDecision } from './review-section.js';

/** Adds the order page with its actions: check, retry a job, decide a review, fulfill, correct the address. */
export function addAdminOrderRoutes(app: AdminRouter, web: WebContext): void {
  app.get('/admin/orders/:number', (req, res) => sendOrder(web, req, res));
  app.post('/admin/orders/:number/check', (_req, res) => check(web, res));
  app.post('/admin/orders/:number/jobs', (req, res) => retry(web, req, res));
  app.post('/admin/orders/:number/decision', (req, res) => decide(web, req, res));
  app.post('/admin/orders/:number/fulfillment', (req, res) => fulfill(web, req, res));
  app.get('/admin/orders/:number/packing-slip', (_req, res) => sendPackingSlip(web, res));
  app.post('/admin/orders/:number/address', (req, res) => correct(web, req, res));
}

/** Returns the order of the path. Throws `not_found`. */
export async function orderOf(web: WebContext, res: Response): Promise<Order> {
  const order = await findOrderByNumber(web.checkout.db.queries, String(res.req.params['number']));
  if (!order) throw new ShopError('not_found');
  logOrderNumber(res, order);
  return order;
}

/** Sends the order page. With a refused form it has status 422 or 409, the posted fields and their errors. */
export async function sendOrder(
  web: WebContext,
  req: Request,
  res: Response,
  refused: RefusedForms = {},
): Promise<void> {
  const i18n = contextOf(res);
  const record = { ...(await readRecord(web, await orderOf(web, res))), refused };
  const { order } = record;
  const result = refused.isStale ? 'changed' : ACTION_RESULTS.find((key) => key === req.query['result']);
  const name = i18n.t('titles.order', { number: order.number });
  const isRefused = Object.keys(refused).length > 0;
  const status = refused.isStale ? 409 : 422;
  const title = isRefused ? i18n.t('titles.withErrors', { title: name }) : name;
  const page = adminOrderPage(i18n, record, result);
  const path = adminOrderPath(order);
  await render(web, res, 'admin-order', { title, page, path, status: isRefused ? status : 200 });
}

async function readRecord(
  { checkout, settings }: WebContext,
  order: Order,
): Promise<Omit<OrderRecord, 'refused'>> {
  const { queries } = checkout.db;
  const lines = await findTranslatedLines(queries, [order], settings.locales[0]);
  return {
    order,
    lines: lines.get(order.id) ?? [],
    attempts: await findAttempts(queries, order.id),
    jobs: await findOrderPageJobs(queries, order.id),
    events: await findHistory(queries, order.id),
    fulfillment: await findFulfillment(queries, order.id),
    paidElsewhere:
      order.reviewReason === 'second_payment' ? await findPaidElsewhere(queries, order) : undefined,
    refunds: await findRefunds(queries, order.id),
    invoice: await findInvoiceRequest(queries, order.id),
    refundOptions: await findRefundOptions(queries, checkout.policy, order),
    now: checkout.clock.now(),
  };
}

async function check(web: WebContext, res: Response): Promise<void> {
  const order = await orderOf(web, res);
  const { allAnswered } = await checkPayment(checkoutFor(web, res), order.id, adminOf(res).name);
  answer(res, order, allAnswered ? 'checked' : 'unreachable');
}

async function retry(web: WebContext, req: Request, res: Response): Promise<void> {
  const order = await orderOf(web, res);
  const job = ORDER_PAGE_JOBS.find((name) => name === postedText(req, 'job'));
  if (!job) throw new ShopError('bad_request');
  answer(res, order, await retryJob(checkoutFor(web, res), order, job, adminOf(res).name));
}

async function decide(web: WebContext, req: Request, res: Response): Promise<void> {
  const order = await orderOf(web, res);
  const typed = {
    decision: postedText(req, 'decision'),
    gateway_id: postedText(req, 'gateway_id'),
    decision_note: postedText(req, 'decision_note'),
  };
  const reading = readDecision(typed);
  if ('problems' in reading) return sendOrder(web, req, res, { decision: reading });
  const context = checkoutFor(web, res);
  const outcome = await decideOrder(context, {
    ...reading,
    orderId: order.id,
    by: adminOf(res).name,
    version: Number(postedText(req, 'version')),
  });
  context.log.info('order.decided', { order: order.number, decision: reading.decision, to: outcome.kind });
  // The admin user decides again with the new data, and keeps the typed note.
  if (outcome.kind === 'changed')
    return sendOrder(web, req, res, { isStale: true, decision: { typed, problems: {} } });
  answer(res, order, outcome.kind);
}

async function fulfill(web: WebContext, req: Request, res: Response): Promise<void> {
  const order = await orderOf(web, res);
  const to = FULFILLMENT_STATES.find((name) => name === postedText(req, 'to'));
  if (!to) throw new ShopError('bad_request');
  let change: FulfillmentChange;
  if (to === 'shipped') {
    const typed = {
      carrier: postedText(req, 'carrier'),
      tracking_number: postedText(req, 'tracking_number'),
    };
    const reading = readShipment(typed);
    if (!reading.ok) return sendOrder(web, req, res, { shipment: { typed, problems: reading.problems } });
    change = { to, shipment: reading.shipment };
  } else change = { to };
  const outcome = await changeFulfillment(checkoutFor(web, res), {
    orderId: order.id,
    version: Number(postedText(req, 'version')),
    change,
    by: adminOf(res).name,
  });
  answer(res, order, FULFILLMENT_RESULTS[outcome.kind]);
}

const FULFILLMENT_RESULTS = {
  done: 'fulfilled',
  changed: 'fulfillment_changed',
  not_allowed: 'not_fulfillable',
} as const satisfies Record<FulfillmentOutcome['kind'], ActionResult>;

/** An order that must not be fulfilled now has no packing slip. */
async function sendPackingSlip(web: WebContext, res: Response): Promise<void> {
  const order = await orderOf(web, res);
  const { queries } = web.checkout.db;
  const paying = payingAttemptOf(order, await findAttempts(queries, order.id));
  if (!isFulfillable(order, paying, await findRefunds(queries, order.id)))
    return answer(res, order, 'no_slip');
  const lines = await findTranslatedLines(queries, [order], web.settings.locales[0]);
  const i18n = contextOf(res);
  await render(web, res, 'admin-packing-slip', {
    title: i18n.t('admin.slip.title', { number: order.number }),
    page: packingSlip(i18n, order, lines.get(order.id) ?? []),
  });
}

async function correct(web: WebContext, req: Request, res: Response): Promise<void> {
  const order = await orderOf(web, res);
  const fields = fieldsOf(req);
  const result = readContact(fields, ADDRESS_FIELD_NAMES);
  if (!result.ok) {
    const address = { values: typedTexts(fields), problems: result.problems };
    return sendOrder(web, req, res, { address });
  }
  const context = checkoutFor(web, res);
  const version = Number(postedText(req, 'version'));
  const correction = { orderId: order.id, version, address: result.contact, by: adminOf(res).name };
  const outcome = await correctAddress(context, correction);
  context.log.info('order.address_corrected', { order: order.number, to: outcome });
  answer(res, order, CORRECTION_RESULTS[outcome]);
}

const CORRECTION_RESULTS = {
  address_corrected: 'address_corrected',
  changed: 'address_changed',
  not_open: 'address_not_open',
} as const satisfies Record<CorrectionOutcome, ActionResult>;

/** Redirects to the order page, which shows the result of an action. */
export function answer(res: Response, order: Order, result: ActionResult): void {
  res.redirect(303, `${adminOrderPath(order)}?result=${result}`);
}
