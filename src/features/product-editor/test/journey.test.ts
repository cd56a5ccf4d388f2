import { test } from '@jest/globals';
import { expectAccessible } from '../../../../test/support/audit.js';
import { openVisit } from '../../../../test/support/browser.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { PHONE, signIn } from '../../../../test/support/steps.js';

const shop = await openFileShop();

test('a merchant on a phone creates a product by keyboard, and the page meets WCAG 2.2 AA', async () => {
  const visit = await openVisit(shop, PHONE);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);

  await signIn(page);
  await page.goto('/admin/products');
  await page.getByRole('link', { name: 'Nuevo producto' }).press('Enter');
  await page.getByTestId('admin-create').press('Enter');
  await page.locator('#errors:focus').waitFor();
  await expectAccessible(page);
  await page.locator('#name_es_mx').fill('Jabón de avena');
  await page.locator('#category_es_mx').fill('Jabones');
  await page.locator('#price').fill('45.50');
  await page.locator('#visible').check();
  await page.getByTestId('admin-create').press('Enter');
  await page.getByTestId('admin-result').waitFor();
  await page.goto('/products/jabon-de-avena');
  await page.getByTestId('add-to-cart').waitFor();
});
