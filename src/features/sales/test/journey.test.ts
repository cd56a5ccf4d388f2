import { test } from '@jest/globals';
import { expectAccessible } from '../../../../test/support/audit.js';
import { openVisit } from '../../../../test/support/browser.js';
import { LINE, orderRow } from '../../../../test/support/rows.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { PHONE, signIn } from '../../../../test/support/steps.js';
import { insertOrder } from '../../../tables/orders.js';

const shop = await openFileShop();

test('WCAG 2.2 AA is met on a phone by the sales of the overview, shown as tables by keyboard', async () => {
  const now = shop.clock.now();
  await insertOrder(shop.queries, orderRow({ state: 'paid', createdAt: now, paidAt: now }), [LINE]);
  const { page } = await openVisit(shop, PHONE);

  await signIn(page);
  await page.goto('/admin');
  await page.getByTestId('admin-sales').waitFor();
  for (const table of await page.getByText('Ver como tabla').all()) await table.press('Enter');

  await expectAccessible(page);
});
