/**
 * `gateway_unavailable`: this try charged nothing. Only its text may say so, and only about this try. `payment_refused`: the gateway
 * refused the request, or its answer cannot be used. `busy`: an earlier attempt of the order `orderId` has no answer and may be
 * charged, so this try was not sent. That order is the one to pay, or one that it would replace. After all three the customer may
 * try again.
 */
export type PaymentErrorCode = 'gateway_unavailable' | 'payment_refused' | 'busy';

interface PaymentErrorOptions extends ErrorOptions {
  readonly orderId?: string;
}

/** A start that led to no payment. The cause is logged and never shown to the customer. */
export class PaymentError extends Error {
  override readonly name = 'PaymentError';
  readonly code: PaymentErrorCode;
  /** The order whose attempt has no answer. Only with `busy`. */
  readonly orderId: string | undefined;

  constructor(code: PaymentErrorCode, { orderId, ...options }: PaymentErrorOptions = {}) {
    super(code, options);
    this.code = code;
    this.orderId = orderId;
  }
}
