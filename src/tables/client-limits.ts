/** Limits of clients: each is counted by its address and by the networks around it. And the key of a mailbox. */

import { createHash } from 'node:crypto';
import type { Limit, Limiter, MakeLimiter } from '@tianguis/payments/database';
import { CLIENT_LEVELS, type ClientKeys } from '../shop/rules/stock.js';

/** What events are counted for: a text, or a client. */
export type LimitKey = string | ClientKeys;

/**
 * The networks of a client may do 2 and 4 times as much as its address. An event that a narrower limit refuses is not counted
 * by a wider one. `used`: the events of a network count by what it may do more than its addresses.
 */
export type ClientLimiter = Limiter<LimitKey>;
export type MakeClientLimiter = MakeLimiter<LimitKey>;

export function clientLimiters(makeLimiter: MakeLimiter): MakeClientLimiter {
  return (limit) => byLevel(limit, makeLimiter);
}

/** A text has the limit of an address. */
function byLevel(limit: Limit, makeLimiter: MakeLimiter): ClientLimiter {
  const levels = CLIENT_LEVELS.map(({ member, factor }) => ({
    factor,
    keyOf: (key: LimitKey) => (typeof key === 'object' ? key[member] || undefined : factor === 1 ? key : undefined),
    limiter: makeLimiter({ ...limit, max: limit.max * factor }),
  }));
  const levelsOf = (key: LimitKey) =>
    levels.flatMap(({ keyOf, limiter, factor }) => {
      const name = keyOf(key);
      return name === undefined ? [] : [{ limiter, factor, name }];
    });
  const firstRefusal = async (use: 'count' | 'peek', key: LimitKey) => {
    for (const { limiter, name } of levelsOf(key)) {
      const seconds = await limiter[use](name);
      if (seconds !== undefined) return seconds;
    }
    return undefined;
  };
  const onEach = async (use: 'uncount' | 'reset', key: LimitKey) => {
    for (const { limiter, name } of levelsOf(key)) await limiter[use](name);
  };
  return {
    count: (key) => firstRefusal('count', key),
    peek: (key) => firstRefusal('peek', key),
    async used(key) {
      const uses = levelsOf(key).map(async ({ limiter, factor, name }) => (await limiter.used(name)) / factor);
      return Math.ceil(Math.max(...(await Promise.all(uses))));
    },
    uncount: (key) => onEach('uncount', key),
    reset: (key) => onEach('reset', key),
  };
}

/** Hosts whose mailboxes have the same name with and without dots. */
const WITHOUT_DOTS: readonly string[] = ['gmail.com', 'googlemail.com'];

/**
 * Returns a key for counts by mailbox, a hash that is the same for all its addresses: upper and lower case, a part after `+`,
 * and dots where the host ignores them.
 */
export function mailboxKey(email: string): string {
  const address = email.normalize('NFKC').toLowerCase();
  const at = address.lastIndexOf('@');
  const host = address.slice(at + 1);
  const name = address.slice(0, at).replace(/(?!^)\+.*$/, '');
  const isDotless = WITHOUT_DOTS.includes(host);
  const mailbox = isDotless ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`;
  return createHash('sha256').update(mailbox).digest('base64url').slice(0, 22);
}
