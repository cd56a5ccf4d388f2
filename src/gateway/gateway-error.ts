/** Everything that can go wrong between us and the service, sorted by what the caller may do next. */
export const GATEWAY_ERROR_CODES = [
  /** Nothing left this machine: refused connection, no address, bad certificate, the breaker is open. */
  'unreachable',
  /** No complete answer by the deadline. */
  'timeout',
  /** The connection broke after bytes had left. */
  'connection_lost',
  /** An answer that the contract does not allow: not JSON, wrong types, too large, a redirect. */
  'bad_answer',
  /** 5xx, 408 or 409: the service may have acted all the same. */
  'server_error',
  /** 429; `retryAfterMs` says when. */
  'rate_limited',
  /** 401 or 403: the key does not fit. */
  'unauthorized',
  /** 404 on an id. */
  'not_found',
  /** Any other 4xx: the request itself was refused. */
  'refused',
] as const;
export type GatewayErrorCode = (typeof GATEWAY_ERROR_CODES)[number];

export const GATEWAY_CALLS = [
  'create-session',
  'read-session',
  'process-payment',
  'read-transaction',
  'access-token',
] as const;
export type GatewayCall = (typeof GATEWAY_CALLS)[number];

export interface GatewayFault {
  readonly code: GatewayErrorCode;
  readonly call: GatewayCall;
  readonly status?: number;
  /** Milliseconds the service asked to be left alone. */
  readonly retryAfterMs?: number;
  /** A system or parser code such as `ECONNRESET`; never a message of the HTTP library, which may hold the key. */
  readonly reason?: string;
}

/** Thrown by every call of the gateway. Carries no request, header or body. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: GatewayErrorCode;
  readonly call: GatewayCall;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly reason: string | undefined;

  constructor(fault: GatewayFault) {
    super(`${fault.call}: ${fault.code}`);
    this.code = fault.code;
    this.call = fault.call;
    this.status = fault.status;
    this.retryAfterMs = fault.retryAfterMs;
    this.reason = fault.reason;
  }
}

const NOTHING_HAPPENED: readonly GatewayErrorCode[] = [
  'unreachable',
  'rate_limited',
  'unauthorized',
  'not_found',
  'refused',
];

/** Whether the fault proves that the service did not act on the request. */
export function provesNothingHappened(error: GatewayError): boolean {
  return NOTHING_HAPPENED.includes(error.code);
}
