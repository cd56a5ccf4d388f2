/** Limits of access tokens for the tokenizer, over HTTP. */

import { expect, test } from '@jest/globals';
import { cartAt, customerAt } from '../../support/addresses.js';
import { inParallel, numbers } from '../../support/crowd.js';
import type { Customer } from '../../support/customer.js';
import { openWithFreshLimits } from '../../support/fresh-limits.js';
import { payByCard } from '../../support/purchase.js';
import { openSharedShop } from '../../support/shared-shop.js';

const shop = await openSharedShop({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } });
const CHECKOUT = '/checkout/card/access-token';

/** Returns how many of these requests for a token got each status. */
async function askTimes(customer: Customer, times: number, path = CHECKOUT): Promise<Readonly<Record<number, number>>> {
  const counts: Record<number, number> = {};
  for (const _ of numbers(times)) {
    const { status } = await customer.post(path, {});
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

const sentCalls = () => shop.control.calls('tokenization-auth').length;

test('a cart gets twenty access tokens in 10 min, also from many addresses, and its payments are not counted', async () => {
  await using door = await openWithFreshLimits(shop);
  const customer = await cartAt('203.0.113.1', door);
  const before = sentCalls();
  for (const host of numbers(20)) {
    customer.agent.set('X-Forwarded-For', `192.0.2.${host}`);
    expect((await customer.post(CHECKOUT, {})).status).toBe(200);
  }

  const refused = await customer.post(CHECKOUT, {});

  expect([refused.status, Number(refused.headers['retry-after']) > 0, sentCalls() - before]).toEqual([429, true, 20]);
  expect((await payByCard(shop, customer)).status).toBe(303);
});

test.each([
  ['40 IPv4 addresses', (network: number) => `198.18.${network}.9`],
  ['40 IPv6 networks', (network: number) => `[2001:db8:${network.toString(16)}::1]:443`],
])('while %s ask for access tokens, the card form of a quiet customer stays open', async (_, addressOf) => {
  await using door = await openWithFreshLimits(shop);
  const item = { product_id: 'taza-talavera', quantity: '1' };
  const attackers = numbers(40).map((network) => customerAt(addressOf(network), door));
  await inParallel(attackers, 20, (each) => each.send('/cart/items', item));
  await inParallel(attackers, 20, (each) => askTimes(each, 3));
  // Now each more counts for all of them together.
  const more = await inParallel(attackers, 20, (each) => askTimes(each, 1));

  const quiet = await askTimes(await cartAt('203.0.113.5', door), 3);

  expect(quiet).toEqual({ 200: 3 });
  expect(more.some((counts) => counts[429] === 1)).toBe(true);
});

test('an access token serves a second customer only if the gateway states its lifetime, and not after the tokenizer refused it', async () => {
  await using door = await openWithFreshLimits(shop);
  const tokenOf = async (fields = {}) =>
    (await (await cartAt('203.0.113.7', door)).post(CHECKOUT, fields)).body.access_token;
  const single = [await tokenOf(), await tokenOf()];
  shop.control.fault('tokenization-auth', { kind: 'rewrite', set: { expires_in: 900 } });

  const kept = [await tokenOf(), await tokenOf()];
  const fresh = await tokenOf({ refused: '1' });

  expect(new Set([...single, kept[0], fresh]).size).toBe(4);
  expect(kept[1]).toBe(kept[0]);
  expect(await tokenOf()).toBe(fresh);
});
