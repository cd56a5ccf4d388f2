import type { Request, Response } from 'express';
import { FEATURES } from '../features/index.js';
import { checkPayment } from '../shop/order-actions.js';
import { fieldsOf, readText } from '../web/form-body.js';
import { adminOrderPath, adminPaths } from '../web/paths.js';
import { render } from '../web/render.js';
import { contextOf } from '../web/request-context.js';
import { findAnswer } from '../web/typed-form.js';
import { answer, orderOf, refuse, requestOf } from './admin-order.js';
import { adminOrderPage } from './admin-order-page.js';
import { type AdminOrderSection, type RefusedForm, readOrderRecord } from './order-record.js';
import { type AdminRouter, adminOf } from './permissions.js';
import { readDecision } from './review-section.js';

/** Adds the order page with its actions. */
export function addAdminOrderRoutes(app: AdminRouter): void {
  app.get(adminPaths.order, sendPage);
  app.post(adminPaths.checkPayment, check);
  app.post(adminPaths.decision, decide);
}

async function sendPage(_req: Request, res: Response): Promise<void> {
  const i18n = contextOf(res);
  const order = await orderOf(res);
  const refused = await findAnswer<RefusedForm>(res, adminOrderPath(order));
  const record = await readOrderRecord(i18n, order, refused);
  const admin = adminOf(res);
  const built = await Promise.all(FEATURES.map((each) => each.adminOrderSection?.(i18n, record, admin)));
  const allSections = built.flatMap((section) => section ?? []);
  const sectionsIn = (place: AdminOrderSection['place']) => allSections.filter((section) => section.place === place);
  const reviewLinks = allSections.flatMap((section) => section.reviewLinks ?? []);
  const actions = FEATURES.flatMap((each) => each.adminOrderAction?.(i18n, record, admin) ?? []);
  const isStale = refused?.errors.length === 0;
  const model = adminOrderPage(i18n, record, admin, isStale ? 'changed' : readText(res.req.query['result']));
  const page = {
    ...model,
    sections: sectionsIn(undefined),
    asides: sectionsIn('aside'),
    addressParts: sectionsIn('address'),
    below: sectionsIn('below'),
    reviewLinks,
    actions,
  };
  const title = i18n.t('titles.order', { number: page.number });
  const hasErrors = refused !== undefined;
  const status = isStale ? 409 : undefined;
  await render(res, 'admin-order', { title, hasErrors, page, path: page.href, status });
}

async function check(_req: Request, res: Response): Promise<void> {
  const order = await orderOf(res);
  const { lookupsSucceeded } = await checkPayment(contextOf(res).checkout, order.id, adminOf(res).name);
  answer(res, order, lookupsSucceeded ? 'checked' : 'unreachable');
}

async function decide(req: Request, res: Response): Promise<void> {
  const order = await orderOf(res);
  const { decision, typed, errors } = readDecision(contextOf(res), fieldsOf(req));
  if (!decision || errors.length > 0) return refuse(res, order, { typed, errors });
  const context = contextOf(res).checkout;
  const result = await context.payments.decide({
    ...requestOf(req, res, order),
    decision,
    note: typed.decision_note,
    gatewayId: typed.gateway_id || undefined,
  });
  context.log.info('order.decided', { order: order.number, decision, to: result });
  // The admin user decides again with the new data. The form has the typed note.
  if (result === 'changed') return refuse(res, order, { typed, errors });
  answer(res, order, result);
}
