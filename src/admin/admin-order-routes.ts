import type { IRouter, Request, Response } from 'express';
import { decideOrder } from '../checkout/decide-order.js';
import { findTranslatedLines } from '../checkout/find-translated-lines.js';
import { retryJob } from '../checkout/retry-job.js';
import { settlePayment } from '../checkout/settle-payment.js';
import { findAttempts } from '../db/attempts.js';
import { findHistory } from '../db/history.js';
import { findOrderByNumber, type Order } from '../db/orders.js';
import { findOrderPageJobs, ORDER_PAGE_JOBS } from '../db/outbox.js';
import { DECISIONS } from '../domain/decision.js';
import { ShopError } from '../domain/shop-error.js';
import type { WebContext } from '../web/context.js';
import { readText } from '../web/read-text.js';
import { render } from '../web/render.js';
import { checkoutFor, contextOf, logOrderNumber } from '../web/request-context.js';
import { ACTION_RESULTS, type ActionResult, adminOrderPage, type OrderRecord } from './admin-order-page.js';
import { adminOrderPath } from './order-rows.js';

const MAX_NOTE_LENGTH = 500;
/** Format of gateway ids. Other input is refused without a call. */
const GATEWAY_ID = /^[\w.:-]{1,128}$/;

/** Adds the order page with its actions: check the payment, retry an outbox job, decide a review. */
export function addAdminOrderRoutes(app: IRouter, web: WebContext): void {
  app.get('/admin/orders/:number', (req, res) => sendOrder(web, req, res));
  app.post('/admin/orders/:number/check', (_req, res) => check(web, res));
  app.post('/admin/orders/:number/jobs', (req, res) => retry(web, req, res));
  app.post('/admin/orders/:number/decision', (req, res) => decide(web, req, res));
}

async function orderOf(web: WebContext, res: Response): Promise<Order> {
  const order = await findOrderByNumber(web.checkout.db.queries, String(res.req.params['number']));
  if (!order) throw new ShopError('not_found');
  logOrderNumber(res, order);
  return order;
}

async function sendOrder(web: WebContext, req: Request, res: Response): Promise<void> {
  const reader = contextOf(res);
  const record = await readRecord(web, await orderOf(web, res));
  const { order } = record;
  const result = ACTION_RESULTS.find((key) => key === req.query['result']);
  const title = reader.t('titles.order', { number: order.number });
  const page = adminOrderPage(reader, record, result);
  await render(web, res, 'admin-order', { title, page, path: adminOrderPath(order) });
}

async function readRecord({ checkout, settings }: WebContext, order: Order): Promise<OrderRecord> {
  const { queries } = checkout.db;
  const lines = await findTranslatedLines(queries, [order], settings.locales[0]);
  return {
    order,
    lines: lines.get(order.id) ?? [],
    attempts: await findAttempts(queries, order.id),
    jobs: await findOrderPageJobs(queries, order.id),
    events: await findHistory(queries, order.id),
    now: checkout.clock.now(),
  };
}

async function check(web: WebContext, res: Response): Promise<void> {
  const order = await orderOf(web, res);
  const { reached } = await settlePayment(checkoutFor(web, res), order.id, 'merchant');
  answer(res, order, reached ? 'checked' : 'unreachable');
}

async function retry(web: WebContext, req: Request, res: Response): Promise<void> {
  const order = await orderOf(web, res);
  const job = ORDER_PAGE_JOBS.find((name) => name === postedText(req, 'job'));
  if (!job) throw new ShopError('bad_request');
  answer(res, order, await retryJob(checkoutFor(web, res), order, job));
}

async function decide(web: WebContext, req: Request, res: Response): Promise<void> {
  const order = await orderOf(web, res);
  const decision = DECISIONS.find((name) => name === postedText(req, 'decision'));
  const gatewayId = postedText(req, 'gateway_id').trim();
  if (!decision || (gatewayId !== '' && !GATEWAY_ID.test(gatewayId))) throw new ShopError('bad_request');
  const context = checkoutFor(web, res);
  const outcome = await decideOrder(context, {
    orderId: order.id,
    decision,
    version: Number(postedText(req, 'version')),
    note: postedText(req, 'note').trim().slice(0, MAX_NOTE_LENGTH),
    ...(gatewayId !== '' && { gatewayId }),
  });
  context.log.info('order.decided', { order: order.number, decision, to: outcome.kind });
  answer(res, order, outcome.kind);
}

function answer(res: Response, order: Order, result: ActionResult): void {
  res.redirect(303, `${adminOrderPath(order)}?result=${result}`);
}

function postedText(req: Request, name: string): string {
  return readText((req.body as Readonly<Record<string, unknown>>)[name]);
}
