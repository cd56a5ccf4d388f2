import { expect, test } from '@jest/globals';
import { paymentsOf, reconcile } from '@tianguis/payments/testing';
import supertest, { type Response } from 'supertest';
import { DAY, MINUTE, orderStates, sessionLookups } from '../checkout/support.js';
import { changeCheckout } from '../support/change-checkout.js';
import { until } from '../support/crowd.js';
import { Customer, readOrderPage } from '../support/customer.js';
import { allAttempts, allFulfillments, theOrder } from '../support/inspect.js';
import { openHostedPage, openPageOf, openPaidPage } from '../support/purchase.js';
import { openDoor } from '../support/replica.js';
import { openSharedShop } from '../support/shared-shop.js';
import { openTestShop } from '../support/test-shop.js';

const shop = await openSharedShop();

/** Returns the different statuses and locations of answers. */
const targetsOf = (answers: readonly Response[]) => [
  ...new Set(answers.map(({ status, headers }) => `${status} ${headers['location']}`)),
];

test('a return before payment leaves the order pending, whatever its parameters and headers claim', async () => {
  const { customer, session, returnPath, orderPath } = await openHostedPage(shop);
  const claims = `session_id=${session}&status=success&paid=1&transaction_status=Success&amount=28900&test=1&debug=1&bypass=1&mock=1`;

  const back = await customer.agent.get(`${returnPath}?${claims}`).set('X-Test-Mode', 'paid').redirects(0);
  const page = await customer.get(orderPath);

  expect([back.status, back.headers['location']]).toEqual([303, orderPath]);
  expect(readOrderPage(page.text).state).toBe('pending');
  expect(await allFulfillments(shop)).toEqual([]);
});

test('a payment is stored and returned although its metrics throw, and the fault is logged', async () => {
  const { session } = await openHostedPage(shop);
  shop.control.paySession(session);
  const fault = () => {
    throw new Error('metrics');
  };
  const observer = { ...shop.checkout.observer, attemptChanged: fault };

  const { order } = await paymentsOf({ ...shop.checkout, observer }).verify((await theOrder(shop)).id, 'return');

  expect(order.state).toBe('paid');
  expect(await orderStates(shop)).toEqual(['paid']);
  expect(shop.logged.join('')).toContain('database.commit_hook_failed');
});

test('a return with another order’s paid session is logged and pays only the order of that session', async () => {
  const paid = await openPaidPage(shop);
  const attacker = await Customer.withCart(shop, { product_id: 'rebozo-santa-maria' });
  const expensive = await openPageOf(shop, attacker);

  const forged = await attacker.get(`${expensive.returnPath}?session_id=${paid.session}`);
  const plain = await attacker.get(expensive.returnPath);
  await attacker.get(`${paid.returnPath}?session_id=${paid.session}`);

  expect([forged.status, forged.headers['location']]).toEqual([303, expensive.orderPath]);
  expect(plain.status).toBe(303);
  expect(await orderStates(shop)).toEqual(['paid', 'pending']);
  expect(shop.logged.join('')).toContain('return.session_mismatched');
});

test('a return replayed 20 times verifies the order once with two lookups at most', async () => {
  const { session, returnPath, orderPath } = await openPaidPage(shop);
  const replay = () => supertest(shop.url).get(`${returnPath}?session_id=${session}`).redirects(0);

  const answers = await Promise.all(Array.from({ length: 20 }, replay));
  shop.clock.advance(MINUTE);
  await replay();

  expect(targetsOf(answers)).toEqual([`303 ${orderPath}`]);
  expect(await allFulfillments(shop)).toHaveLength(1);
  expect(sessionLookups(shop).length).toBeLessThanOrEqual(2);
});

test('a return by POST from another site without cookies verifies the order and redirects to it', async () => {
  const { session, returnPath, orderPath } = await openPaidPage(shop);

  const back = await supertest(shop.url)
    .post(`${returnPath}?session_id=${session}`)
    .set({ 'Sec-Fetch-Site': 'cross-site', Origin: 'null', 'Content-Type': 'application/json' })
    .redirects(0)
    .send('{"PaRes":"x"}');

  expect([back.status, back.headers['location']]).toEqual([303, orderPath]);
  expect(back.headers['set-cookie']).toBeUndefined();
  expect((await theOrder(shop)).state).toBe('paid');
});

test('a return after the session has expired verifies the order and shows no personal data', async () => {
  const { customer, returnPath, orderPath } = await openPaidPage(shop);
  shop.clock.advance(40 * DAY);

  await customer.get(returnPath);
  const page = await customer.get(orderPath);

  expect(readOrderPage(page.text)).toMatchObject({ state: 'paid', detail: false });
});

test('a return right after a pending lookup starts another lookup and finds the payment', async () => {
  const { customer, session, returnPath, orderPath } = await openHostedPage(shop);
  await customer.get(orderPath);
  shop.control.paySession(session);

  await customer.get(returnPath);
  const page = await customer.get(orderPath);

  expect(readOrderPage(page.text).state).toBe('paid');
  expect(sessionLookups(shop)).toHaveLength(2);
});

test('five returns during a lookup share one later lookup', async () => {
  const { session, returnPath, orderPath } = await openHostedPage(shop);
  const joined: string[] = [];
  class LoggedLookups extends Map {
    override get(id: string) {
      joined.push(id);
      return super.get(id);
    }
  }
  const { web } = shop.context;
  await using door = await openDoor({
    ...web,
    checkout: changeCheckout(web.checkout, { lookups: new LoggedLookups() }),
  });
  shop.control.fault('read-session', { kind: 'hold' }, 1);
  const page = supertest(door.url)
    .get(orderPath)
    .then((answer) => answer);
  await until(() => sessionLookups(shop).length === 1);

  const returns = Array.from({ length: 5 }, () => supertest(door.url).get(returnPath).redirects(0));
  const answers = Promise.all(returns);
  await until(() => joined.length === 6);
  shop.control.paySession(session);
  shop.control.release();
  await Promise.all([answers, page]);

  expect((await theOrder(shop)).state).toBe('paid');
  expect(sessionLookups(shop)).toHaveLength(2);
});

test('a return during a lookup of another process starts its own lookup', async () => {
  const { session, returnPath, orderId } = await openHostedPage(shop);
  const other = await shop.openReplica();
  shop.control.fault('read-session', { kind: 'hold' }, 1);
  const verifying = paymentsOf(other.checkout).verify(orderId, 'webhook');
  await until(() => sessionLookups(shop).length === 1);
  shop.control.paySession(session);

  await supertest(shop.url).get(returnPath).redirects(0);
  const { state } = await theOrder(shop);
  shop.control.release();
  await verifying;

  expect(state).toBe('paid');
  expect((await theOrder(shop)).state).toBe('paid');
});

test('of 63 returns from one address in a minute 60 cause a lookup, and the worker verifies the order at once', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'on' } });
  const { session, returnPath, orderPath } = await openHostedPage(shop);
  const reload = () => supertest(shop.url).get(returnPath).redirects(0);

  const answers = [];
  for (let count = 0; count < 62; count += 1) answers.push(await reload());
  const lookups = sessionLookups(shop).length;
  shop.control.paySession(session);
  answers.push(await reload());
  const before = await theOrder(shop);
  await reconcile({ ...shop.checkout, clock: { now: () => shop.clock.now() + 1_001 } }, 'live');

  expect(targetsOf(answers)).toEqual([`303 ${orderPath}`]);
  expect([lookups, before.state]).toEqual([60, 'pending']);
  expect((await theOrder(shop)).state).toBe('paid');
});

test('a return beyond the lookup budget of the account redirects to the order and makes the attempt due', async () => {
  const { returnPath, orderPath, orderId } = await openHostedPage(shop);
  const lookupBudget = { take: () => Promise.resolve(false) };

  const { lookupsSucceeded } = await paymentsOf({ ...shop.checkout, lookupBudget }).verify(orderId, 'return');
  const page = await paymentsOf({ ...shop.checkout, lookupBudget }).verify(orderId, 'order_page');
  const back = await supertest(shop.url).get(returnPath).redirects(0);

  expect([lookupsSucceeded, page.lookupsSucceeded]).toEqual([false, false]);
  expect((await allAttempts(shop))[0]?.nextCheckAt).toBeLessThanOrEqual(shop.clock.now());
  expect(back.headers['location']).toBe(orderPath);
});

test('the page of a replaced order offers no payment while its own payment may have succeeded', async () => {
  const { customer, session, orderPath } = await openHostedPage(shop);
  await customer.add({ product_id: 'alebrije-jaguar' });
  await customer.payHosted();

  const replaced = await customer.get(orderPath);
  shop.control.expireSession(session);
  shop.clock.advance(5_000);
  const ended = await customer.get(orderPath);

  expect(readOrderPage(replaced.text).state).toBe('cancelled');
  expect(replaced.text).toContain('Si ya lo pagaste, no pagues otra vez');
  expect(replaced.text).not.toContain('href="/checkout');
  expect(replaced.text).toContain('http-equiv="refresh"');
  expect(ended.text).toContain('href="/checkout"');
});
