import { expect, test } from '@jest/globals';
import { processOutbox } from '../../../src/payments/process-outbox.js';
import { openBackOffice, resultOf } from '../../support/admin.js';
import { contact } from '../../support/customer.js';
import { placePaidOrder } from '../../support/purchase.js';
import { openFileShop } from '../../support/shared-shop.js';

const shop = await openFileShop();
const { queries } = shop.context.checkout.db;
const merchant = await openBackOffice(shop);

/** Pays an order on the hosted page. `set` changes members of the lookup's answer. */
async function openPaid(set?: Record<string, unknown>) {
  const { order, session } = await placePaidOrder(shop, contact, set);
  return { order, session, path: `/admin/orders/${order.number}` };
}

test('an outbox job that failed is retried once when the merchant asks, and an invalid request retries nothing', async () => {
  const { order, path } = await openPaid();
  const failed = { nextAt: shop.clock.now() + 3_600_000, lastError: 'Error:ECONNREFUSED', tries: 9 };
  const receipts = queries.updateTable('outbox').set(failed).where('job', '=', 'receipt');
  await receipts.where('orderId', '=', order.id).execute();
  const retry = (fields: object) => merchant.post(`${path}/jobs`, fields);

  const page = await merchant.get(path);
  const invalid = [await retry({ job: 'everything' }), await retry({ job: ['receipt', 'on_paid'] })];
  const answers = [await retry({ job: 'receipt' }), await retry({ job: 'receipt' })];
  await processOutbox(shop.context.checkout);
  answers.push(await retry({ job: 'receipt' }));

  expect(page.text).toContain('Último error: Error:ECONNREFUSED.');
  expect(page.text.match(/name="job"/g)).toHaveLength(1);
  expect(invalid.map(({ status }) => status)).toEqual([400, 400]);
  expect(answers.map(resultOf)).toEqual(['rescheduled', 'not_waiting', 'not_waiting']);
  const logged = shop.logged.filter((line) => line.includes('"job.retried"'));
  expect(logged).toHaveLength(1);
  expect(logged.join('')).not.toContain(order.email);
});
