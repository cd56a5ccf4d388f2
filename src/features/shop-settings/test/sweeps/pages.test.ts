import { test } from '@jest/globals';
import sharp from 'sharp';
import { expectAccessible } from '../../../../../test/support/audit.js';
import { openVisit } from '../../../../../test/support/browser.js';
import { openFileShop } from '../../../../../test/support/shared-shop.js';
import { PHONE, signIn } from '../../../../../test/support/steps.js';

const shop = await openFileShop();

test('WCAG 2.2 AA is met by each group of the settings, by the catalog and by the history after a changed logo', async () => {
  const { page } = await openVisit(shop, PHONE);
  await signIn(page);
  await page.goto('/admin/shop/brand');
  const logo = await sharp({ create: { width: 900, height: 200, channels: 3, background: '#0b6e99' } })
    .png()
    .toBuffer();

  await page.locator('[id="file-brand.logo"]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo });
  await page.getByTestId('upload-brand.logo').click();
  await page.getByTestId('remove-brand.logo').waitFor();

  await expectAccessible(page);
  for (const path of ['/admin/shop/contact', '/admin/shop/start', '/admin/shop/sales', '/admin/shop/history', '/']) {
    await page.goto(path);
    await expectAccessible(page);
  }
});
