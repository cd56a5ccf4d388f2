import { expect, test } from '@jest/globals';
import { expectAccessible } from '../../../../test/support/audit.js';
import { openVisit } from '../../../../test/support/browser.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { PHONE, signIn } from '../../../../test/support/steps.js';

const shop = await openSharedShop();

test('a merchant on a phone previews and saves the terms, which customers then read, and the pages meet WCAG 2.2 AA', async () => {
  const { page, expectTrouble } = await openVisit(shop, PHONE);
  expectTrouble(/422/);
  await signIn(page);
  await page.goto('/admin/shop');
  await page.getByRole('link', { name: 'Páginas', exact: true }).click();
  await page.locator('a[href="/admin/pages/es-MX/terms"]').click();
  await page.getByLabel('Texto', { exact: true }).fill('Sin título');
  await page.getByTestId('preview-page').click();
  await page.locator('[id$=text-error]').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Texto', { exact: true }).fill('# Condiciones de Luz\n\n- {{merchant.email}}');
  await page.getByTestId('preview-page').click();
  expect(await page.getByTestId('page-preview').locator('h1').textContent()).toBe('Condiciones de Luz');
  expect(new URL(page.url()).hash).toBe('#preview');
  await expectAccessible(page);
  await page.getByTestId('save-page').click();
  await page.getByTestId('admin-result').waitFor();
  await page.getByRole('link', { name: 'Ver en la tienda' }).click();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Condiciones de Luz');
});
