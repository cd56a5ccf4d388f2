import type { Order } from '../db/orders.js';
import { findRefundedOrders } from '../payments/index.js';
import type { AdminAccess, RequestContext } from '../web/request-context.js';
import { orderRow } from './order-row.js';
import { mayReadSales } from './permissions.js';

/** Builds the models of orders in a list. Without `mayReadSales` they have no totals. */
export async function orderRows(context: RequestContext, orders: readonly Order[], admin: AdminAccess) {
  const refunded = await findRefundedOrders(context.checkout.db.queries, orders);
  const cells = orders.length > 0 ? await context.fulfillmentList?.readCells(context, orders) : undefined;
  return orders.map((order) => ({
    ...orderRow(context, order, refunded.get(order.id)),
    total: mayReadSales(admin) ? context.money(order.total) : undefined,
    fulfillment: cells?.get(order.id),
  }));
}
