import { test } from '@jest/globals';
import { insertOrder } from '../../../src/db/orders.js';
import { expectAccessible } from '../../support/audit.js';
import { openVisit } from '../../support/browser.js';
import { LINE, orderRow } from '../../support/rows.js';
import { openFileShop } from '../../support/shared-shop.js';
import { PHONE, signIn } from '../../support/steps.js';

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
