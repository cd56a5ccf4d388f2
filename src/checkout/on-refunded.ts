import type { RefundedOrder } from './context.js';

/**
 * The merchant's own hook, called for every refund that returned money. Notify your warehouse or ERP here. Amounts are
 * centavos. Chargebacks do not call it. Do not ship an order with `refunded.isPaymentOfOrder` and `refunded.isFull`.
 *
 * It runs at least once. After a crash, a rejected promise or its deadline of 60 s it runs again with the same `refunded.key`.
 * Pass that key on as an idempotency key, and pass `signal` to `fetch`, so that a timeout ends the call.
 */
export async function onRefunded(_refunded: RefundedOrder, _signal: AbortSignal): Promise<void> {}
