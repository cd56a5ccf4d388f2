import { expect, test } from '@jest/globals';
import { findHistory, jobKey, requeueJob } from '@tianguis/payments/back-office';
import { processOutbox } from '@tianguis/payments/testing';
import { lockOrder } from '../../src/tables/orders.js';
import { interleave } from '../checkout/support.js';
import { placePaidOrder } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';

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
