import type { Centavos } from '@tianguis/payments/rules';
import type { PaidOrder } from '../../shop/checkout-context.js';
import type { InvoiceRequest } from './repository.js';

export interface InvoiceRequestedOrder extends PaidOrder {
  readonly request: InvoiceRequest;
  /** What is left of the total after refunds. Only this is invoiced. */
  readonly remainder: Centavos;
}

/**
 * The merchant's own hook, called when a customer requests the invoice of a paid order, and again after each correction.
 * Create the invoice (CFDI) here, or replace the data of an invoice that was not issued yet. Amounts are centavos.
 *
 * It runs at least once, as `onPaid` does. A correction has another `requested.key`. An outdated version and a refunded order
 * are skipped.
 */
export async function onInvoiceRequested(_requested: InvoiceRequestedOrder, _signal: AbortSignal): Promise<void> {}
