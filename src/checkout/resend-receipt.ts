import { recordEvent } from '../db/history.js';
import { lockOrder, type Order, patchOrder } from '../db/orders.js';
import { jobKey, requeueJob } from '../db/outbox.js';
import type { CheckoutContext } from './context.js';

/** A request of an admin user about one order. */
export interface OrderRequest {
  readonly orderId: string;
  /** The order version on the admin user's page (optimistic lock). */
  readonly version: number;
  /** The name of the admin user. */
  readonly by: string;
}

export type ResendOutcome =
  | 'receipt_queued'
  /** The receipt waits to be sent. */
  | 'receipt_waiting'
  /** The order changed after the page was rendered, also by the same request. */
  | 'changed'
  /** The order is not paid, or its e-mail address was erased. */
  | 'no_receipt';

/** Returns whether the receipt can be sent again. */
export function mayResend({ state, email }: Pick<Order, 'state' | 'email'>): boolean {
  return state === 'paid' && email !== '';
}

/** Queues the receipt of a paid order again. At most one is queued, and the same request queues one. */
export function resendReceipt(
  { db, clock }: Pick<CheckoutContext, 'db' | 'clock'>,
  { orderId, version, by }: OrderRequest,
): Promise<ResendOutcome> {
  return db.transaction(async (queries) => {
    const order = await lockOrder(queries, orderId);
    if (!mayResend(order)) return 'no_receipt';
    if (order.version !== version) return 'changed';
    const at = clock.now();
    const key = jobKey('receipt', orderId);
    if (!(await requeueJob(queries, { key, orderId, job: 'receipt', at }))) return 'receipt_waiting';
    // A new version of the order, so that a repeated request queues nothing.
    await patchOrder(queries, order, { at, patch: {} });
    await recordEvent(queries, { orderId, at, kind: 'receipt_resent', detail: { by } });
    return 'receipt_queued';
  });
}
