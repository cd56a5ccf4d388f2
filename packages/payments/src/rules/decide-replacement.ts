/** Whether a new order may take the place of an earlier one. Pure rules. */

import type { StatedAttempt } from './attempt.js';
import { isAbandoned } from './decide-start.js';
import type { LookupResult } from './lookup.js';
import { isUncertain, type OrderState } from './order.js';

/** What the decision depends on, read with the earlier order locked. */
export interface ReplacementInput {
  readonly state: OrderState;
  readonly attempts: readonly StatedAttempt[];
  /** Results of the lookups that this request made for the order, by attempt id. Absent: it made none. */
  readonly lookups: ReadonlyMap<string, LookupResult> | undefined;
  /** The customer confirmed the warning that an earlier attempt may still be charged. */
  readonly payAgain: boolean;
  readonly environment: string;
  readonly at: number;
}

/** `verify_first`: look up its payments, then decide again. `keep`: its payment may succeed, so it is not replaced. */
export type Replacement = 'replace' | 'verify_first' | 'keep';

/** Decides whether a new order may replace an earlier one for the same goods. Pure. */
export function decideReplacement(input: ReplacementInput): Replacement {
  const { state, attempts, lookups, payAgain, environment, at } = input;
  const isKnown = lookups !== undefined || state === 'paid' || isUncertain(state);
  // It may be paid by now: on a page in another tab, or through a superseded attempt.
  if (!isKnown && (state === 'pending' || attempts.some((attempt) => attempt.state === 'superseded')))
    return 'verify_first';
  const live = attempts.find((attempt) => attempt.live === 1 && attempt.flow === 'card');
  // An attempt of other addresses cannot be looked up. It does not keep the customer from paying.
  if (live?.environment !== environment) return 'replace';
  const mayAbandon = payAgain && lookups?.get(live.id) === 'answered' && isAbandoned(live, attempts, at);
  return mayAbandon ? 'replace' : 'keep';
}
