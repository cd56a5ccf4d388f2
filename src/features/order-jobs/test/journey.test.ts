import { test } from '@jest/globals';
import { expectAccessible } from '../../../../test/support/audit.js';
import { openVisit } from '../../../../test/support/browser.js';
import { LINE, orderRow } from '../../../../test/support/rows.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { PHONE, signIn } from '../../../../test/support/steps.js';
import { queuePaidJobs } from '../../../shop/shop-jobs.js';
import { insertOrder } from '../../../tables/orders.js';

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
