/** Faults that only the edge can answer. Each code has a status and a page in `web/error-responses.ts`. */
export const SHOP_ERROR_CODES = [
  'not_found',
  'method_not_allowed',
  'bad_request',
  'too_large',
  'unsupported_type',
  'cross_site',
  'card_data_refused',
  'cart_empty',
  'service_unavailable',
  'payment_refused',
  'too_many_attempts',
  'database_unavailable',
  'session_unavailable',
  'unexpected',
] as const;
export type ShopErrorCode = (typeof SHOP_ERROR_CODES)[number];

/** Thrown with the evidence as its cause; the shopper sees the code's own page and nothing of the cause. */
export class ShopError extends Error {
  override readonly name = 'ShopError';
  readonly code: ShopErrorCode;

  constructor(code: ShopErrorCode, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}
