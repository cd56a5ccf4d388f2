/** Retries, circuit breaker and rate-limit pause for the calls to one host. */
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
import { type GatewayCall, GatewayError, type GatewayErrorCode } from './errors.js';
import type { GatewayRequest } from './http.js';

/** The breaker opens after 8 consecutive failures and lets one call probe the host after 2 s. */
const BREAKER_FAILURES = 8;
const BREAKER_PAUSE_MS = 2_000;
const MAX_RETRIES = 2;
const FIRST_BACKOFF_MS = 100;
/** The second wait with its jitter. */
const MAX_BACKOFF_MS = 300;

const BREAKER_CODES: readonly GatewayErrorCode[] = [
  'unreachable',
  'timeout',
  'connection_lost',
  'server_error',
];
const RETRY_CODES: readonly GatewayErrorCode[] = [
  'unreachable',
  'connection_lost',
  'server_error',
  'rate_limited',
  'bad_answer',
];

/**
 * Creates a function that sends requests to one host; all calls to the host must share it. It runs `send` with the
 * milliseconds that remain and throws what `send` throws. It throws {@link GatewayError} `unreachable` while the breaker
 * is open, and `rate_limited` until the time of an earlier 429 is over.
 */
export function createResilience() {
  const breaker = circuitBreaker(
    handleType(GatewayError, (error) => BREAKER_CODES.includes(error.code)),
    { halfOpenAfter: BREAKER_PAUSE_MS, breaker: new ConsecutiveBreaker(BREAKER_FAILURES) },
  );
  let pausedUntil = 0;

  async function sendOnce<T>(call: GatewayCall, send: () => Promise<T>): Promise<T> {
    const wait = pausedUntil - performance.now();
    if (wait > 0) throw new GatewayError({ call, code: 'rate_limited', retryAfterMs: wait });
    // Another call probes the host. Waiting for it could take longer than this call's deadline.
    if (breaker.state === CircuitState.HalfOpen) throw breakerOpen(call);
    return breaker.execute(send).catch((error: unknown) => {
      if (error instanceof GatewayError && error.retryAfterMs) {
        pausedUntil = Math.max(pausedUntil, performance.now() + error.retryAfterMs);
      }
      throw error instanceof BrokenCircuitError ? breakerOpen(call) : error;
    });
  }

  return <T>(
    { call, deadlineMs, retries }: Pick<GatewayRequest, 'call' | 'deadlineMs' | 'retries'>,
    send: (remainingMs: number) => Promise<T>,
  ): Promise<T> => {
    const endsAt = performance.now() + deadlineMs;
    const remaining = () => endsAt - performance.now();
    const once = () => sendOnce(call, () => send(Math.max(1, Math.floor(remaining()))));
    return retries ? retryWithin(remaining).execute(once) : once();
  };
}

function breakerOpen(call: GatewayCall): GatewayError {
  return new GatewayError({ call, code: 'unreachable', reason: 'breaker_open' });
}

/** Exponential backoff with jitter, or the time of a 429. Retries only when the wait takes less than half of what remains. */
function retryWithin(remaining: () => number): IPolicy {
  const fits = (error: Error) =>
    error instanceof GatewayError &&
    error.reason !== 'breaker_open' &&
    RETRY_CODES.includes(error.code) &&
    (error.retryAfterMs ?? MAX_BACKOFF_MS) < remaining() / 2;
  return retry(handleWhen(fits), {
    maxAttempts: MAX_RETRIES,
    backoff: new DelegateBackoff((context) => {
      const { result } = context as { result?: { error?: Error } };
      if (result?.error instanceof GatewayError && result.error.retryAfterMs)
        return result.error.retryAfterMs + 20;
      return FIRST_BACKOFF_MS * 2 ** (context.attempt - 1) * (0.5 + Math.random());
    }),
  });
}
