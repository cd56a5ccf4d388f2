import type { Request, RequestHandler, Response } from 'express';
import type { CheckoutContext } from '../checkout/context.js';
import { decideOrder } from '../checkout/decide-order.js';
import { cancelOrder, checkPayment, type OrderRequest, resendReceipt } from '../checkout/order-actions.js';
import { FEATURES } from '../features/index.js';
import { fieldsOf, readText } from '../web/form-body.js';
import { adminPaths } from '../web/paths.js';
import { render } from '../web/render.js';
import { contextOf } from '../web/request-context.js';
import { answer, orderOf, requestOf } from './admin-order.js';
import { type ActionResult, adminOrderPage } from './admin-order-page.js';
import { readCancelForm } from './cancel-form.js';
import { type AdminOrderSection, type RefusedForm, readOrderRecord } from './order-record.js';
import { type AdminRouter, adminOf } from './permissions.js';
import { readDecision } from './review-section.js';

/** Adds the order page with its actions. */
export function addAdminOrderRoutes(app: AdminRouter): void {
  app.get(adminPaths.order, (_req, res) => sendOrder(res));
  app.post(adminPaths.checkPayment, redirectAfter(check));
  app.post(adminPaths.resendReceipt, redirectAfter(resendReceipt));
  app.post(adminPaths.cancelOrder, cancel);
  app.post(adminPaths.decision, decide);
}

/** Sends the order page. With a refused form it has status 422, or 409 if the order changed. */
export async function sendOrder(res: Response, refused?: RefusedForm): Promise<void> {
  const i18n = contextOf(res);
  const order = await orderOf(res);
  const record = await readOrderRecord(i18n, order, refused);
  const admin = adminOf(res);
  const built = await Promise.all(FEATURES.map((each) => each.adminOrderSection?.(i18n, record, admin)));
  const allSections = built.flatMap((section) => section ?? []);
  const sectionsIn = (place: AdminOrderSection['place']) => allSections.filter((section) => section.place === place);
  const reviewLinks = allSections.flatMap((section) => section.reviewLinks ?? []);
  const furtherActions = FEATURES.flatMap((each) => each.adminOrderAction?.(record, admin) ?? []);
  const isStale = refused?.errors.length === 0;
  const model = adminOrderPage(i18n, record, admin, isStale ? 'changed' : readText(res.req.query['result']));
  const page = {
    ...model,
    sections: sectionsIn(undefined),
    asides: sectionsIn('aside'),
    addressParts: sectionsIn('address'),
    below: sectionsIn('below'),
    reviewLinks,
    furtherActions,
  };
  const title = i18n.t('titles.order', { number: page.number });
  const hasErrors = refused !== undefined;
  const status = isStale ? 409 : undefined;
  await render(res, 'admin-order', { title, hasErrors, page, path: page.href, status });
}

type Action = (context: CheckoutContext, request: OrderRequest) => Promise<ActionResult>;

/** Returns a handler for an action without further fields. */
function redirectAfter(action: Action): RequestHandler {
  return async (req, res) => {
    const order = await orderOf(res);
    answer(res, order, await action(contextOf(res).checkout, requestOf(req, res, order)));
  };
}

async function check(context: CheckoutContext, { orderId, by }: OrderRequest): Promise<ActionResult> {
  const { lookupsSucceeded } = await checkPayment(context, orderId, by);
  return lookupsSucceeded ? 'checked' : 'unreachable';
}

async function cancel(req: Request, res: Response): Promise<void> {
  const order = await orderOf(res);
  const cancellation = readCancelForm(contextOf(res), fieldsOf(req));
  if ('errors' in cancellation) return sendOrder(res, cancellation);
  const request = { ...requestOf(req, res, order), cancellation };
  answer(res, order, await cancelOrder(contextOf(res).checkout, request));
}

async function decide(req: Request, res: Response): Promise<void> {
  const order = await orderOf(res);
  const { decision, typed, errors } = readDecision(contextOf(res), fieldsOf(req));
  if (!decision || errors.length > 0) return sendOrder(res, { typed, errors });
  const context = contextOf(res).checkout;
  const result = await decideOrder(context, {
    ...requestOf(req, res, order),
    decision,
    note: typed.decision_note,
    gatewayId: typed.gateway_id || undefined,
  });
  context.log.info('order.decided', { order: order.number, decision, to: result });
  // The admin user decides again with the new data. The form has the typed note.
  if (result === 'changed') return sendOrder(res, { typed, errors });
  answer(res, order, result);
}
