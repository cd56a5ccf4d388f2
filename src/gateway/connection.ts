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

/** Sends a request to one host through its circuit breaker and retries. Throws {@link GatewayError} only. */
type Send = (request: GatewayRequest) => Promise<GatewayResponse>;

/** What all calls share. `payments` sends to `{base_url}`, `checkout` to `{checkout_api_url}`. */
export interface Connection extends Disposable {
  readonly settings: GatewaySettings;
  readonly deadlines: Deadlines;
  readonly payments: Send;
  readonly checkout: Send;
  /** Reports a call to `onCall` and returns its promise unchanged. */
  timed<T>(call: GatewayCall, work: Promise<T>): Promise<T>;
}

/** Creates the HTTP client and one circuit breaker per host. Sends no request. */
export function openConnection(settings: GatewaySettings): Connection {
  const { baseUrl, checkoutApiUrl } = settings;
  const http = createHttpClient(settings.apiKey);
  const sendTo = (host: string): Send => {
    const resilience = createResilience();
    return (request) =>
      resilience.run(request, (deadlineMs) =>
        http.send({ ...request, url: `${host}${request.path}`, deadlineMs }),
      );
  };
  const payments = sendTo(baseUrl);
  return {
    settings,
    deadlines: { ...DEADLINES, ...settings.deadlines },
    payments,
    checkout: baseUrl === checkoutApiUrl ? payments : sendTo(checkoutApiUrl),
    timed: stopwatch(settings),
    [Symbol.dispose]() {
      http[Symbol.dispose]();
    },
  };
}

function stopwatch({ onCall }: GatewaySettings): Connection['timed'] {
  return (call, work) => {
    if (!onCall) return work;
    const startedAt = performance.now();
    const report = (outcome: unknown) => onCall(call, performance.now() - startedAt, codeOf(outcome));
    work.then(report, report);
    return work;
  };
}

/** The code of an error that was thrown or returned. */
function codeOf(outcome: unknown): GatewayErrorCode | undefined {
  if (outcome instanceof GatewayError) return outcome.code;
  const { error } = (outcome ?? {}) as { readonly error?: unknown };
  return error instanceof GatewayError ? error.code : undefined;
}
