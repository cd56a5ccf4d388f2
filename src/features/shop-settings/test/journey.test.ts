import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expectAccessible } from '../../../../test/support/audit.js';
import { openVisit } from '../../../../test/support/browser.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { PHONE, signIn } from '../../../../test/support/steps.js';

const shop = await openFileShop();
const ERROR_422 = /^console error: Failed to load resource: .* 422/;

const field = (page: Page, name: string) => page.locator(`[id="${name}"]`);

async function save(page: Page): Promise<void> {
  await page.getByTestId('admin-save').click();
  await page.getByTestId('admin-result').waitFor();
}

test('a merchant on a phone changes color and logo after an error that meets WCAG 2.2 AA, and undoes it', async () => {
  const visit = await openVisit(shop, PHONE);
  const { page } = visit;
  visit.expectTrouble(ERROR_422);
  await signIn(page);
  await page.goto('/admin/shop');
  await page.getByRole('link', { name: 'Nombre, logotipo y color' }).click();
  await field(page, 'brand.color').fill('azul');
  await page.getByTestId('admin-save').click();
  await page.locator('#errors:focus').waitFor();
  await expectAccessible(page);
  await page.locator('input[type=color]').fill('#0b6e99');
  expect(await field(page, 'brand.color').inputValue()).toBe('#0b6e99');
  await save(page);
  const logo = await sharp({ create: { width: 900, height: 200, channels: 3, background: '#0b6e99' } })
    .png()
    .toBuffer();
  await field(page, 'file-brand.logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo });
  await page.getByTestId('upload-brand.logo').click();
  await page.getByTestId('remove-brand.logo').waitFor();

  await page.goto('/');
  await page.setViewportSize({ width: 320, height: 640 });
  await page.evaluate(`document.querySelector('.brand img').decode()`);
  const { width = 0, height } = (await page.locator('.brand img').boundingBox()) ?? {};
  expect([Math.round(width), height]).toEqual([90, 40]);
  await page.goto('/admin/shop/history');
  await page.getByTestId('undo').first().click();
  await page.getByTestId('admin-result').waitFor();
  await page.goto('/');
  expect(await page.locator('.brand img').getAttribute('src')).toContain('/logo.svg');
});

test('without JavaScript a merchant chooses a color from the palette', async () => {
  const { page } = await openVisit(shop, { javaScriptEnabled: false });
  await signIn(page);
  await page.goto('/admin/shop/brand');
  await page.locator('input[type=color]').fill('#336600');
  await save(page);
  expect(await field(page, 'brand.color').inputValue()).toBe('#336600');
});
