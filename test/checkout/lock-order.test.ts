import { expect, test } from '@jest/globals';
import { retryJob } from '../../src/checkout/order-actions.js';
import { processOutbox } from '../../src/checkout/process-outbox.js';
import { findHistory, lockOrder } from '../../src/db/orders.js';
import { jobKey, requeueJob } from '../../src/db/outbox.js';
import { placePaidOrder } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';
import { DAY, interleave } from './support.js';

const shop = await openSharedShop();
const { checkout } = shop;

test('the end of a job and an admin user who requests it again cause no deadlock', async () => {
  const { orderId } = await placePaidOrder(shop);
  const job = { key: jobKey('receipt', orderId), orderId, job: 'receipt', at: shop.clock.now() } as const;

  await interleave(
    shop,
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
    shop,
    (queries) => lockOrder(queries, orderId),
    () => retryJob(checkout, { id: orderId, number: order.number }, 'receipt', 'ana'),
    (queries) => requeueJob(queries, { key, orderId, job: 'receipt', at: shop.clock.now() }),
  );

  expect(result).toBe('rescheduled');
});
