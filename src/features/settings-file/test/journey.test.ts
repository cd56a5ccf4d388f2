import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openVisit } from '../../../../test/support/browser.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { signIn } from '../../../../test/support/steps.js';

const shop = await openFileShop();

test('without JavaScript a merchant imports the downloaded file of settings', async () => {
  const { page } = await openVisit(shop, { javaScriptEnabled: false });
  await signIn(page);
  await page.goto('/admin/shop');
  await page.locator('summary').last().click();
  const downloading = page.waitForEvent('download');
  await page.getByTestId('admin-settings-file').click();
  const path = join(shop.directory, 'tienda.json');
  await (await downloading).saveAs(path);
  await page.locator('#file').setInputFiles(path);
  await page.getByTestId('admin-import').click();
  expect(await page.getByTestId('admin-result').textContent()).toContain('No había nada que cambiar.');
});
