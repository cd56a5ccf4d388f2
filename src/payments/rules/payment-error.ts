/**
 * `gateway_unavailable`: no payment started, or an earlier one could not be looked up. `payment_refused`: the gateway refused the
 * request. After both, the customer may try again.
 */
export type PaymentErrorCode = 'gateway_unavailable' | 'payment_refused';

/** A payment that provably did not start. The cause is logged and never shown to the customer. */
export class PaymentError extends Error {
  override readonly name = 'PaymentError';
  readonly code: PaymentErrorCode;

  constructor(code: PaymentErrorCode, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}
