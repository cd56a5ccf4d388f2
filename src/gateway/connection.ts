import { type GatewayCall, GatewayError, type GatewayErrorCode } from './errors.js';
import { createHttpClient, type GatewayRequest, type GatewayResponse } from './http.js';
import { createResilience } from './resilience.js';
import type { SigningText } from './signature.js';

export interface GatewaySettings {
  /** `{base_url}` and `{checkout_api_url}` of the interface, without a trailing slash. */
  readonly baseUrl: string;
  readonly checkoutApiUrl: string;
  readonly apiKey: string;
  readonly signingSecret?: string;
  /** `ascii` by default. */
  readonly signingText?: SigningText;
  /** Origins of the hosted page; a session with any other address is not used. */
  readonly pageOrigins: readonly string[];
  readonly allowLoopbackHttp: boolean;
  /** Color of the hosted page, as `#RRGGBB`. Absent: the gateway's default. */
  readonly brandColor?: string;
  readonly deadlines?: Partial<Deadlines>;
  /** Called after each call with its duration in milliseconds, retries included, and the code of its error. */
  readonly onCall?: (call: GatewayCall, ms: number, code?: GatewayErrorCode) => void;
}

/** Milliseconds for one call and all its retries. */
export interface Deadlines {
  readonly read: number;
  readonly createSession: number;
  readonly processPayment: number;
  readonly accessToken: number;
}

/** The page that pays by card has a deadline of 25 s; 0.5 s remain for the shop's own writes. */
const DEADLINES: Deadlines = {
  read: 4_000,
  createSession: 8_000,
  processPayment: 24_500,
  accessToken: 5_000,
};

/**
 * Sends a request to one host through its circuit breaker and retries, and reads the response. Throws
 * {@link GatewayError} only: `bad_answer` when `read` returns `undefined`.
 */
type Send = <T>(request: GatewayRequest, read: (response: GatewayResponse) => T | undefined) => Promise<T>;

/** What all calls share. `payments` sends to `{base_url}`, `checkout` to `{checkout_api_url}`. */
export interface Connection extends Disposable {
  readonly settings: GatewaySettings;
  readonly deadlines: Deadlines;
  readonly payments: Send;
  readonly checkout: Send;
}

/** Creates the HTTP client and one circuit breaker per host. Sends no request. */
export function openConnection(settings: GatewaySettings): Connection {
  const { baseUrl, checkoutApiUrl, onCall } = settings;
  const http = createHttpClient(settings.apiKey);
  const sendTo = (host: string): Send => {
    const run = createResilience();
    return (request, read) => {
      const { call, path } = request;
      const startedAt = performance.now();
      const result = run(request, (deadlineMs) =>
        http.send({ ...request, url: `${host}${path}`, deadlineMs }),
      ).then((response) => {
        const value = read(response);
        if (value !== undefined) return value;
        throw new GatewayError({ call, code: 'bad_answer', status: response.status, reason: 'shape' });
      });
      const report = (code?: GatewayErrorCode) => onCall?.(call, performance.now() - startedAt, code);
      result.then(
        () => report(),
        (error: unknown) => report(error instanceof GatewayError ? error.code : undefined),
      );
      return result;
    };
  };
  const payments = sendTo(baseUrl);
  return {
    settings,
    deadlines: { ...DEADLINES, ...settings.deadlines },
    payments,
    checkout: baseUrl === checkoutApiUrl ? payments : sendTo(checkoutApiUrl),
    [Symbol.dispose]: () => http[Symbol.dispose](),
  };
}
