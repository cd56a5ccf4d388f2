import { expect, test } from '@jest/globals';
import { expectAccessible } from '../../../../test/support/audit.js';
import { openVisit } from '../../../../test/support/browser.js';
import { placePaidOrder } from '../../../../test/support/purchase.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { PHONE, signIn } from '../../../../test/support/steps.js';

const shop = await openFileShop();

test('a merchant opens the evidence from the page of an order on a phone, and prints it without buttons and navigation', async () => {
  const { order } = await placePaidOrder(shop);
  const { page } = await openVisit(shop, PHONE);

  await signIn(page);
  await page.goto(`/admin/orders/${order.number}`);
  await page.getByTestId('admin-evidence').click();
  const print = page.getByRole('button', { name: 'Imprimir' });
  await print.waitFor();
  await expectAccessible(page);
  await page.emulateMedia({ media: 'print' });

  expect(await page.getByTestId('evidence').isVisible()).toBe(true);
  expect([await page.getByRole('banner').isVisible(), await print.isVisible()]).toEqual([false, false]);
});
