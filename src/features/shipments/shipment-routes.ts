import { findRefundedOrders } from '@tianguis/payments/back-office';
import type { Request, Response } from 'express';
import { answer, orderOf, refuse, requestOf } from '../../admin/order/admin-order.js';
import { findAdminLines } from '../../admin/order/order-record.js';
import { FULFILLMENT_STATES } from '../../shop/rules/fulfillment.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { mayFulfill } from '../../tables/fulfillments.js';
import type { Order } from '../../tables/orders.js';
import { conflictOf, type PostedForm, readForm, refusedWith } from '../../web/form.js';
import { postedText, readText } from '../../web/form-body.js';
import { adminOrderPath, adminPaths } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { packingSlip } from './admin-fulfillment.js';
import { changeFulfillment, type FulfillmentRequest } from './change-fulfillment.js';
import { findOrdersToShip } from './repository.js';
import { reasonProblem, SHIPMENT_FIELDS, STEP_FIELDS } from './shipment-form.js';

/** On one page, which must stay printable. The list of orders has as many rows. */
const MAX_SLIPS = 50;

/** Changes the fulfillment of an order. */
export async function fulfillOrder(req: Request, res: Response): Promise<void> {
  const order = await orderOf(res);
  const to = FULFILLMENT_STATES.find((name) => name === postedText(req, 'to'));
  if (!to) throw new ShopError('bad_request');
  if (to === 'shipped') return ship(res, order);
  const form = readForm(res, STEP_FIELDS);
  if (form.refused) return refuse(res, order, form.refused);
  return changeTo(res, order, form, { change: { to }, reason: form.values.fulfillment_reason });
}

async function ship(res: Response, order: Order): Promise<void> {
  const form = readForm(res, SHIPMENT_FIELDS);
  if (form.refused) return refuse(res, order, form.refused);
  const { carrier, tracking_number: trackingNumber, shipment_reason: reason } = form.values;
  return changeTo(res, order, form, { change: { to: 'shipped', shipment: { carrier, trackingNumber } }, reason });
}

async function changeTo(
  res: Response,
  order: Order,
  form: PostedForm<object>,
  asked: Pick<FulfillmentRequest, 'change' | 'reason'>,
): Promise<void> {
  const { t, checkout } = contextOf(res);
  const result = await changeFulfillment(checkout, { ...requestOf(res.req, res, order), ...asked });
  if (result === 'changed') return refuse(res, order, conflictOf(form));
  if (result !== 'reason_missing') return answer(res, order, `fulfillment_${result}`);
  const field = asked.change.to === 'shipped' ? 'shipment_reason' : 'fulfillment_reason';
  return refuse(res, order, refusedWith(form, { [field]: reasonProblem(t) }));
}

/** Sends the packing slip of an order. An order that must not be fulfilled now has no packing slip. */
export async function sendPackingSlip(_req: Request, res: Response): Promise<void> {
  const i18n = contextOf(res);
  const order = await orderOf(res);
  if (!(await mayFulfill(i18n.checkout.db.queries, order))) return answer(res, order, 'no_slip');
  await renderSlips(res, { orders: [order], backHref: adminOrderPath(order), skipped: 0 });
}

/** Sends the slips of the selected orders that may be fulfilled now, or of the oldest such orders. */
export async function sendPackingSlips(req: Request, res: Response): Promise<void> {
  const { queries } = contextOf(res).checkout.db;
  const numbers = [req.query['number'] ?? []].flat().map(readText).slice(0, MAX_SLIPS);
  const orders = await findOrdersToShip(queries, { numbers, limit: MAX_SLIPS });
  await renderSlips(res, { orders, backHref: adminPaths.orders, skipped: Math.max(0, numbers.length - orders.length) });
}

interface Slips {
  readonly orders: readonly Order[];
  readonly backHref: string;
  /** Number of selected orders without a slip. */
  readonly skipped: number;
}

async function renderSlips(res: Response, { orders, backHref, skipped }: Slips): Promise<void> {
  const i18n = contextOf(res);
  const [only, ...others] = orders;
  const lines = await findAdminLines(i18n, orders);
  // An order that is refunded as a whole has no slip.
  const refunded = await findRefundedOrders(i18n.checkout.db.queries, orders);
  const slipOf = (order: Order) =>
    packingSlip(i18n, order, { lines: lines.get(order.id) ?? [], isRefunded: refunded.has(order.id) });
  await render(res, 'shipments/views/packing-slip', {
    title:
      only && others.length === 0
        ? i18n.t('shipments.slip.title', { number: only.number })
        : i18n.t('shipments.slip.titleMany', { count: orders.length }),
    page: { slips: orders.map(slipOf), backHref, skipped },
  });
}
