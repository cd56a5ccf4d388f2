import { findRefundedOrders, findRemainders } from '@tianguis/payments/back-office';
import type { Centavos } from '@tianguis/payments/rules';
import type { I18n } from '../../locales/i18n.js';
import type { Order } from '../../tables/orders.js';
import type { AdminAccess, RequestContext } from '../../web/request-context.js';
import { mayReadSales } from '../permissions.js';
import { orderRow } from './order-row.js';

/** Builds the models of orders in a list. Without `mayReadSales` they have no totals. */
export async function orderRows(context: RequestContext, orders: readonly Order[], admin: AdminAccess) {
  const refunded = await findRefundedOrders(context.checkout.db.queries, orders);
  const remainders = await findRemainders(context.checkout.db.queries, orders);
  const cells = orders.length > 0 ? await context.fulfillmentList?.readCells(context, orders) : undefined;
  return orders.map((order) => ({
    ...orderRow(context, order, refunded.get(order.id)),
    ...(mayReadSales(admin) && amountsOf(context, order, remainders.get(order.id))),
    fulfillment: cells?.get(order.id),
  }));
}

/** Returns the total, and what is left of it if money was returned. */
function amountsOf({ t, money }: I18n, { total }: Pick<Order, 'total'>, remainder: Centavos | undefined) {
  return {
    total: money(total),
    remainder: remainder === undefined ? undefined : t('admin.remainder', { amount: money(remainder) }),
  };
}
