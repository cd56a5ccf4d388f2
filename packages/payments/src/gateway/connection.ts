/** The connection to the gateway: deadlines, per host retries and circuit breaker, per kind of call a pause after a 429. */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleType,
  handleWhen,
  type IPolicy,
  retry,
} from 'cockatiel';
import { type Random, randomFraction } from '../rules/random.js';
import { CALLS, ERRORS, type GatewayCall, GatewayError, type GatewayErrorCode } from './errors.js';
import { createHttpClient, type GatewayRequest } from './http.js';
import type { GatewayResponse } from './read-response.js';

/** What the client needs to know about the gateway, and what its caller may add. */
export interface GatewaySettings {
  /** Redirects to loopback addresses over http are refused. */
  readonly production: boolean;
  /** `{base_url}` and `{checkout_api_url}` of the interface, without a trailing slash. */
  readonly baseUrl: string;
  readonly checkoutApiUrl: string;
  /** Origins of the hosted page. A session with any other address is not used. */
  readonly pageOrigins: readonly string[];
  readonly apiKey: string;
  /** Absent: requests are not signed. */
  readonly signingSecret?: string | undefined;
  /** How a body is written: with every character outside U+0020–U+007E escaped, or as plain UTF-8. */
  readonly signingText: 'ascii' | 'utf8';
  /** For the jitter of retries. Default: `randomBytes` of `node:crypto`. */
  readonly random?: Random | undefined;
  /** Returns the color of the hosted page, as `#RRGGBB`. Absent: the gateway's default. */
  readonly brandColor?: (() => string) | undefined;
  /** Milliseconds for one call with all its retries. Absent: see {@link CALLS}. */
  readonly deadlines?: { readonly [C in GatewayCall]?: number | undefined } | undefined;
  /** Called after each call with its duration in milliseconds, retries included, and the code of its error. */
  readonly onCall?: ((call: GatewayCall, ms: number, code?: GatewayErrorCode) => void) | undefined;
}

/**
 * Sends a request to one host through its circuit breaker and retries, and reads the response. Throws
 * {@link GatewayError} only: `bad_answer` when `read` returns `undefined`.
 */
type Send = <T>(request: GatewayRequest, read: (response: GatewayResponse) => T | undefined) => Promise<T>;

/** What all calls share. `payments` sends to `{base_url}`, `checkout` to `{checkout_api_url}`. */
export interface Connection extends Disposable {
  readonly settings: GatewaySettings;
  readonly payments: Send;
  readonly checkout: Send;
}

/** Creates the HTTP client and one circuit breaker per host. Both addresses may have the same host. Sends no request. */
export function openConnection(settings: GatewaySettings): Connection {
  const { baseUrl, checkoutApiUrl, deadlines, onCall } = settings;
  const http = createHttpClient(settings.apiKey);
  const sendTo =
    (address: string, run: Resilience): Send =>
    (request, read) => {
      const { call, path } = request;
      const startedAt = performance.now();
      const result = run(call, deadlines?.[call] ?? CALLS[call].deadlineMs, (deadlineMs) =>
        http.send({ ...request, url: `${address}${path}`, deadlineMs }),
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
  const isSameHost = new URL(baseUrl).origin === new URL(checkoutApiUrl).origin;
  const paymentsHost = createResilience(settings.random);
  return {
    settings,
    payments: sendTo(baseUrl, paymentsHost),
    checkout: sendTo(checkoutApiUrl, isSameHost ? paymentsHost : createResilience(settings.random)),
    [Symbol.dispose]: () => http[Symbol.dispose](),
  };
}

/** The breaker opens after 8 consecutive failures and lets one call probe the host after 2 s. */
const BREAKER_FAILURES = 8;
const BREAKER_PAUSE_MS = 2_000;
const MAX_RETRIES = 2;
const FIRST_BACKOFF_MS = 100;
/** The second wait with its jitter. */
const MAX_BACKOFF_MS = 300;
/** Longest pause after a 429 that a call without retries waits out, because the customer waits for it. */
const LONGEST_WAIT_MS = 2_000;
/** Longest pause of the calls without which no customer pays by card. The published limit of payments is per minute. */
const LONGEST_CARD_PAUSE_MS = 60_000;
const CARD_CALLS: readonly GatewayCall[] = ['process-payment', 'access-token'];

/** A timer may fire early by a millisecond. */
const TIMER_MARGIN_MS = 20;

type Resilience = ReturnType<typeof createResilience>;

/**
 * Creates a function that sends requests to one host; all calls to the host must share it. It runs `send` with the
 * milliseconds that remain and throws what `send` throws. It throws {@link GatewayError} `unreachable` while the breaker
 * is open, and `rate_limited` until the time of an earlier 429 to the same kind of call is over. A call without retries
 * waits out a pause of up to 2 s.
 */
function createResilience(random: Random = randomBytes) {
  const breaker = circuitBreaker(
    // Idle connections may all be closed at once by a gateway that works.
    handleType(GatewayError, ({ code, isReused }) => ERRORS[code].opensBreaker && !isReused),
    { halfOpenAfter: BREAKER_PAUSE_MS, breaker: new ConsecutiveBreaker(BREAKER_FAILURES) },
  );
  const pausedUntil = new Map<GatewayCall, number>();
  const pauseOf = (call: GatewayCall) => (pausedUntil.get(call) ?? 0) - performance.now();

  /** A call with retries waits between its tries instead. */
  async function passPause(call: GatewayCall, remainingMs: number): Promise<void> {
    const wait = pauseOf(call);
    const isShort = wait <= LONGEST_WAIT_MS && wait < remainingMs / 2;
    if (wait > 0 && isShort && !CALLS[call].retries) await delay(wait + TIMER_MARGIN_MS);
    // Another 429 may have extended the pause.
    const rest = pauseOf(call);
    if (rest > 0) throw new GatewayError({ call, code: 'rate_limited', retryAfterMs: rest });
  }

  async function sendOnce<T>(call: GatewayCall, remainingMs: number, send: () => Promise<T>): Promise<T> {
    await passPause(call, remainingMs);
    // Another call probes the host. Waiting for it could take longer than this call's deadline.
    if (breaker.state === CircuitState.HalfOpen) throw breakerOpen(call);
    return breaker.execute(send).catch((error: unknown) => {
      if (error instanceof GatewayError && error.retryAfterMs) {
        const longest = CARD_CALLS.includes(call) ? LONGEST_CARD_PAUSE_MS : error.retryAfterMs;
        const pause = Math.max(pauseOf(call), Math.min(error.retryAfterMs, longest));
        pausedUntil.set(call, performance.now() + pause);
      }
      throw error instanceof BrokenCircuitError ? breakerOpen(call) : error;
    });
  }

  return <T>(call: GatewayCall, deadlineMs: number, send: (remainingMs: number) => Promise<T>): Promise<T> => {
    const endsAt = performance.now() + deadlineMs;
    const remaining = () => endsAt - performance.now();
    const once = () => sendOnce(call, remaining(), () => send(Math.max(1, Math.floor(remaining()))));
    return CALLS[call].retries ? retryWithin(call, remaining, random).execute(once) : once();
  };
}

function breakerOpen(call: GatewayCall): GatewayError {
  return new GatewayError({ call, code: 'unreachable', reason: 'breaker_open' });
}

/** Exponential backoff with jitter, or the time of a 429. Retries only when the wait takes less than half of what remains. */
function retryWithin(call: GatewayCall, remaining: () => number, random: Random): IPolicy {
  const fits = (error: Error) =>
    error instanceof GatewayError &&
    error.reason !== 'breaker_open' &&
    ERRORS[error.code].isRetried &&
    (ERRORS[error.code].notProcessed || CALLS[call].retries === true) &&
    (error.retryAfterMs ?? MAX_BACKOFF_MS) < remaining() / 2;
  return retry(handleWhen(fits), {
    maxAttempts: MAX_RETRIES,
    backoff: new DelegateBackoff((context) => {
      const { result } = context as { result?: { error?: Error } };
      if (result?.error instanceof GatewayError && result.error.retryAfterMs)
        return result.error.retryAfterMs + TIMER_MARGIN_MS;
      return FIRST_BACKOFF_MS * 2 ** (context.attempt - 1) * (0.5 + randomFraction(random));
    }),
  });
}
