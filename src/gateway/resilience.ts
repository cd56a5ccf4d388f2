/** How often and how soon the service is asked again, and when it is left alone. */
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
import { type GatewayCall, GatewayError, type GatewayErrorCode } from './gateway-error.js';

/** Consecutive faults after which calls are refused at once, and how long until one may try again. */
const BREAKER_FAULTS = 8;
const BREAKER_PAUSE_MS = 2_000;
const MAX_RETRIES = 2;
const FIRST_BACKOFF_MS = 100;
/** The second wait with its jitter: a retry is worth while only when it and a call fit in. */
const LONGEST_BACKOFF_MS = 300;

const SERVICE_IS_ILL: readonly GatewayErrorCode[] = [
  'unreachable',
  'timeout',
  'connection_lost',
  'server_error',
];
const WORTH_A_RETRY: readonly GatewayErrorCode[] = [
  'unreachable',
  'connection_lost',
  'server_error',
  'rate_limited',
  'bad_answer',
];

export interface Attempting {
  readonly call: GatewayCall;
  /** Milliseconds for all tries together. */
  readonly deadlineMs: number;
  readonly retries: boolean;
}

export interface Resilience {
  /** Runs a call, with the milliseconds that are left for it; throws {@link GatewayError} only. */
  run<T>(attempting: Attempting, send: (remainingMs: number) => Promise<T>): Promise<T>;
}

/** One breaker and one shared back-off for one host of the service. */
export function createResilience(): Resilience {
  const breaker = circuitBreaker(
    handleType(GatewayError, (error) => SERVICE_IS_ILL.includes(error.code)),
    { halfOpenAfter: BREAKER_PAUSE_MS, breaker: new ConsecutiveBreaker(BREAKER_FAULTS) },
  );
  let leaveAloneUntil = 0;

  async function sendOnce<T>(attempting: Attempting, send: () => Promise<T>): Promise<T> {
    const wait = leaveAloneUntil - performance.now();
    if (wait > 0) throw new GatewayError({ call: attempting.call, code: 'rate_limited', retryAfterMs: wait });
    // Another call is the probe: waiting for it would take as long as that call's deadline, which may be a longer one.
    if (breaker.state === CircuitState.HalfOpen) throw breakerOpen(attempting.call);
    return breaker.execute(send).catch((error: unknown) => {
      if (error instanceof GatewayError && error.retryAfterMs) {
        leaveAloneUntil = Math.max(leaveAloneUntil, performance.now() + error.retryAfterMs);
      }
      throw error instanceof BrokenCircuitError ? breakerOpen(attempting.call) : error;
    });
  }

  return {
    run(attempting, send) {
      const endsAt = performance.now() + attempting.deadlineMs;
      const remaining = () => endsAt - performance.now();
      const policy = attempting.retries ? retryWithin(remaining) : undefined;
      const once = () => sendOnce(attempting, () => send(Math.max(1, Math.floor(remaining()))));
      return policy ? policy.execute(once) : once();
    },
  };
}

function breakerOpen(call: GatewayCall): GatewayError {
  return new GatewayError({ call, code: 'unreachable', reason: 'breaker_open' });
}

/** Exponential back-off with full jitter, or as long as the service asked for, while it fits the deadline. */
function retryWithin(remaining: () => number): IPolicy {
  const fits = (error: Error) =>
    error instanceof GatewayError &&
    error.reason !== 'breaker_open' &&
    WORTH_A_RETRY.includes(error.code) &&
    (error.retryAfterMs ?? LONGEST_BACKOFF_MS) < remaining() / 2;
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
