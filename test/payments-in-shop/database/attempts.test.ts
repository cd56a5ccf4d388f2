import { expect, test } from '@jest/globals';
import { attemptRow } from '@tianguis/payments/testing';
import { ATTEMPT_STATES, LIVE_ATTEMPT_STATES } from '../../../packages/payments/src/rules/order.js';
import {
  acquireLookup,
  findAttempt,
  findAttempts,
  findOrderIdsByGatewayId,
  insertAttempt,
  leaseDueAttempts,
  putAttempt,
} from '../../../packages/payments/src/store/attempts.js';
import { insertOrder } from '../../../src/tables/orders.js';
import { numbers } from '../../support/crowd.js';
import { LINE, orderRow } from '../../support/rows.js';
import { openSharedDatabase } from '../../support/test-database.js';

const { db, queries, openAgain } = await openSharedDatabase();

async function placeOrder(): Promise<string> {
  const order = orderRow();
  await insertOrder(queries, order, [LINE]);
  return order.id;
}

test('a second attempt of an order is refused in each live state of the first, and stored in every other', async () => {
  for (const state of ATTEMPT_STATES) {
    const orderId = await placeOrder();
    const first = attemptRow(orderId);
    await insertAttempt(queries, first);
    await putAttempt(queries, first.id, { state, at: 2 });
    const isLive = LIVE_ATTEMPT_STATES.includes(state);
    expect([state, (await findAttempt(queries, first.id))?.live]).toEqual([state, isLive ? 1 : null]);

    const second = insertAttempt(queries, attemptRow(orderId, { ordinal: 2 }));

    if (isLive) await expect(second).rejects.toThrow(/unique/i);
    else await second;
    const ordinals = (await findAttempts(queries, orderId)).map(({ ordinal }) => ordinal);
    expect(ordinals).toEqual(isLive ? [1] : [1, 2]);
  }
});

test('a second attempt with the same ordinal or the same gateway id is refused', async () => {
  const ended = { state: 'failed', gatewayId: 'cs_1' } as const;
  const [orderId, otherId] = [await placeOrder(), await placeOrder()];
  await insertAttempt(queries, attemptRow(orderId, ended));

  const sameOrdinal = insertAttempt(queries, attemptRow(orderId, { state: 'failed' }));
  await expect(sameOrdinal).rejects.toThrow(/unique/i);
  const sameGatewayId = insertAttempt(queries, attemptRow(otherId, ended));
  await expect(sameGatewayId).rejects.toThrow(/unique/i);

  expect(await findOrderIdsByGatewayId(queries, ['cs_1', 'cs_2'])).toEqual([orderId]);
});

test('the lookup of an attempt is acquired by one of ten concurrent callers, and again when it is old or the clock was set back', async () => {
  const other = openAgain();
  const row = attemptRow(await placeOrder(), { state: 'open', gatewayId: 'cs_1' });
  await insertAttempt(queries, row);
  const acquire = (at: number, by = db) => acquireLookup(by.queries, row.id, { at, notSince: at - 1_000 });

  const first = await Promise.all(numbers(10).map((index) => acquire(10_000, index % 2 ? other : db)));
  const later: boolean[] = [];
  for (const at of [10_999, 11_000, 5_000, 5_001]) later.push(await acquire(at));

  expect(first.filter(Boolean)).toHaveLength(1);
  expect(later).toEqual([false, true, true, false]);
});

test('each due attempt is leased by one of two workers, and again only after its lease', async () => {
  const other = openAgain();
  for (const index of numbers(5)) {
    const change = { state: 'open', gatewayId: `cs_${index}`, nextCheckAt: 10 } as const;
    await insertAttempt(queries, attemptRow(await placeOrder(), change));
  }
  const lease = (by: typeof other, at: number) =>
    leaseDueAttempts(by.queries, 'live', { at, leaseUntil: at + 100, limit: 10 });

  const early = await lease(db, 9);
  const [first, second] = await Promise.all([lease(db, 20), lease(other, 20)]);
  const during = await lease(other, 119);
  const after = await lease(other, 120);

  expect(early).toEqual([]);
  expect(first.length + second.length).toBe(5);
  expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(5);
  expect([during.length, after.length]).toEqual([0, 5]);
});
