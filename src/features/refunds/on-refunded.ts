import type { PaymentIds, Refund } from '@tianguis/payments/back-office';
import type { OrderJob } from '../../shop/checkout-context.js';
import type { OrderLine } from '../../shop/rules/cart.js';

/** Input of the mail and the hook for money that was returned. */
export interface RefundedOrder extends OrderJob {
  readonly lines: readonly OrderLine[];
  /** This refund: its amount, the day of the refund, and whether it was `succeeded` at the gateway or `recorded`. */
  readonly refund: Refund;
  /** How the gateway names the refunded payment. */
  readonly payment: PaymentIds;
  /** Whether it is a refund of the payment that paid the order. Otherwise the customer paid more than once. */
  readonly isPaymentOfOrder: boolean;
  /** Whether the whole payment was returned. */
  readonly isFull: boolean;
}

/**
 * The merchant's own hook, called for every refund that returned money. Notify your warehouse or ERP here. Amounts are
 * centavos. Chargebacks do not call it. Do not ship an order with `refunded.isPaymentOfOrder` and `refunded.isFull`.
 *
 * It runs at least once. After a crash, a rejected promise or its deadline of 60 s it runs again with the same `refunded.key`.
 * Pass that key on as an idempotency key, and pass `signal` to `fetch`, so that a timeout ends the call.
 */
export async function onRefunded(_refunded: RefundedOrder, _signal: AbortSignal): Promise<void> {}
