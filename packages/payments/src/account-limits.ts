/**
 * Limits of the gateway's account, which all customers share. They are counted just before the call that uses the account,
 * after all other refusals. Limits by client are the host's.
 */
import type { Limit, Limiter, MakeLimiter } from './database/limits.js';
import type { PaymentFlow } from './rules/order.js';

/** A limit of the host that refuses a start or an access token. */
export interface HostLimit {
  readonly kind: 'limited';
  /** A name of the host, `order` for cards that other persons tried for one order, or `all`. */
  readonly limit: string;
  /** Seconds to wait. */
  readonly seconds: number;
}

/** A limit that refuses a start or an access token. */
export interface LimitedStart extends HostLimit {
  /** `client`: this client or order had too many tries. `account`: all customers together had, this one perhaps none. */
  readonly scope: 'client' | 'account';
}

/**
 * How a start or an access token counts for the account. `free`: not at all, because its client used little so far; a card
 * payment counts all the same. `after_decline`: also in the part of the card payments that clients with a declined card share.
 */
export type AccountShare = 'free' | 'common' | 'after_decline';

/** What the host answers about a start or an access token. Without an answer it is admitted, with the share `common`. */
export type Admission = HostLimit | { readonly kind: 'admitted'; readonly share: AccountShare };

/** Each method returns the limit that refuses. */
export interface AccountLimits {
  /** Counts nothing: whether a start would be refused now. */
  peek(flow: PaymentFlow, share: AccountShare): Promise<LimitedStart | undefined>;
  /** Counts a start. */
  count(flow: PaymentFlow, share: AccountShare): Promise<LimitedStart | undefined>;
  /** Counts an access token for the tokenizer. */
  countToken(share: AccountShare): Promise<LimitedStart | undefined>;
}

const nothing = () => Promise.resolve(undefined);
export const unlimitedAccount: AccountLimits = { peek: nothing, count: nothing, countToken: nothing };

/** The gateway accepts 100 card payments a minute. Seven windows of 10 s may overlap a minute: 98. */
const CARD_STARTS = { name: 'card_all', max: 14, seconds: 10 } as const satisfies Limit;
/** Of these, what clients with a declined card may use together. The rest is kept for the others. */
const CARD_STARTS_AFTER_DECLINES = { name: 'card_after_declines', max: 8, seconds: 10 } as const satisfies Limit;
/** Above the peak load of a shop. */
const HOSTED_STARTS = { name: 'hosted_all', max: 6_000, seconds: 60 } as const satisfies Limit;
/** As many as card payments can use. The gateway documents no limit. */
const TOKENS = { name: 'token_all', max: 20, seconds: 10 } as const satisfies Limit;

/** Processes that share a PostgreSQL database share the counts. */
export function createAccountLimits(makeLimiter: MakeLimiter): AccountLimits {
  const afterDecline = makeLimiter(CARD_STARTS_AFTER_DECLINES);
  const cards = makeLimiter(CARD_STARTS);
  const hosted = makeLimiter(HOSTED_STARTS);
  const tokens = makeLimiter(TOKENS);
  const limitersOf = (flow: PaymentFlow, share: AccountShare) => {
    if (flow === 'hosted') return share === 'free' ? [] : [hosted];
    return share === 'after_decline' ? [afterDecline, cards] : [cards];
  };
  return {
    peek: (flow, share) => firstRefusal('peek', limitersOf(flow, share)),
    count: (flow, share) => firstRefusal('count', limitersOf(flow, share)),
    countToken: (share) => firstRefusal('count', share === 'free' ? [] : [tokens]),
  };
}

/** The narrowest limit is the first. A start that it refuses is not counted by those after it. */
async function firstRefusal(use: 'peek' | 'count', limiters: readonly Limiter[]): Promise<LimitedStart | undefined> {
  for (const limiter of limiters) {
    const seconds = await limiter[use]('starts');
    if (seconds !== undefined) return { kind: 'limited', scope: 'account', limit: 'all', seconds };
  }
  return undefined;
}

/** Returns the refusal of the host, or else that of the account. */
export async function refusalOf(
  admission: Admission | undefined,
  ofAccount: (share: AccountShare) => Promise<LimitedStart | undefined>,
): Promise<LimitedStart | undefined> {
  return admission?.kind === 'limited' ? { ...admission, scope: 'client' } : ofAccount(admission?.share ?? 'common');
}
