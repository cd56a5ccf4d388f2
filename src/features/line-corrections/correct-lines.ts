import type { OrderRefusal } from '@tianguis/payments/back-office';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import { endLinksOfCart, findLatestOrderOfCart, findOrder, type Order } from '../../tables/orders.js';
import { lockProducts } from '../../tables/stock.js';
import { insertMerchantOrder, type MerchantOrder } from '../merchant-orders/place-merchant-order.js';

export type CorrectionResult =
  | { readonly kind: 'corrected' | 'existed'; readonly order: Order }
  | { readonly kind: 'changed' }
  | { readonly kind: 'refused'; readonly why: OrderRefusal };

/**
 * Returns why the lines of an order cannot be corrected now. A newer order of the same cart that did not replace it, because its
 * payment was in review, keeps its link. Looks up nothing.
 */
export async function findCorrectionRefusal(
  { db, payments }: Pick<CheckoutContext, 'db' | 'payments'>,
  order: Order,
): Promise<OrderRefusal | undefined> {
  const why = await payments.replacement.refusal(order);
  if (why) return why;
  const latest = await findLatestOrderOfCart(db.queries, order.cartId);
  return latest && latest.id !== order.id ? { kind: 'other_order', number: latest.number } : undefined;
}

interface Correction extends MerchantOrder {
  /** The version of the earlier order that the user saw. */
  readonly version: number;
}

/**
 * Places a new order that takes the place of an unpaid one, whose link ends and leads to the new one. `existed`: this form has
 * already placed it. `changed`: less is left, or the user saw another total or version of the order, and nothing was placed.
 */
export async function correctLines(
  context: CheckoutContext,
  earlier: Order,
  request: Correction,
): Promise<CorrectionResult> {
  const why = await findCorrectionRefusal(context, earlier);
  const result = why ? ({ kind: 'refused', why } as const) : await replace(context, earlier, request);
  if (result.kind === 'replaced') return { kind: 'corrected', order: result.order };
  if (result.kind === 'not_placed') return { kind: 'changed' };
  // After a double click the first post has replaced the order.
  const existing = await findOrder(context.db.queries, request.id);
  return existing ? { kind: 'existed', order: existing } : result;
}

function replace(context: CheckoutContext, earlier: Order, request: Correction) {
  return context.payments.replacement.replace({
    orderId: earlier.id,
    by: request.by,
    async place(tx, locked) {
      if (locked.version !== request.version) return undefined;
      if (locked.discountCode !== null) await context.discountCodes?.lock(tx, locked.discountCode);
      await lockProducts(tx, [...request.quantities.keys()]);
      const order = await insertMerchantOrder(tx, context, request, locked);
      if (order) await endLinksOfCart(tx, order.cartId, order.id);
      return order;
    },
  });
}
