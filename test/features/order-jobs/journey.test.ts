import { test } from '@jest/globals';
import { insertOrder } from '../../../src/db/orders.js';
import { queuePaidJobs } from '../../../src/shop/shop-jobs.js';
import { expectAccessible } from '../../support/audit.js';
import { openVisit } from '../../support/browser.js';
import { LINE, orderRow } from '../../support/rows.js';
import { openFileShop } from '../../support/shared-shop.js';
import { PHONE, signIn } from '../../support/steps.js';

const shop = await openFileShop();

test('a merchant retries the job of an order by keyboard, and the page of the order meets WCAG 2.2 AA', async () => {
  const { queries } = shop;
  const now = shop.clock.now();
  const order = orderRow({ number: 'TG-0', state: 'paid', createdAt: now, paidAt: now });
  await insertOrder(queries, order, [LINE]);
  await queuePaidJobs(queries, order, now);
  await queries
    .updateTable('outbox')
    .set({ nextAt: now + 3_600_000, lastError: 'Error' })
    .execute();
  const { page } = await openVisit(shop, PHONE);

  await signIn(page);
  await page.goto('/admin/orders/TG-0');
  await page.getByRole('button', { name: 'Reintentar ahora: Recibo por correo' }).press('Enter');
  await page.getByTestId('admin-result').waitFor();
  await expectAccessible(page);
});
