import { findRefundedOrders } from '@tianguis/payments/back-office';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import { type OrderRequest, requeueMail } from '../../shop/order-requests.js';
import { findOrder, type Order } from '../../tables/orders.js';

export function mayResend({ state, email }: Pick<Order, 'state' | 'email'>): boolean {
  return state === 'paid' && email !== '';
}

const RECEIPT_RESULTS = {
  queued: 'receipt_queued',
  waiting: 'receipt_waiting',
  changed: 'changed',
  not_allowed: 'no_receipt',
} as const;

/** Queues the receipt of a paid order again. `no_receipt`: see {@link mayResend}, or its payment was reversed. */
export async function resendReceipt(
  context: Pick<CheckoutContext, 'db' | 'clock'>,
  request: OrderRequest,
): Promise<(typeof RECEIPT_RESULTS)[keyof typeof RECEIPT_RESULTS]> {
  const order = await findOrder(context.db.queries, request.orderId);
  if (order && (await findRefundedOrders(context.db.queries, [order])).get(order.id) === 'reversed')
    return 'no_receipt';
  const receipt = { job: 'receipt', kind: 'receipt_resent', isAllowed: mayResend } as const;
  return RECEIPT_RESULTS[await requeueMail(context, request, receipt)];
}
