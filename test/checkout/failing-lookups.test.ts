import { describe, expect, test } from '@jest/globals';
import { applyRetention } from '../../src/checkout/apply-retention.js';
import type { CheckoutContext } from '../../src/checkout/context.js';
import { decideOrder } from '../../src/checkout/decide-order.js';
import { reconcile } from '../../src/checkout/reconcile.js';
import { startWorker } from '../../src/checkout/run-worker.js';
import { Customer, readOrderPage, sessionIdOf } from '../support/customer.js';
import { allAttempts, allOrders, theOrder, until } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../support/purchase.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOT_FOUND = { kind: 'status', status: 404 } as const;

async function work(context: CheckoutContext): Promise<void> {
  while ((await reconcile(context)) > 0);
}

/** The shop after the merchant changed a gateway address or the key. */
function withOtherEnvironment(shop: TestShop): CheckoutContext {
  const { checkout } = shop.context;
  return { ...checkout, policy: { ...checkout.policy, environment: 'https://other.example' } };
}

describe('an attempt that the gateway does not know after its time', () => {
  test('has expired when it is a session that was read before', async () => {
    await using shop = await openTestShop();
    const { customer, orderPath } = await openHostedPage(shop);
    await customer.get(orderPath);
    shop.simulator.control.fault('read-session', NOT_FOUND);

    shop.clock.advance(30 * MINUTE);
    await work(shop.context.checkout);
    const early = (await theOrder(shop)).state;
    shop.clock.advance(35 * MINUTE);
    await work(shop.context.checkout);

    expect(early).toBe('pending');
    expect((await theOrder(shop)).state).toBe('expired');
  });

  test('goes to review when it is a session that was never read, and is paid when it is found', async () => {
    await using shop = await openTestShop();
    const { session } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);
    shop.simulator.control.fault('read-session', NOT_FOUND);

    shop.clock.advance(65 * MINUTE);
    await work(shop.context.checkout);
    const unknown = await theOrder(shop);
    shop.simulator.control.clearFaults();
    shop.clock.advance(10 * MINUTE);
    await work(shop.context.checkout);

    expect(unknown).toMatchObject({ state: 'review', reviewReason: 'not_found' });
    expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
  });

  test('goes to review when it is a card payment, read before or not', async () => {
    await using shop = await openTestShop();
    await payByCard(shop, await Customer.withCart(shop), CARDS.challenged);
    shop.clock.advance(MINUTE);
    await work(shop.context.checkout);
    shop.simulator.control.fault('read-transaction', NOT_FOUND);

    shop.clock.advance(65 * MINUTE);
    await work(shop.context.checkout);

    expect(await theOrder(shop)).toMatchObject({ state: 'review', reviewReason: 'not_found' });
  });

  test('blocks no new payment before its time is up', async () => {
    await using shop = await openTestShop();
    const { customer, session } = await openHostedPage(shop);
    shop.simulator.control.fault('read-session', NOT_FOUND);
    shop.clock.advance(5_000);

    const again = await customer.payHosted();

    expect(again.status).toBe(302);
    expect(sessionIdOf(again.headers['location'])).not.toBe(session);
    expect((await allAttempts(shop)).map(({ state }) => state)).toEqual(['superseded', 'open']);
  });
});

describe('lookups without any usable answer', () => {
  test('are spaced out, and end in review a day after the attempt’s time', async () => {
    await using shop = await openTestShop();
    await openHostedPage(shop);
    shop.simulator.control.fault('read-session', { kind: 'status', status: 401, body: {} });

    for (let count = 0; count < 60; count += 1) {
      shop.clock.advance(20_000);
      await work(shop.context.checkout);
    }
    const asked = shop.simulator.control.calls('read-session').length;
    shop.clock.advance(DAY);
    await work(shop.context.checkout);
    const before = (await theOrder(shop)).state;
    shop.clock.advance(60 * MINUTE);
    await work(shop.context.checkout);

    expect(asked).toBeLessThanOrEqual(42);
    expect(before).toBe('pending');
    expect(await theOrder(shop)).toMatchObject({ state: 'review', reviewReason: 'no_answer' });
  });
});

describe('an attempt of another environment', () => {
  test('is flagged at the first lookup, never looked up there, and is settled when the setting is corrected', async () => {
    await using shop = await openTestShop();
    const { session } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);

    shop.clock.advance(MINUTE);
    await work(withOtherEnvironment(shop));
    const flagged = await theOrder(shop);
    const asked = shop.simulator.control.calls('read-session').length;
    await using _worker = startWorker(shop.context.checkout);
    await until(async () => (await theOrder(shop)).state === 'paid');

    expect(flagged).toMatchObject({ state: 'pending', reviewReason: 'other_environment' });
    expect(asked).toBe(0);
    expect((await theOrder(shop)).reviewReason).toBeNull();
    expect(shop.logged.filter((line) => line.includes('attempt.environment_mismatched'))).toHaveLength(1);
  });

  test('that is still unpaid loses its flag when the setting is corrected', async () => {
    await using shop = await openTestShop();
    await openHostedPage(shop);
    shop.clock.advance(MINUTE);
    await work(withOtherEnvironment(shop));

    shop.clock.advance(8 * 60 * MINUTE);
    await work(shop.context.checkout);

    expect((await theOrder(shop)).reviewReason).toBeNull();
  });

  test.each(['hosted', 'card'])('that was made through the %s flow blocks no new payment', async (flow) => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    if (flow === 'hosted') await customer.payHosted();
    else await payByCard(shop, customer, CARDS.challenged);
    await shop.context.checkout.db.queries
      .updateTable('attempts')
      .set({ environment: 'https://other.example' })
      .execute();

    const again = await customer.payHosted();
    const [order] = await allOrders(shop);
    await customer.add({ product_id: 'alebrije-jaguar' });
    const changed = await customer.payHosted();

    expect([again.status, changed.status]).toEqual([302, 302]);
    expect(order?.state).toBe('pending');
  });

  test('is erased by retention, and ends with the merchant’s decision', async () => {
    await using shop = await openTestShop();
    const { session, orderPath, customer } = await openHostedPage(shop);
    shop.clock.advance(MINUTE);
    const other = withOtherEnvironment(shop);
    await work(other);
    const { id, version } = await theOrder(shop);

    shop.clock.advance(40 * DAY);
    await applyRetention({ ...other, policy: { ...other.policy, piiRetentionMs: 30 * DAY } });
    const erased = await theOrder(shop);
    const decided = await decideOrder(other, { orderId: id, decision: 'refund', version, note: '' });
    shop.simulator.control.forceSession(session, 'completed', 'Success');
    const page = await customer.get(orderPath);

    expect(erased.email).toBe('');
    expect(decided.kind).toBe('done');
    expect(await theOrder(shop)).toMatchObject({ state: 'cancelled', reviewReason: null });
    expect(readOrderPage(page.text).state).toBe('cancelled');
  });

  test('changes with the key as well as with the addresses', async () => {
    await using shop = await openTestShop();
    await using other = await openTestShop({ env: { PAYMENTS_API_KEY: 'another_key_of_this_shop' } });

    const [one = '', two = ''] = [shop, other].map(
      (each) => each.context.checkout.policy.environment.split(' ').at(-1) ?? '',
    );

    expect(one).toMatch(/^[0-9a-f]{12}$/);
    expect(two).not.toBe(one);
  });
});
