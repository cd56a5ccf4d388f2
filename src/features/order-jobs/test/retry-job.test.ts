import { expect, test } from '@jest/globals';
import { processOutbox } from '@tianguis/payments/testing';
import { openBackOffice, resultOf } from '../../../../test/support/admin.js';
import { contact } from '../../../../test/support/customer.js';
import { placePaidOrder } from '../../../../test/support/purchase.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';

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

test('the order’s page shows a dropped outbox job as not sent, and offers no retry', async () => {
  const { order, path } = await openPaid();
  const jobs = queries.updateTable('outbox').where('job', '=', 'receipt').where('orderId', '=', order.id);
  await jobs.set({ doneAt: shop.clock.now(), lastError: 'dropped', tries: 34 }).execute();

  const { text } = await merchant.get(path);
  const retry = await merchant.post(`${path}/jobs`, { job: 'receipt' });

  expect(text).toContain('Descartado sin enviarse');
  expect(text).toMatch(/Descartado el \d/);
  expect(text).not.toContain('name="job"');
  expect(resultOf(retry)).toBe('not_waiting');
});
