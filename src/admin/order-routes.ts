import type { IRouter, Request, Response } from 'express';
import { decideOrder } from '../checkout/decide-order.js';
import { retryEffect } from '../checkout/retry-effect.js';
import { settlePayment } from '../checkout/settle-payment.js';
import { findAttempts } from '../db/attempts.js';
import { findHistory } from '../db/history.js';
import { findOrderByNumber, findOrderLines, type Order } from '../db/orders.js';
import { findEffects, PAID_EFFECTS } from '../db/outbox.js';
import { DECISIONS } from '../domain/decision.js';
import { ShopError } from '../domain/shop-error.js';
import { render } from '../web/render.js';
import { contextOf, flowServices, nameOrder } from '../web/request-context.js';
import type { WebServices } from '../web/services.js';
import { textOf } from '../web/text-of.js';
import { deskPath } from './desk-rows.js';
import { DESK_WORDS, type DeskWord, deskOrderPage, type KnownOrder } from './order-page.js';

const LONGEST_NOTE = 500;
/** Format of gateway ids. Other input is refused without a call. */
const SERVICE_ID = /^[\w.:-]{1,128}$/;

/** Adds the order page with its actions: check the payment, retry an outbox job, decide a review. */
export function addOrderRoutes(app: IRouter, web: WebServices): void {
  app.get('/admin/orders/:number', (req, res) => sendOrder(web, req, res));
  app.post('/admin/orders/:number/check', (_req, res) => check(web, res));
  app.post('/admin/orders/:number/effects', (req, res) => retry(web, req, res));
  app.post('/admin/orders/:number/decision', (req, res) => decide(web, req, res));
}

async function orderOf(web: WebServices, res: Response): Promise<Order> {
  const order = await findOrderByNumber(web.checkout.db.queries, String(res.req.params['number']));
  if (!order) throw new ShopError('not_found');
  nameOrder(res, order);
  return order;
}

async function sendOrder(web: WebServices, req: Request, res: Response): Promise<void> {
  const reader = contextOf(res);
  const known = await readKnown(web, await orderOf(web, res));
  const { order } = known;
  const said = DESK_WORDS.find((word) => word === req.query['said']);
  const title = reader.t('titles.order', { number: order.number });
  const page = deskOrderPage(reader, known, said);
  await render(web, res, 'desk-order', { title, page, path: deskPath(order) });
}

async function readKnown({ checkout }: WebServices, order: Order): Promise<KnownOrder> {
  const { queries } = checkout.db;
  return {
    order,
    lines: await findOrderLines(queries, order.id),
    attempts: await findAttempts(queries, order.id),
    effects: await findEffects(queries, order.id),
    events: await findHistory(queries, order.id),
    now: checkout.clock.now(),
  };
}

async function check(web: WebServices, res: Response): Promise<void> {
  const order = await orderOf(web, res);
  const { reached } = await settlePayment(flowServices(web, res), order.id, 'merchant');
  answer(res, order, reached ? 'checked' : 'unreachable');
}

async function retry(web: WebServices, req: Request, res: Response): Promise<void> {
  const order = await orderOf(web, res);
  const effect = PAID_EFFECTS.find((known) => known === postedText(req, 'effect'));
  if (!effect) throw new ShopError('bad_request');
  answer(res, order, await retryEffect(flowServices(web, res), order, effect));
}

async function decide(web: WebServices, req: Request, res: Response): Promise<void> {
  const order = await orderOf(web, res);
  const decision = DECISIONS.find((known) => known === postedText(req, 'decision'));
  const serviceId = postedText(req, 'service_id').trim();
  if (!decision || (serviceId !== '' && !SERVICE_ID.test(serviceId))) throw new ShopError('bad_request');
  const services = flowServices(web, res);
  const outcome = await decideOrder(services, {
    orderId: order.id,
    decision,
    version: Number(postedText(req, 'version')),
    note: postedText(req, 'note').trim().slice(0, LONGEST_NOTE),
    ...(serviceId !== '' && { serviceId }),
  });
  services.log.info('order_decided', { order: order.number, kind: decision, to: outcome.kind });
  answer(res, order, outcome.kind);
}

function answer(res: Response, order: Order, said: DeskWord): void {
  res.redirect(303, `${deskPath(order)}?said=${said}`);
}

function postedText(req: Request, name: string): string {
  return textOf((req.body as Readonly<Record<string, unknown>>)[name]);
}
