/**
 * Why a call failed. The gateway's interface describes no errors (section 7). `notProcessed`: the error proves that the
 * gateway did not act on the request. `isRetried`: a call that may be repeated is retried. `opensBreaker`: the error counts
 * for the circuit breaker of the host.
 */
export const ERRORS = {
  /** No byte of the request reached the gateway: connection refused, no address, bad certificate, open circuit breaker. */
  unreachable: { notProcessed: true, isRetried: true, opensBreaker: true },
  /** No complete response before the deadline. */
  timeout: { notProcessed: false, isRetried: false, opensBreaker: true },
  /** The connection broke after bytes of the request had left. */
  connection_lost: { notProcessed: false, isRetried: true, opensBreaker: true },
  /** A response that the interface does not allow: not JSON, wrong types, another encoding, too large, a redirect. */
  bad_answer: { notProcessed: false, isRetried: true, opensBreaker: false },
  /** 409 to create-session: another session has the reference. */
  conflict: { notProcessed: true, isRetried: false, opensBreaker: false },
  /** 5xx, 408 or 409 to another call: the gateway may have acted. */
  server_error: { notProcessed: false, isRetried: true, opensBreaker: true },
  /** 429; `retryAfterMs` has the time to wait. */
  rate_limited: { notProcessed: true, isRetried: true, opensBreaker: false },
  /** 401 or 403: the API key is wrong. */
  unauthorized: { notProcessed: true, isRetried: false, opensBreaker: false },
  /** 404 on an id. */
  not_found: { notProcessed: true, isRetried: false, opensBreaker: false },
  /** Any other 4xx: the gateway refused the request. */
  refused: { notProcessed: true, isRetried: false, opensBreaker: false },
} as const;
export type GatewayErrorCode = keyof typeof ERRORS;
export const GATEWAY_ERROR_CODES = Object.keys(ERRORS) as readonly GatewayErrorCode[];

/**
 * The calls with their deadline in milliseconds, which includes all retries. A call that may move money never retries. It
 * opens a new connection, because an idle one may break and leave the outcome unknown. `unprocessed`: only errors that prove
 * that the request was not processed are retried, because the gateway refuses a repeated reference.
 */
export const CALLS = {
  'create-session': { deadlineMs: 8_000, retries: 'unprocessed' },
  'read-session': { deadlineMs: 4_000, retries: true },
  // The page that pays by card has a deadline of 25 s; 0.5 s remain for the shop's own writes.
  'process-payment': { deadlineMs: 24_500, retries: false },
  'read-transaction': { deadlineMs: 4_000, retries: true },
  'refund-payment': { deadlineMs: 24_500, retries: false },
  'read-refund': { deadlineMs: 4_000, retries: true },
  'access-token': { deadlineMs: 5_000, retries: true },
} as const;
export type GatewayCall = keyof typeof CALLS;
export const GATEWAY_CALLS = Object.keys(CALLS) as readonly GatewayCall[];

export interface GatewayErrorFields {
  readonly code: GatewayErrorCode;
  readonly call: GatewayCall;
  readonly status?: number;
  /** Milliseconds until the gateway accepts requests again. */
  readonly retryAfterMs?: number;
  /** A system or parser code such as `ECONNRESET`. Never a message of the HTTP library, which may hold the key. */
  readonly reason?: string;
  /** The lost connection had served another request: the gateway may have closed it while idle. */
  readonly isReused?: boolean | undefined;
}

/** A failed call of the gateway. Carries no request, header or body, and no `cause`, because these hold secrets. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: GatewayErrorCode;
  readonly call: GatewayCall;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly reason: string | undefined;
  readonly isReused: boolean;

  constructor(fields: GatewayErrorFields) {
    super(`${fields.call}: ${fields.code}`);
    this.code = fields.code;
    this.call = fields.call;
    this.status = fields.status;
    this.retryAfterMs = fields.retryAfterMs;
    this.reason = fields.reason;
    this.isReused = fields.isReused === true;
  }
}

/** Returns the error of a failed call. Throws any other error. */
export function gatewayErrorOf(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  throw error;
}
