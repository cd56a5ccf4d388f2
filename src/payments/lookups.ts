/** Lookups of attempts: their triggers and results, and one in flight per attempt. */
export const TRIGGERS = ['return', 'order_page', 'checkout', 'card_answer', 'webhook', 'worker', 'merchant'] as const;
export type Trigger = (typeof TRIGGERS)[number];

export type LookupResult =
  /** The gateway responded, and the result was applied. */
  | 'answered'
  /** No lookup was needed: a recent one serves this caller. */
  | 'recent'
  /** No lookup was made, because the account's rate limit for this minute is used up. */
  | 'over_budget'
  /** The gateway does not know the id. */
  | 'not_found'
  /** The gateway returned no usable response. */
  | 'unreachable'
  /** The attempt was made with other gateway addresses, or the gateway does not know it with the present key. */
  | 'other_environment';

/** Returns whether a lookup does not show if the attempt was paid meanwhile. */
export function hasNoAnswer(result: LookupResult | undefined): boolean {
  return result === 'unreachable' || result === 'over_budget';
}

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
