/** The lookups of attempts that are in flight, at most one per attempt, and what the last ones found. */
import { hasFailedTry, isDeclinedTry, isPlainPending } from './gateway/status.js';
import type { Attempt, StatedAttempt } from './rules/attempt.js';
import type { LookupResult } from './rules/lookup.js';

/** A lookup in flight, and the next one, which callers that arrive meanwhile share. */
interface RunningLookup {
  readonly current: Promise<LookupResult>;
  next?: Promise<LookupResult>;
}

/** The lookups in flight in this process, by attempt id. */
export type RunningLookups = Map<string, RunningLookup>;

/**
 * Starts a lookup of an attempt. At most one per attempt is in flight in this process. If one is, a caller that accepts a
 * `recent` result waits for it. The other callers share the next one, which is never older than their call.
 */
export function lookUpOnce(
  running: RunningLookups,
  attemptId: string,
  start: () => Promise<LookupResult>,
  acceptsRecent: boolean,
): Promise<LookupResult> {
  const begin = () => {
    const lookup: RunningLookup = {
      current: start().finally(() => {
        if (!lookup.next) running.delete(attemptId);
      }),
    };
    running.set(attemptId, lookup);
    return lookup.current;
  };
  const lookup = running.get(attemptId);
  if (!lookup) return begin();
  const recent = () => 'recent' as const;
  if (acceptsRecent) return lookup.current.then(recent, recent);
  lookup.next ??= lookup.current.then(begin, begin);
  return lookup.next;
}

/** Returns an attempt with what its last status means. */
export function withStatus(attempt: Attempt): StatedAttempt {
  const { gatewayStatus } = attempt;
  return {
    ...attempt,
    isPlainPending: isPlainPending(gatewayStatus),
    hasFailedTry: hasFailedTry(gatewayStatus),
    hasDeclinedTry: isDeclinedTry(gatewayStatus),
  };
}
