import { expect, test } from '@jest/globals';
import { jobKey, requeueJob } from '@tianguis/payments/back-office';
import { DAY, interleave } from '../../../../test/checkout/support.js';
import { placePaidOrder } from '../../../../test/support/purchase.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { lockOrder } from '../../../tables/orders.js';
import { retryJob } from '../retry-job.js';

const shop = await openSharedShop();
const { checkout } = shop;

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
    () => retryJob(checkout, order, { key, job: 'receipt' }, 'ana'),
    (queries) => requeueJob(queries, { key, orderId, job: 'receipt', at: shop.clock.now() }),
  );

  expect(result).toBe('rescheduled');
});
