import type { PaidOrder } from './services.js';

/**
 * The merchant's own hook: called for every paid order, after the receipt was queued. Tell your warehouse or your ERP here.
 *
 * It runs at least once: after a crash or a rejected promise it is called again with the same `paid.key`, so hand that key to
 * whatever you call as its idempotency key. Money is in centavos.
 */
export async function onPaid(_paid: PaidOrder): Promise<void> {}
