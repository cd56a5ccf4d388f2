import { expect, test } from '@jest/globals';
import { openVisit } from '../../../../test/support/browser.js';
import { placePaidOrder } from '../../../../test/support/purchase.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { PHONE, signIn } from '../../../../test/support/steps.js';

const shop = await openFileShop();

test('a merchant downloads the filtered orders from their list by keyboard', async () => {
  await placePaidOrder(shop);
  const { page } = await openVisit(shop, PHONE);
  await signIn(page);
  await page.goto('/admin/orders?state=paid');

  const download = page.waitForEvent('download');
  await page.getByTestId('admin-export').press('Enter');

  const file = await download;
  expect([file.suggestedFilename(), file.url()]).toEqual([
    'pedidos.csv',
    expect.stringMatching(/\/admin\/orders\.csv\?.*state=paid/),
  ]);
});
