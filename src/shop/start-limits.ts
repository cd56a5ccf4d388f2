/**
 * Limits by cart, order and client of the calls that start a payment. They are counted when the attempt is leased, just before
 * its call, so that only requests that use the gateway count. A card payment also looks at them before its order is placed.
 */

import type { Limit } from '@tianguis/payments/database';
import {
  type AccountLimits,
  type AccountShare,
  type Admission,
  type HostLimit,
  type LimitedStart,
  refusalOf,
} from '@tianguis/payments/operations';
import type { PaymentFlow } from '@tianguis/payments/rules';
import type { ClientLimiter, LimitKey, MakeClientLimiter } from '../tables/client-limits.js';
import type { Order } from '../tables/orders.js';
import type { ClientKeys } from './rules/stock.js';

export type { LimitedStart };

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

export interface StartLimits {
  /** Returns the limit that would refuse a start now. Counts nothing. */
  peek(flow: PaymentFlow, keys: StartKeys): Promise<Admission | undefined>;
  /** Counts a start. */
  count(flow: PaymentFlow, keys: StartKeys): Promise<Admission | undefined>;
  /** Counts an access token for the tokenizer. */
  countToken(keys: StartKeys): Promise<Admission | undefined>;
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

/**
 * What a client may use in 10 min before it counts for all clients together. Clients that use more can therefore not use up
 * what the others need.
 */
const FREE = { max: 3, seconds: 600 };
const MINUTE_S = 60;
const TEN_MINUTES_S = 600;

/** One limit, and what it counts a start for. `undefined`: it does not apply. */
interface KeyedLimit {
  readonly name: string;
  readonly limiter: ClientLimiter;
  keyOf(keys: StartKeys): LimitKey | undefined;
}

/** The narrowest limit is the first. A start that it refuses is not counted by those after it. */
export function createStartLimits(makeLimiter: MakeClientLimiter): StartLimits {
  const declines = makeLimiter({ name: 'card_declined', max: 1, seconds: TEN_MINUTES_S });
  const keyed = (name: string, limit: Limit, keyOf: KeyedLimit['keyOf']): KeyedLimit => ({
    name,
    limiter: makeLimiter(limit),
    keyOf,
  });
  const perCustomer = (kind: string, seconds: number, max: Readonly<Record<'cart' | 'order' | 'address', number>>) => [
    keyed('cart', { name: `${kind}_cart`, max: max.cart, seconds }, ({ cartId }) => cartId),
    keyed('order', { name: `${kind}_order`, max: max.order, seconds }, ({ orderId }) => orderId),
    keyed('address', { name: `${kind}_address`, max: max.address, seconds }, (client) => client),
  ];
  const card = perCustomer('card', MINUTE_S, { cart: 3, order: 3, address: 6 });
  const tokens = perCustomer('token', TEN_MINUTES_S, { cart: 20, order: 20, address: 60 });
  const freeTokens = makeLimiter({ name: 'token_free', ...FREE });
  const freeHosted = makeLimiter({ name: 'hosted_free', ...FREE });

  const admit = async (use: Use, flow: PaymentFlow, keys: StartKeys): Promise<Admission> => {
    if (flow === 'hosted') return admitted((await freeHosted[use](keys)) === undefined ? 'free' : 'common');
    const hasDeclined = (await declines.peek(keys)) !== undefined;
    return (await firstRefusal(use, card, keys)) ?? admitted(hasDeclined ? 'after_decline' : 'common');
  };
  return {
    peek: (flow, keys) => admit('peek', flow, keys),
    count: (flow, keys) => admit('count', flow, keys),
    async countToken(keys) {
      const refused = await firstRefusal('count', tokens, keys);
      return refused ?? admitted((await freeTokens.count(keys)) === undefined ? 'free' : 'common');
    },
    async noteDecline(client) {
      await declines.count(client);
    },
  };
}

const admitted = (share: AccountShare) => ({ kind: 'admitted', share }) as const;

type Use = 'peek' | 'count';

async function firstRefusal(use: Use, limits: readonly KeyedLimit[], keys: StartKeys): Promise<HostLimit | undefined> {
  for (const { name, limiter, keyOf } of limits) {
    const key = keyOf(keys);
    const seconds = key === undefined ? undefined : await limiter[use](key);
    if (seconds !== undefined) return { kind: 'limited', limit: name, seconds };
  }
  return undefined;
}

/** Returns the limit of the shop, or else of the account, that would refuse a start now. Counts nothing. */
export async function peekStart(
  { accountLimits, startLimits }: { readonly accountLimits: AccountLimits; readonly startLimits: StartLimits },
  flow: PaymentFlow,
  keys: StartKeys,
): Promise<LimitedStart | undefined> {
  return refusalOf(await startLimits.peek(flow, keys), (share) => accountLimits.peek(flow, share));
}
