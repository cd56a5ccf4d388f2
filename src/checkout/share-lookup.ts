/** Result of a lookup. */
export type LookupResult =
  /** The gateway answered, and the result was applied. */
  | 'answered'
  /** No lookup was needed: a recent one serves this caller. */
  | 'recent'
  /** No lookup was made, because the account's rate limit for this minute is used up. */
  | 'over_budget'
  /** The gateway does not know the id. */
  | 'not_found'
  /** The gateway returned no usable answer. */
  | 'unreachable'
  /** The attempt was made with other gateway URLs or another key. */
  | 'other_environment';

/** A lookup in flight, and the next one, which callers that arrive meanwhile share. */
interface RunningLookup {
  readonly result: Promise<LookupResult>;
  next?: Promise<LookupResult>;
}

/** The lookups in flight in this process, by attempt id. */
export type RunningLookups = Map<string, RunningLookup>;

type Start = () => Promise<LookupResult>;

/**
 * Starts a lookup of an attempt, or shares the next one if a lookup is in flight. The result is never older than the
 * call, because the shared lookup starts after it. At most one lookup per attempt is in flight in this process.
 */
export function shareLookup(running: RunningLookups, attemptId: string, start: Start): Promise<LookupResult> {
  const current = running.get(attemptId);
  if (!current) return startLookup(running, attemptId, start);
  const startNext = () => startLookup(running, attemptId, start);
  current.next ??= current.result.then(startNext, startNext);
  return current.next;
}

function startLookup(running: RunningLookups, attemptId: string, start: Start): Promise<LookupResult> {
  const lookup: RunningLookup = {
    result: start().finally(() => {
      if (!lookup.next) running.delete(attemptId);
    }),
  };
  running.set(attemptId, lookup);
  return lookup.result;
}
