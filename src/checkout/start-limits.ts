/**
 * Limits of the calls that start a payment. They are counted when the attempt is leased, just before its call, so that only
 * requests that use the gateway count. A card payment also looks at them before its order is placed.
 */

import type { Limit } from '../database/limits.js';
import type { ClientLimiter, LimitKey, MakeClientLimiter } from '../db/client-limits.js';
import type { Order } from '../db/orders.js';
import type { PaymentFlow } from '../domain/order.js';
import type { ClientKeys } from '../domain/stock.js';
import type { LimitName } from './observer.js';

/** What a start is counted for. */
export interface StartKeys extends ClientKeys {
  /** Absent if a person pays who does not own the order. */
  readonly cartId?: string;
  /** Absent before the order is placed. */
  readonly orderId?: string;
}

/** Returns the keys of a payment. Persons who do not own the order have a count that the customer does not share. */
export function startKeysOf(
  { id, cartId }: Pick<Order, 'id' | 'cartId'>,
  client: ClientKeys,
  isByOther: boolean,
): StartKeys {
  return isByOther ? { ...client, orderId: `link ${id}` } : { ...client, cartId, orderId: id };
}

/** A limit that refuses a start. */
export interface LimitedStart {
  readonly kind: 'limited';
  readonly limit: string;
  /** Seconds to wait. */
  readonly seconds: number;
}

export interface StartLimits {
  /** Returns the limit that would refuse a start now. Counts nothing. */
  peek(flow: PaymentFlow, keys: StartKeys): Promise<LimitedStart | undefined>;
  /** Counts a start. Returns the limit that refuses it. */
  count(flow: PaymentFlow, keys: StartKeys): Promise<LimitedStart | undefined>;
  /** Counts an access token for the tokenizer, just before the gateway is asked for it. Returns the limit that refuses it. */
  countToken(keys: StartKeys): Promise<LimitedStart | undefined>;
  /** Remembers for 10 min that a card of this client was declined. */
  noteDecline(keys: ClientKeys): Promise<void>;
}

const nothing = () => Promise.resolve(undefined);
export const unlimitedStarts: StartLimits = {
  peek: nothing,
  count: nothing,
  countToken: nothing,
  noteDecline: nothing,
};

/** The gateway accepts 100 card payments a minute. Seven windows of 10 s may overlap a minute: 98. */
const CARD_STARTS = { max: 14, seconds: 10 };
/** Of these, what addresses with a declined card may use together. The rest is kept for the others. */
const CARD_STARTS_AFTER_DECLINES = { max: 8, seconds: 10 };
/** Above the peak load of a shop. */
const HOSTED_STARTS = { max: 6_000, seconds: 60 };
/** As many as card payments can use. The gateway documents no limit. */
const TOKENS = { max: 20, seconds: 10 };
/**
 * What a client may use in 10 min before it counts for all clients together. Clients that use more can therefore not use up
 * what the others need.
 */
const FREE = { max: 3, seconds: 600 };
const MINUTE_S = 60;
const TEN_MINUTES_S = 600;

/** One limit, and what it counts a start for. `undefined`: it does not apply. */
interface KeyedLimit {
  readonly name: LimitName;
  readonly limiter: ClientLimiter;
  keyOf(keys: StartKeys): LimitKey | undefined;
}

/** The narrowest limit is the first. A start that it refuses is not counted by those after it. */
export function createStartLimits(makeLimiter: MakeClientLimiter): StartLimits {
  const declines = makeLimiter({ name: 'card_declined', max: 1, seconds: TEN_MINUTES_S });
  const keyed = (name: LimitName, limit: Limit, keyOf: KeyedLimit['keyOf']): KeyedLimit => ({
    name,
    limiter: makeLimiter(limit),
    keyOf,
  });
  const perCustomer = (kind: string, seconds: number, max: Readonly<Record<'cart' | 'order' | 'address', number>>) => [
    keyed('cart', { name: `${kind}_cart`, max: max.cart, seconds }, ({ cartId }) => cartId),
    keyed('order', { name: `${kind}_order`, max: max.order, seconds }, ({ orderId }) => orderId),
    keyed('address', { name: `${kind}_address`, max: max.address, seconds }, (client) => client),
  ];
  const shop = (limit: Limit) => keyed('all', limit, () => 'starts');
  const card = perCustomer('card', MINUTE_S, { cart: 3, order: 3, address: 6 });
  const afterDecline = shop({ name: 'card_after_declines', ...CARD_STARTS_AFTER_DECLINES });
  const allCards = shop({ name: 'card_all', ...CARD_STARTS });
  const tokens = perCustomer('token', TEN_MINUTES_S, { cart: 20, order: 20, address: 60 });
  const allTokens = shop({ name: 'token_all', ...TOKENS });
  const freeTokens = makeLimiter({ name: 'token_free', ...FREE });
  const allHosted = shop({ name: 'hosted_all', ...HOSTED_STARTS });
  const freeHosted = makeLimiter({ name: 'hosted_free', ...FREE });

  const limitsOf = async (use: Use, flow: PaymentFlow, client: ClientKeys) => {
    if (flow === 'hosted') return (await freeHosted[use](client)) === undefined ? [] : [allHosted];
    const hasDeclined = (await declines.peek(client)) !== undefined;
    return [...card, ...(hasDeclined ? [afterDecline] : []), allCards];
  };
  return {
    peek: async (flow, keys) => firstRefusal('peek', await limitsOf('peek', flow, keys), keys),
    count: async (flow, keys) => firstRefusal('count', await limitsOf('count', flow, keys), keys),
    async countToken(keys) {
      const refused = await firstRefusal('count', tokens, keys);
      if (refused || (await freeTokens.count(keys)) === undefined) return refused;
      return firstRefusal('count', [allTokens], keys);
    },
    async noteDecline(client) {
      await declines.count(client);
    },
  };
}

type Use = 'peek' | 'count';

async function firstRefusal(
  use: Use,
  limits: readonly KeyedLimit[],
  keys: StartKeys,
): Promise<LimitedStart | undefined> {
  for (const { name, limiter, keyOf } of limits) {
    const key = keyOf(keys);
    const seconds = key === undefined ? undefined : await limiter[use](key);
    if (seconds !== undefined) return { kind: 'limited', limit: name, seconds };
  }
  return undefined;
}
