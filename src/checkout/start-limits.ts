/**
 * Limits of the calls that start a payment. They are counted when the attempt is leased, just before its call, so that only
 * requests that use the gateway count. A card payment also looks at them before its order is placed.
 */
import type { Limiter, MakeLimiter } from '../db/connection/limits.js';
import type { PaymentFlow } from '../domain/order.js';
import type { ClientKeys } from '../domain/stock.js';
import type { LimitName } from './observer.js';

/** What a start is counted for. */
export interface StartKeys extends ClientKeys {
  readonly cartId: string;
  /** Absent before the order is placed. */
  readonly orderId?: string;
}

/** A limit that refuses a start. */
export interface LimitedStart {
  readonly kind: 'limited';
  readonly limit: LimitName;
  /** Seconds to wait. */
  readonly seconds: number;
}

export interface StartLimits {
  /** Returns the limit that would refuse a start now. Counts nothing. */
  peek(flow: PaymentFlow, keys: StartKeys): Promise<LimitedStart | undefined>;
  /** Counts a start. Returns the limit that refuses it. */
  count(flow: PaymentFlow, keys: StartKeys): Promise<LimitedStart | undefined>;
  /** Remembers for 10 min that a card of this address was declined. */
  noteDecline(keys: ClientKeys): Promise<void>;
}

const nothing = () => Promise.resolve(undefined);
export const unlimitedStarts: StartLimits = { peek: nothing, count: nothing, noteDecline: nothing };

/** The gateway accepts 100 card payments a minute. Seven windows of 10 s may overlap a minute: 98. */
const CARD_STARTS = { max: 14, seconds: 10 };
/** Of these, what addresses with a declined card may use together. The rest is kept for the others. */
const CARD_STARTS_AFTER_DECLINES = { max: 8, seconds: 10 };
/** Above the peak load of a shop. */
const HOSTED_STARTS = { max: 6_000, seconds: 60 };
const MINUTE_S = 60;

/** One limit, and what it counts a start for. `undefined`: it does not apply. */
interface KeyedLimit {
  readonly name: LimitName;
  readonly limiter: Limiter;
  keyOf(keys: StartKeys): string | undefined;
}

/** The narrowest limit is the first. A start that it refuses is not counted by those after it. */
export function createStartLimits(makeLimiter: MakeLimiter): StartLimits {
  const declines = makeLimiter({ name: 'card_declined', max: 1, seconds: 600 });
  const keyed = (name: LimitName, max: number, keyOf: KeyedLimit['keyOf']): KeyedLimit => ({
    name,
    limiter: makeLimiter({ name: `card_${name}`, max, seconds: MINUTE_S }),
    keyOf,
  });
  const shop = (name: string, limit: { readonly max: number; readonly seconds: number }): KeyedLimit => ({
    name: 'all',
    limiter: makeLimiter({ name, ...limit }),
    keyOf: () => 'starts',
  });
  const hosted = [shop('hosted_all', HOSTED_STARTS)];
  const card = [
    keyed('cart', 3, ({ cartId }) => cartId),
    keyed('order', 3, ({ orderId }) => orderId),
    keyed('address', 6, ({ addressKey }) => addressKey),
    keyed('address', 24, ({ networkKey }) => networkKey || undefined),
  ];
  const afterDecline = shop('card_after_declines', CARD_STARTS_AFTER_DECLINES);
  const all = shop('card_all', CARD_STARTS);
  const limitsOf = async (flow: PaymentFlow, { addressKey }: ClientKeys) => {
    if (flow === 'hosted') return hosted;
    const hasDeclined = (await declines.peek(addressKey)) !== undefined;
    return [...card, ...(hasDeclined ? [afterDecline] : []), all];
  };
  const firstRefusal = async (use: 'peek' | 'count', flow: PaymentFlow, keys: StartKeys) => {
    for (const { name, limiter, keyOf } of await limitsOf(flow, keys)) {
      const key = keyOf(keys);
      const seconds = key === undefined ? undefined : await limiter[use](key);
      if (seconds !== undefined) return { kind: 'limited' as const, limit: name, seconds };
    }
    return undefined;
  };
  return {
    peek: (flow, keys) => firstRefusal('peek', flow, keys),
    count: (flow, keys) => firstRefusal('count', flow, keys),
    async noteDecline({ addressKey }) {
      await declines.count(addressKey);
    },
  };
}
