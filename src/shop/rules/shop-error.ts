/** Error codes that the web layer answers. Each has a status and a page in `web/error-responses.ts`. */
export type ShopErrorCode =
  | 'not_found'
  | 'link_replaced'
  | 'method_not_allowed'
  | 'bad_request'
  | 'too_large'
  | 'unsupported_type'
  | 'cross_site'
  | 'forbidden'
  | 'admin_not_found'
  | 'card_data_refused'
  | 'too_many_attempts'
  | 'database_unavailable'
  | 'session_unavailable'
  | 'unexpected';

/** An error with a customer-visible code. The cause is logged and never shown to the customer. */
export class ShopError extends Error {
  override readonly name = 'ShopError';
  readonly code: ShopErrorCode;

  constructor(code: ShopErrorCode, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}
