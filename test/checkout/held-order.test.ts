/** Another process holds an order, as a frozen one does, while the gateway answers. */
import { expect, test } from '@jest/globals';
import { TRANSACTION_LIMITS } from '../../src/db/connection/transaction-scope.js';
import { findHistory, lockOrder } from '../../src/db/orders.js';
import { until } from '../support/crowd.js';
import { Customer } from '../support/customer.js';
import { allAttempts, allOrders } from '../support/inspect.js';
import { CARDS, payByCard } from '../support/purchase.js';
import { openDoor } from '../support/replica.js';
import { openSharedShop } from '../support/shared-shop.js';

const shop = await openSharedShop();
/** SQLite has one writer, so a process that holds it holds the sessions too. */
const testOnPostgres = process.env['TEST_DATABASE_URL'] === undefined ? test.skip : test;

const sent = () => [...shop.control.calls('create-session'), ...shop.control.calls('process')].length;

/** Longer than the test, also on a busy machine. */
const LIMITS = { ...TRANSACTION_LIMITS, totalMs: 60_000, idleMs: 60_000 };

/** Locks all orders as another process during `work`. */
async function whileHeld<T>(work: () => Promise<T>): Promise<T> {
  await using other = await shop.connect();
  const orders = await allOrders(shop);
  return await other.transaction(async (queries) => {
    for (const { id } of orders) await lockOrder(queries, id);
    return work();
  }, LIMITS);
}

testOnPostgres(
  'case 180: an answer that cannot be stored yet leads to the page of a payment that is being confirmed, and is stored later',
  async () => {
    const [card, hosted] = [await Customer.withCart(shop), await Customer.withCart(shop)];
    for (const call of ['create-session', 'process'] as const) shop.control.fault(call, { kind: 'hold' });
    const paying = Promise.all([payByCard(shop, card, CARDS.paid), hosted.payHosted()]);
    await until(() => sent() === 2);

    const [answers, pages] = await whileHeld(async () => {
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
    expect((await allAttempts(shop)).map(({ state }) => state)).toEqual(['open', 'open']);
    const histories = await Promise.all((await allOrders(shop)).map(({ id }) => findHistory(shop.queries, id)));
    expect(JSON.stringify(histories)).not.toContain('unknown');
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

  const { closing } = await whileHeld(async () => {
    shop.control.release();
    await until(() => shop.logged.some((line) => line.includes('attempt.outcome_retried')));
    return { closing: replica[Symbol.asyncDispose]() };
  });
  await closing;

  expect((await allAttempts(shop)).map(({ state }) => state)).toEqual(['open']);
  await paying;
});
