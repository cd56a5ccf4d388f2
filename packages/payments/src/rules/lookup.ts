/** Lookups of attempts: what causes them, and their results. */
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
