/** Why a call failed, sorted by what the caller may do next. The gateway's interface describes no errors (section 7). */
export const GATEWAY_ERROR_CODES = [
  /** No byte of the request reached the gateway: connection refused, no address, bad certificate, open circuit breaker. */
  'unreachable',
  /** No complete response before the deadline. */
  'timeout',
  /** The connection broke after bytes of the request had left. */
  'connection_lost',
  /** A response that the interface does not allow: not JSON, wrong types, too large, a redirect. */
  'bad_answer',
  /** 5xx, 408 or 409: the gateway may have acted. */
  'server_error',
  /** 429; `retryAfterMs` has the time to wait. */
  'rate_limited',
  /** 401 or 403: the API key is wrong. */
  'unauthorized',
  /** 404 on an id. */
  'not_found',
  /** Any other 4xx: the gateway refused the request. */
  'refused',
] as const;
export type GatewayErrorCode = (typeof GATEWAY_ERROR_CODES)[number];

/**
 * The calls with their deadline in milliseconds, which includes all retries. A call that may move money is sent once: it
 * never retries, and opens a new connection, because an idle one that breaks leaves the outcome unknown.
 */
export const CALLS = {
  'create-session': { deadlineMs: 8_000, retries: true },
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
  /** The HTTP status of the response. */
  readonly status?: number;
  /** Milliseconds until the gateway accepts requests again. */
  readonly retryAfterMs?: number;
  /** A system or parser code such as `ECONNRESET`. Never a message of the HTTP library, which may hold the key. */
  readonly reason?: string;
}

/** A failed call of the gateway. Carries no request, header or body, and no `cause`, because these hold secrets. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: GatewayErrorCode;
  readonly call: GatewayCall;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly reason: string | undefined;

  constructor(fields: GatewayErrorFields) {
    super(`${fields.call}: ${fields.code}`);
    this.code = fields.code;
    this.call = fields.call;
    this.status = fields.status;
    this.retryAfterMs = fields.retryAfterMs;
    this.reason = fields.reason;
  }
}

/** Returns the error of a failed call. Throws any other error. */
export function gatewayErrorOf(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  throw error;
}

const NOT_PROCESSED: readonly GatewayErrorCode[] = [
  'unreachable',
  'rate_limited',
  'unauthorized',
  'not_found',
  'refused',
];

/** Returns whether the error proves that the gateway did not act on the request. */
export function provesNotProcessed(error: GatewayError): boolean {
  return NOT_PROCESSED.includes(error.code);
}
