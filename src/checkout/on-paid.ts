import type { PaidOrder } from './context.js';

/**
 * The merchant's own hook, called for every paid order. Notify your warehouse or ERP here. Amounts are centavos.
 * Do not ship an order with `paid.stockTaken` false: it was paid late, its products are sold out, and you must decide.
 *
 * It runs at least once: after a crash, a rejected promise or its deadline of 60 s it is called again with the same
 * `paid.key`. Pass that key on as an idempotency key, and pass `signal` to `fetch`, so that a timeout ends the call.
 */
export async function onPaid(_paid: PaidOrder, _signal: AbortSignal): Promise<void> {}
