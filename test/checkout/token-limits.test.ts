/** Limits of access tokens for the tokenizer, over HTTP. */

import { expect, test } from '@jest/globals';
import { limiters } from '../../src/database/limits.js';
import { clientLimiters, type MakeClientLimiter } from '../../src/db/client-limits.js';
import { createAccountLimits } from '../../src/payments/account-limits.js';
import { createStartLimits } from '../../src/shop/start-limits.js';
import { changeCheckout } from '../support/change-checkout.js';
import { inParallel, numbers } from '../support/crowd.js';
import { Customer } from '../support/customer.js';
import { theOrder } from '../support/inspect.js';
import { CARDS, payByCard } from '../support/purchase.js';
import { createClient, openDoor } from '../support/replica.js';
import { openSharedShop } from '../support/shared-shop.js';

const shop = await openSharedShop({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } });
const CHECKOUT = '/checkout/card/access-token';

/** Opens the shop with limits in memory that have counted nothing yet, and with a gateway client of its own. */
async function openFresh() {
  const { web } = shop.context;
  const gateway = createClient(shop.simulator.url);
  // Windows that do not end during a test.
  const lasting: MakeClientLimiter = (limit) => clientLimiters(limiters(undefined))({ ...limit, seconds: 3_600 });
  const limits = { startLimits: createStartLimits(lasting), accountLimits: createAccountLimits(lasting) };
  const door = await openDoor({ ...web, checkout: changeCheckout(web.checkout, { ...limits, gateway }) });
  return {
    url: door.url,
    async [Symbol.asyncDispose]() {
      await door[Symbol.asyncDispose]();
      gateway[Symbol.dispose]();
    },
  };
}

function customerAt(address: string, at: { readonly url: string }): Customer {
  const customer = new Customer(at);
  customer.agent.set('X-Forwarded-For', address);
  return customer;
}

async function cartAt(address: string, at: { readonly url: string }): Promise<Customer> {
  const customer = customerAt(address, at);
  await customer.add();
  return customer;
}

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

/** Places an order whose card is declined. Returns the path of the tokens for its link. */
async function openLink(customer: Customer): Promise<string> {
  await payByCard(shop, customer, CARDS.declined);
  return `/orders/${(await theOrder(shop)).token}/pay/card/access-token`;
}

test('a cart gets twenty access tokens in 10 min, also from many addresses, and its payments are not counted', async () => {
  await using door = await openFresh();
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

test('access tokens for a payment link that 21 networks ask for are no tokens of its customer, of other links or of the checkout', async () => {
  await using door = await openFresh();
  const customer = await cartAt('203.0.113.2', door);
  const path = await openLink(customer);
  await inParallel(numbers(21), 10, (network) => customerAt(`192.0.2.${network}`, door).post(path, {}));
  const before = sentCalls();

  const stranger = await customerAt('203.0.113.3', door).post(path, {});
  const own = await customer.post(path, {});
  const other = await (await cartAt('203.0.113.4', door)).post(CHECKOUT, {});

  expect([stranger.status, own.status, other.status]).toEqual([429, 200, 200]);
  expect(sentCalls() - before).toBe(2);
});

test.each([
  ['40 IPv4 addresses', (network: number) => `198.18.${network}.9`],
  ['40 IPv6 networks', (network: number) => `[2001:db8:${network.toString(16)}::1]:443`],
])('while %s ask for access tokens, the card form of a quiet customer stays open', async (_, addressOf) => {
  await using door = await openFresh();
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
  await using door = await openFresh();
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
