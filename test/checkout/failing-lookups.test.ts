import { expect, test } from '@jest/globals';
import { applyRetention } from '../../src/checkout/apply-retention.js';
import type { CheckoutContext } from '../../src/checkout/context.js';
import { decideOrder } from '../../src/checkout/decide-order.js';
import { startWorker } from '../../src/checkout/run-worker.js';
import { Customer, readOrderPage, sessionIdOf } from '../support/customer.js';
import { allOrders, theOrder, until } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../support/purchase.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';
import { attemptStates, DAY, HOUR, MINUTE, reconcileAll, sessionLookups } from './support.js';

const NOT_FOUND = { kind: 'status', status: 404 } as const;

/** Returns the shop's services after a change of a gateway address or of the key. */
function withOtherEnvironment(shop: TestShop): CheckoutContext {
  const { checkout } = shop.context;
  return { ...checkout, policy: { ...checkout.policy, environment: 'https://other.example' } };
}

test('a session that was read before and is not found after its time has expired', async () => {
  await using shop = await openTestShop();
  const { customer, orderPath } = await openHostedPage(shop);
  await customer.get(orderPath);
  shop.simulator.control.fault('read-session', NOT_FOUND);

  shop.clock.advance(30 * MINUTE);
  await reconcileAll(shop.context.checkout);
  const early = (await theOrder(shop)).state;
  shop.clock.advance(35 * MINUTE);
  await reconcileAll(shop.context.checkout);

  expect(early).toBe('pending');
  expect((await theOrder(shop)).state).toBe('expired');
});

test('a session that was never read goes to review after its time, and is paid when it is found', async () => {
  await using shop = await openTestShop();
  const { session } = await openHostedPage(shop);
  shop.simulator.control.paySession(session);
  shop.simulator.control.fault('read-session', NOT_FOUND);

  shop.clock.advance(65 * MINUTE);
  await reconcileAll(shop.context.checkout);
  const unknown = await theOrder(shop);
  shop.simulator.control.clearFaults();
  shop.clock.advance(10 * MINUTE);
  await reconcileAll(shop.context.checkout);

  expect(unknown).toMatchObject({ state: 'review', reviewReason: 'not_found' });
  expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
});

test('a session that is not found before its time is superseded by a new one', async () => {
  await using shop = await openTestShop();
  const { customer, session } = await openHostedPage(shop);
  shop.simulator.control.fault('read-session', NOT_FOUND);
  shop.clock.advance(5_000);

  const again = await customer.payHosted();

  expect(again.status).toBe(302);
  expect(sessionIdOf(again.headers['location'])).not.toBe(session);
  expect(await attemptStates(shop)).toEqual(['superseded', 'open']);
});

test('lookups without a usable answer are spaced out, and go to review a day after the attempt’s time', async () => {
  await using shop = await openTestShop();
  await openHostedPage(shop);
  shop.simulator.control.fault('read-session', { kind: 'status', status: 401, body: {} });

  await reconcileAll(shop.context.checkout);
  expect(sessionLookups(shop)).toEqual([]);
  for (let count = 0; count < 60; count += 1) {
    shop.clock.advance(20_000);
    await reconcileAll(shop.context.checkout);
  }
  const lookups = sessionLookups(shop).length;
  shop.clock.advance(DAY);
  await reconcileAll(shop.context.checkout);
  const before = (await theOrder(shop)).state;
  shop.clock.advance(HOUR);
  await reconcileAll(shop.context.checkout);

  expect(lookups).toBeLessThanOrEqual(42);
  expect(before).toBe('pending');
  expect(await theOrder(shop)).toMatchObject({ state: 'review', reviewReason: 'no_answer' });
});

test('an attempt of another environment is flagged without a lookup, and settled after the setting is corrected', async () => {
  await using shop = await openTestShop();
  const { session } = await openHostedPage(shop);
  shop.simulator.control.paySession(session);

  shop.clock.advance(MINUTE);
  await reconcileAll(withOtherEnvironment(shop));
  const flagged = await theOrder(shop);
  const lookups = sessionLookups(shop).length;
  await using _worker = startWorker(shop.context.checkout);
  await until(async () => (await theOrder(shop)).state === 'paid');

  expect(flagged).toMatchObject({ state: 'pending', reviewReason: 'other_environment' });
  expect(lookups).toBe(0);
  expect((await theOrder(shop)).reviewReason).toBeNull();
  expect(shop.logged.filter((line) => line.includes('attempt.environment_mismatched'))).toHaveLength(1);
});

test('an unpaid attempt of another environment loses its flag after the setting is corrected', async () => {
  await using shop = await openTestShop();
  await openHostedPage(shop);
  shop.clock.advance(MINUTE);
  await reconcileAll(withOtherEnvironment(shop));

  shop.clock.advance(8 * HOUR);
  await reconcileAll(shop.context.checkout);

  expect((await theOrder(shop)).reviewReason).toBeNull();
});

test.each(['hosted', 'card'])('a %s attempt of another environment blocks no new payment', async (flow) => {
  await using shop = await openTestShop();
  const customer = await Customer.withCart(shop);
  if (flow === 'hosted') await customer.payHosted();
  else await payByCard(shop, customer, CARDS.challenged);
  const { queries } = shop.context.checkout.db;
  await queries.updateTable('attempts').set({ environment: 'https://other.example' }).execute();

  const again = await customer.payHosted();
  const [order] = await allOrders(shop);
  await customer.add({ product_id: 'alebrije-jaguar' });
  const changed = await customer.payHosted();

  expect([again.status, changed.status]).toEqual([302, 302]);
  expect(order?.state).toBe('pending');
});

test('an attempt of another environment ends with the merchant’s decision, also after retention', async () => {
  await using shop = await openTestShop();
  const { session, orderPath, customer } = await openHostedPage(shop);
  shop.clock.advance(MINUTE);
  const other = withOtherEnvironment(shop);
  await reconcileAll(other);
  const { id, version } = await theOrder(shop);

  shop.clock.advance(40 * DAY);
  await applyRetention({ ...other, policy: { ...other.policy, piiRetentionMs: 30 * DAY } });
  const erased = await theOrder(shop);
  const decided = await decideOrder(other, { orderId: id, decision: 'refund', by: 'ana', version, note: '' });
  shop.simulator.control.forceSession(session, 'completed', 'Success');
  const page = await customer.get(orderPath);

  expect(erased.email).toBe('');
  expect(decided.kind).toBe('done');
  expect(await theOrder(shop)).toMatchObject({ state: 'cancelled', reviewReason: null });
  expect(readOrderPage(page.text).state).toBe('cancelled');
});

test('the environment of an attempt changes with the key', async () => {
  await using shop = await openTestShop();
  await using other = await openTestShop({ env: { PAYMENTS_API_KEY: 'another_key_of_this_shop' } });

  const [one = '', two = ''] = [shop, other].map(
    (each) => each.context.checkout.policy.environment.split(' ').at(-1) ?? '',
  );

  expect(one).toMatch(/^[0-9a-f]{12}$/);
  expect(two).not.toBe(one);
});
