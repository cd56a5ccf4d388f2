/** With all features, each name that the core knows is used. */
import { expect, test } from '@jest/globals';
import { PERMISSIONS } from '../../src/admin/permissions.js';
import { createApp } from '../../src/app.js';
import { JOB_NAMES } from '../../src/db/schema.js';
import { jobNames } from '../../src/payments/process-outbox.js';
import { DAY } from '../checkout/support.js';
import { invoiceForm } from '../support/customer.js';
import { placePaidOrder } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop({ env: { INVOICE_REQUEST_MONTHS: '12' } });
const { checkout, context, queries } = shop;

test('core and features run every outbox job', () => {
  expect(jobNames(checkout).toSorted()).toEqual(JOB_NAMES.toSorted());
});

test('core and features have every route of the permissions', () => {
  const routes = createApp(context.web).router.stack.flatMap(({ route }) =>
    (route?.stack ?? []).map(({ method }) => `${method?.toUpperCase()} ${route?.path}`),
  );

  expect(Object.keys(PERMISSIONS).filter((each) => !routes.includes(each))).toEqual([]);
});

test('retention erases the invoice request with the other personal data, and the order takes no new one', async () => {
  const erasing = { ...checkout, config: { ...checkout.config, piiRetentionMs: 30 * DAY } };
  const retention = checkout.shopLoops.find(({ name }) => name === 'retention');
  const erase = () => retention?.process(erasing, new AbortController().signal);
  const { customer, orderPath } = await placePaidOrder(shop);
  const request = () => customer.post(`${orderPath}/invoice`, invoiceForm);
  const count = async () => (await queries.selectFrom('invoiceRequests').selectAll().execute()).length;
  await request();

  shop.clock.advance(29 * DAY);
  await erase();
  const before = await count();
  shop.clock.advance(2 * DAY);
  await erase();

  expect([before, await count()]).toEqual([1, 0]);
  expect((await request()).status).toBe(409);
  expect(await count()).toBe(0);
});
