import type { Request, Response } from 'express';
import { checkPayment } from '../../shop/order-requests.js';
import { conflictOf, readForm } from '../../web/form.js';
import { readText } from '../../web/form-body.js';
import { findRefused } from '../../web/form-page.js';
import { adminOrderPath } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { fillSlot } from '../../web/slots.js';
import { adminOf } from '../permissions.js';
import { answer, orderOf, refuse, requestOf } from './admin-order.js';
import { adminOrderPage } from './admin-order-page.js';
import { type AdminOrderSection, readOrderRecord } from './order-record.js';
import { DECISION_FIELDS } from './review-section.js';

/** Sends the page of an order, with what the features add to it. */
export async function sendOrder(_req: Request, res: Response): Promise<void> {
  const i18n = contextOf(res);
  const order = await orderOf(res);
  const refused = await findRefused(res, adminOrderPath(order));
  const record = await readOrderRecord(i18n, order, refused);
  const admin = adminOf(res);
  const allSections = await fillSlot(res, 'admin-order.section', record);
  const sectionsIn = (place: AdminOrderSection['place']) => allSections.filter((section) => section.place === place);
  const reviewLinks = allSections.flatMap((section) => section.reviewLinks ?? []);
  const isStale = refused?.status === 409;
  const model = adminOrderPage(i18n, record, admin, isStale ? 'changed' : readText(res.req.query['result']));
  const page = {
    ...model,
    sections: sectionsIn(undefined),
    asides: sectionsIn('aside'),
    addressParts: sectionsIn('address'),
    below: sectionsIn('below'),
    reviewLinks,
    actions: await fillSlot(res, 'admin-order.action', record),
  };
  const title = i18n.t('titles.order', { number: page.number });
  const hasErrors = refused !== undefined;
  await render(res, 'admin-order', { title, hasErrors, page, path: page.href, status: refused?.status });
}

/** Asks the gateway about the payments of the order. */
export async function checkOrder(_req: Request, res: Response): Promise<void> {
  const order = await orderOf(res);
  const { lookupsSucceeded } = await checkPayment(contextOf(res).checkout, order.id, adminOf(res).name);
  answer(res, order, lookupsSucceeded ? 'checked' : 'unreachable');
}

/** Stores what a manager decided about an order in review. */
export async function decideReview(req: Request, res: Response): Promise<void> {
  const order = await orderOf(res);
  const form = readForm(res, DECISION_FIELDS);
  if (form.refused) return refuse(res, order, form.refused);
  const { decision, gateway_id: gatewayId, decision_note: note } = form.values;
  const { payments, log } = contextOf(res).checkout;
  const request = { ...requestOf(req, res, order), decision, note, gatewayId: gatewayId || undefined };
  const result = await payments.decide(request);
  log.info('order.decided', { order: order.number, decision, to: result });
  // The admin user decides again with the new data. The form has the typed note.
  if (result === 'changed') return refuse(res, order, conflictOf(form));
  answer(res, order, result);
}
