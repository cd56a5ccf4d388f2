import type { Order } from '../db/orders.js';
import { findRefundedOrders } from '../db/refunds.js';
import { needsReview } from '../domain/decision.js';
import { FEATURES } from '../features/index.js';
import type { I18n } from '../locales/i18n.js';
import { STATE_VIEWS } from '../web/order-page.js';
import { adminOrderPath } from '../web/paths.js';
import type { AdminAccess, RequestContext } from '../web/request-context.js';
import { mayReadSales } from './permissions.js';

/** Builds the models of orders in a list. Without `mayReadSales` they have no totals. */
export async function orderRows(context: RequestContext, orders: readonly Order[], admin: AdminAccess) {
  const refunded = await findRefundedOrders(context.checkout.db.queries, orders);
  const cells = orders.length > 0 ? await fulfillmentList()?.readCells(context, orders) : undefined;
  return orders.map((order) => ({
    ...orderRow(context, order, refunded.get(order.id)),
    total: mayReadSales(admin) ? context.money(order.total) : undefined,
    fulfillment: cells?.get(order.id),
  }));
}

/** Returns the column of the fulfillment, if a feature has it. */
export function fulfillmentList() {
  return FEATURES.find((feature) => feature.fulfillmentList)?.fulfillmentList;
}

/** Builds the model of an order in a list or at the top of its page. */
export function orderRow({ t }: I18n, order: Order, refunded: 'full' | 'partial' | undefined) {
  const { number, state, firstName, lastName, email, createdAt, updatedAt } = order;
  const reason = order.reviewReason ?? (state === 'outcome_unknown' ? state : undefined);
  return {
    number,
    href: adminOrderPath(order),
    customer: `${firstName} ${lastName}`.trim(),
    /** The line may break before the `@`. Empty after an erasure. */
    emailParts: email === '' ? [] : email.split(/(?=@)/),
    state: t(`admin.states.${state}`),
    tone: needsReview(order) ? 'review' : STATE_VIEWS[state].tone,
    refunded: refunded && t(`admin.refunded.${refunded}`),
    /** Why it needs review, as a sentence. */
    reason: reason && t(`admin.reasons.${reason}`),
    createdAt,
    updatedAt,
  };
}
