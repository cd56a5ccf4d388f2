import { expect, test } from '@jest/globals';
import { deleteExpiredRows } from '../../src/checkout/delete-expired-rows.js';
import { eraseCustomer } from '../../src/checkout/erase-customer.js';
import { retryJob } from '../../src/checkout/order-actions.js';
import { processOutbox } from '../../src/checkout/process-outbox.js';
import { lockCart } from '../../src/db/carts.js';
import type { Queries } from '../../src/db/connection/database.js';
import { isPostgres } from '../../src/db/connection/dialects.js';
import { findHistory, lockLatestOrderOfCart, lockOrder, updateSuccessor } from '../../src/db/orders.js';
import { jobKey, requeueJob } from '../../src/db/outbox.js';
import { until } from '../support/crowd.js';
import { allOrders } from '../support/inspect.js';
import { openHostedPage, openPageOf, placePaidOrder } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';
import { cartIdOf, countLockWaits, DAY, isLockAwaited } from './support.js';

const shop = await openSharedShop();
const { checkout } = shop;

/**
 * Runs a transaction: first `lock`, then `work` in another transaction until it waits, then `rest`. On PostgreSQL a
 * deadlock rejects one of the two.
 */
async function interleave<T>(
  lock: (queries: Queries) => Promise<unknown>,
  work: () => Promise<T>,
  rest: (queries: Queries) => Promise<unknown>,
): Promise<T> {
  const { running } = await checkout.db.transaction(async (queries) => {
    await lock(queries);
    const running = work();
    // Otherwise its rejection is reported before it is awaited.
    running.catch(() => {});
    if (isPostgres(queries)) await until(() => isLockAwaited(shop));
    await rest(queries);
    return { running };
  });
  return running;
}

test('the erasure of a customer and the placement of a third order of the same cart cause no deadlock', async () => {
  const { customer } = await openHostedPage(shop);
  await customer.add();
  await openPageOf(shop, customer);
  const [first, second] = await allOrders(shop);
  if (!first || !second) throw new Error('no second order');
  const cartId = await cartIdOf(shop);

  const result = await interleave(
    async (queries) => {
      await lockCart(queries, cartId);
      await lockLatestOrderOfCart(queries, cartId);
    },
    () => eraseCustomer(checkout, { orderId: second.id, version: second.version, by: 'ana' }),
    (queries) => updateSuccessor(queries, second.id, 'third'),
  );

  expect(result).toBe('erased');
  expect((await allOrders(shop))[0]).toMatchObject({ supersededBy: 'third' });
});

test('the end of a job and an admin user who requests it again cause no deadlock', async () => {
  const { orderId } = await placePaidOrder(shop);
  const job = { key: jobKey('receipt', orderId), orderId, job: 'receipt', at: shop.clock.now() } as const;

  await interleave(
    (queries) => lockOrder(queries, orderId),
    () => processOutbox(checkout, ['receipt']),
    (queries) => requeueJob(queries, job),
  );

  const kinds = (await findHistory(shop.queries, orderId)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'job_done')).toHaveLength(1);
  expect(shop.logged.join('')).not.toContain('job.failed');
});

test('an admin user who retries a job and one who queues it again cause no deadlock', async () => {
  const { order } = await placePaidOrder(shop);
  const { id: orderId } = order;
  const key = jobKey('receipt', orderId);
  await shop.queries
    .updateTable('outbox')
    .set({ nextAt: shop.clock.now() + DAY })
    .execute();

  const result = await interleave(
    (queries) => lockOrder(queries, orderId),
    () => retryJob(checkout, { id: orderId, number: order.number }, 'receipt', 'ana'),
    (queries) => requeueJob(queries, { key, orderId, job: 'receipt', at: shop.clock.now() }),
  );

  expect(result).toBe('rescheduled');
});

test('the expiry of two carts and the erasure of their customer cause no deadlock', async () => {
  await openHostedPage(shop);
  await openHostedPage(shop);
  const [first, second] = await allOrders(shop);
  if (!first || !second) throw new Error('no second order');
  const changeLast = async (id: string, updatedAt: number) => {
    await shop.queries.updateTable('carts').set({ updatedAt }).where('id', '=', id).execute();
  };
  // The cart with the higher id is the older one.
  await changeLast(second.cartId, 1);
  await changeLast(first.cartId, 2);
  shop.clock.advance(61 * DAY);

  const running = await checkout.db.transaction(async (queries) => {
    await lockCart(queries, first.cartId);
    const erasure = eraseCustomer(checkout, { orderId: first.id, version: first.version, by: 'ana' });
    if (isPostgres(queries)) await until(() => isLockAwaited(shop));
    const expiry = deleteExpiredRows(checkout);
    if (isPostgres(queries)) await until(async () => (await countLockWaits(shop)) === 2);
    return { ended: Promise.allSettled([erasure, expiry]) };
  });

  expect(await running.ended).toEqual(Array(2).fill(expect.objectContaining({ status: 'fulfilled' })));
  expect(await shop.queries.selectFrom('carts').selectAll().execute()).toEqual([]);
});
