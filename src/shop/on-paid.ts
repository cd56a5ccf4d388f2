import type { PaidOrder } from './checkout-context.js';

/**
 * The merchant's own hook, called for every paid order. Notify your warehouse or ERP here. Amounts are centavos.
 * Do not ship an order with `paid.stockTaken` false. It was paid late, its products are sold out, and it needs a decision.
 *
 * It runs at least once. After a crash, a rejected promise or its deadline of 60 s it runs again with the same `paid.key`.
 * Pass that key on as an idempotency key, and pass `signal` to `fetch`, so that a timeout ends the call.
 */
export async function onPaid(_paid: PaidOrder, _signal: AbortSignal): Promise<void> {}
