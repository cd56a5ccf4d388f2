/** Limits of the calls that start a payment, over HTTP. */

import { expect, test } from '@jest/globals';
import type { MakeLimiter } from '@tianguis/payments/database';
import { createAccountLimits, limiters, paymentsOf } from '@tianguis/payments/testing';
import { createStartLimits, type StartLimits } from '../../src/shop/start-limits.js';
import { clientLimiters, type MakeClientLimiter } from '../../src/tables/client-limits.js';
import { changeCheckout } from '../support/change-checkout.js';
import { numbers } from '../support/crowd.js';
import { Customer, contact } from '../support/customer.js';
import { allAttempts, allOrders } from '../support/inspect.js';
import { CARDS, payByCard } from '../support/purchase.js';
import { openDoor } from '../support/replica.js';
import { openSharedShop } from '../support/shared-shop.js';

const shop = await openSharedShop({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } });

/** Limits in memory whose windows do not end during a test. */
const lasting: MakeClientLimiter = (limit) => clientLimiters(limiters(undefined))({ ...limit, seconds: 3_600 });

/** Opens the shop with limits in memory, which have counted nothing yet. */
function openFresh(startLimits: StartLimits = createStartLimits(lasting)) {
  const { web } = shop.context;
  const fresh = { startLimits, accountLimits: createAccountLimits(lasting) };
  return openDoor({ ...web, checkout: changeCheckout(web.checkout, fresh) });
}

async function customerAt(address: string, at: { readonly url: string }): Promise<Customer> {
  const customer = new Customer(at);
  customer.agent.set('X-Forwarded-For', address);
  await customer.add();
  return customer;
}

test('each start that is refused names its order, and whether its client or all customers together reached a limit', async () => {
  const { web } = shop.context;
  const once: MakeLimiter = (limit) => limiters(undefined)({ ...limit, max: 1, seconds: 3_600 });
  const ofAccount = changeCheckout(web.checkout, { accountLimits: createAccountLimits(once) });
  const admit = async () => ({ kind: 'limited', limit: 'own', seconds: 9 }) as const;
  const ofClient = changeCheckout(web.checkout, {}, { admit });
  await using door = await openDoor({ ...web, checkout: ofClient });
  for (const host of [1, 2, 3]) await (await customerAt(`198.18.2.${host}`, door)).payHosted();
  const [first, second, third] = (await allOrders(shop)).map(({ id }) => id);

  const started = await paymentsOf(ofAccount).startHosted(String(first), {});
  const byAccount = await paymentsOf(ofAccount).startHosted(String(second), {});
  const byClient = await paymentsOf(ofClient).startHosted(String(third), {});
  const again = await paymentsOf(ofAccount).startCard(String(first), shop.control.tokenizeCard(CARDS.paid), {});

  expect(started).toMatchObject({ kind: 'redirect', order: { id: first } });
  expect(byAccount).toMatchObject({ kind: 'limited', scope: 'account', order: { id: second } });
  expect(byClient).toMatchObject({ kind: 'limited', scope: 'client', limit: 'own', seconds: 9, order: { id: third } });
  expect(again).toMatchObject({ kind: 'confirm_pay_again', order: { id: first } });
});

const sentPayments = () => shop.control.calls('process').length;

test('posts that place no order do not count for all customers together', async () => {
  const limiter = lasting({ name: 'few_starts', max: 2, seconds: 60 });
  const count = async () => {
    const seconds = await limiter.count('starts');
    return seconds === undefined ? undefined : ({ kind: 'limited', limit: 'own', seconds } as const);
  };
  await using door = await openFresh({ ...shop.checkout.startLimits, count });
  const outdated = { ...contact, seen: '1' };
  const refused = [];
  for (const host of numbers(10)) refused.push(await (await customerAt(`198.18.0.${host}`, door)).payHosted(outdated));

  const answers = [];
  for (const host of [1, 2, 3]) answers.push(await (await customerAt(`198.18.1.${host}`, door)).payHosted());

  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([409]));
  expect(answers.map(({ status }) => status)).toEqual([302, 302, 429]);
  expect(Number(answers[2]?.headers['retry-after'])).toBeGreaterThan(0);
  expect(answers[2]?.text).toContain('Hubo demasiados intentos');
  const attempts = await allAttempts(shop);
  expect(attempts.map(({ state }) => state)).toEqual(['open', 'open', 'failed']);
});

test('one address starts six card payments a minute, and its customers may still pay on the hosted page', async () => {
  await using door = await openFresh();
  const answers = [];
  for (const _ of numbers(12)) answers.push(await payByCard(shop, await customerAt('203.0.113.1', door)));
  const refused = answers.at(-1);
  const hosted = await (await customerAt('203.0.113.1', door)).payHosted();

  expect(answers.filter(({ status }) => status === 303)).toHaveLength(6);
  expect([sentPayments(), (await allOrders(shop)).length]).toEqual([6, 7]);
  expect([refused?.status, hosted.status]).toEqual([429, 302]);
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused?.text).toContain('Hubo demasiados intentos');
});

test('the shop starts at most 14 card payments in 10 s, and keeps 6 of them for addresses without a declined card', async () => {
  await using door = await openFresh();
  for (const host of [1, 2]) await payByCard(shop, await customerAt(`198.51.100.${host}`, door), CARDS.declined);
  const before = sentPayments();
  const afterDecline = [];
  for (const host of [1, 2])
    for (const _ of numbers(5)) afterDecline.push(await payByCard(shop, await customerAt(`198.51.100.${host}`, door)));
  const others = [];
  for (const host of numbers(10)) others.push(await payByCard(shop, await customerAt(`192.0.2.${host + 1}`, door)));

  expect([before, sentPayments()]).toEqual([2, 14]);
  expect(afterDecline.filter(({ status }) => status === 303)).toHaveLength(8);
  expect(others.filter(({ status }) => status === 303)).toHaveLength(4);
});

test('a cart starts three card payments a minute', async () => {
  await using door = await openFresh();
  const customer = await customerAt('203.0.113.9', door);
  const answers = [];
  for (const _ of numbers(4)) answers.push(await payByCard(shop, customer, CARDS.declined));

  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 429]);
});

test.each([
  ['hosted', 'common', 6_000],
  ['hosted', 'free', 6_100],
  ['card', 'common', 14],
  ['card', 'free', 14],
  ['card', 'after_decline', 8],
] as const)('of 6,100 %s payments with the share %s the account starts %d', async (flow, share, expected) => {
  const limits = createAccountLimits(lasting);
  let started = 0;
  while (started < 6_100 && !(await limits.count(flow, share))) started += 1;

  expect(started).toBe(expected);
});

test('a host that admits every start has the limits of the account only', async () => {
  const limits = { accountLimits: createAccountLimits(lasting) };
  const checkout = changeCheckout(shop.checkout, limits, { admit: async () => undefined });
  await using door = await openDoor({ ...shop.context.web, checkout });
  const answers = [];
  for (const host of numbers(16)) answers.push(await payByCard(shop, await customerAt(`198.51.100.${host}`, door)));

  expect([sentPayments(), answers.at(-1)?.status]).toEqual([14, 429]);
});
