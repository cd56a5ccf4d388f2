/** Another process holds an order, as a frozen one does, while the gateway answers. */
import { expect, test } from '@jest/globals';
import { findHistory } from '@tianguis/payments/back-office';
import { CALLS } from '../../packages/payments/src/gateway/errors.js';
import { LONGEST_STORE_MS } from '../../packages/payments/src/lease-times.js';
import { verifyPayment } from '../../packages/payments/src/verify-payment.js';
import { until } from '../support/crowd.js';
import { Customer } from '../support/customer.js';
import { allAttempts, allOrders } from '../support/inspect.js';
import { CARDS, payByCard } from '../support/purchase.js';
import { openDoor } from '../support/replica.js';
import { openSharedShop } from '../support/shared-shop.js';
import { whileOrdersHeld } from './held-orders.js';

const shop = await openSharedShop();
/** SQLite has one writer, so a process that holds it holds the sessions too. */
const testOnPostgres = process.env['TEST_DATABASE_URL'] === undefined ? test.skip : test;

const sent = () => [...shop.control.calls('create-session'), ...shop.control.calls('process')].length;

const isRetried = () => shop.logged.some((line) => line.includes('attempt.outcome_retried'));

/** Returns the states of the attempts, and whether a history has an unknown outcome. */
async function outcomes() {
  const histories = await Promise.all((await allOrders(shop)).map(({ id }) => findHistory(shop.queries, id)));
  const states = (await allAttempts(shop)).map(({ state }) => state);
  return { states, wasUnknown: JSON.stringify(histories).includes('unknown') };
}

testOnPostgres(
  'case 180: an answer that cannot be stored yet leads to the page of a payment that is being confirmed, and is stored later',
  async () => {
    const [card, hosted] = [await Customer.withCart(shop), await Customer.withCart(shop)];
    for (const call of ['create-session', 'process'] as const) shop.control.fault(call, { kind: 'hold' });
    const paying = Promise.all([payByCard(shop, card, CARDS.paid), hosted.payHosted()]);
    await until(() => sent() === 2);

    const [answers, pages] = await whileOrdersHeld(shop, async () => {
      shop.control.release();
      const replies = await paying;
      const locations = replies.map(({ headers }) => headers['location'] ?? '');
      return [replies, [await card.get(locations[0] ?? ''), await hosted.get(locations[1] ?? '')]];
    });
    await until(async () => (await allAttempts(shop)).every(({ state }) => state !== 'creating'));

    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    for (const { status, text } of pages) {
      expect(status).toBe(200);
      expect(text).toContain('data-refresh-seconds');
      expect(text).not.toContain('/checkout/card');
    }
    expect(await outcomes()).toEqual({ states: ['open', 'open'], wasUnknown: false });
  },
  60_000,
);

test('case 180: the shutdown waits for an answer that is being stored', async () => {
  const replica = await shop.openReplica();
  await using door = await openDoor(replica.web);
  const customer = await Customer.withCart(door);
  shop.control.fault('process', { kind: 'hold' });
  const paying = payByCard(shop, customer, CARDS.challenged).catch(() => {});
  await until(() => sent() === 1);

  const { closing } = await whileOrdersHeld(shop, async () => {
    shop.control.release();
    await until(isRetried);
    return { closing: replica[Symbol.asyncDispose]() };
  });
  await closing;

  expect((await allAttempts(shop)).map(({ state }) => state)).toEqual(['open']);
  await paying;
});

test('case 180: no other process ends a card payment whose late answer is still being stored', async () => {
  const worker = await shop.openReplica();
  const customer = await Customer.withCart(shop);
  shop.control.fault('process', { kind: 'hold' });
  const paying = payByCard(shop, customer, CARDS.challenged).catch(() => {});
  await until(() => sent() === 1);
  const [{ orderId = '', createdAt = 0 } = {}] = await allAttempts(shop);
  const storedAt = createdAt + CALLS['process-payment'].deadlineMs + LONGEST_STORE_MS;

  await whileOrdersHeld(shop, async () => {
    shop.control.release();
    await until(isRetried);
    // Otherwise it waits for the lock, and throws.
    await verifyPayment({ ...worker.checkout, clock: { now: () => storedAt } }, orderId, 'worker');
  });
  await until(async () => (await outcomes()).states[0] !== 'creating');

  expect(await outcomes()).toEqual({ states: ['open'], wasUnknown: false });
  expect(shop.logged.join('')).not.toContain('attempt.lease_expired');
  await paying;
});
