import { expect, test } from '@jest/globals';
import { expectAccessible } from '../../../../test/support/audit.js';
import { openVisit } from '../../../../test/support/browser.js';
import { SHIPPED } from '../../../../test/support/catalog.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { fillAddress, fillCart, fillContact, PHONE, signIn, submitHosted } from '../../../../test/support/steps.js';

const shop = await openSharedShop();

test('a merchant on a phone adds a zone, and a customer sees a range, then the price of the address, and pays it', async () => {
  const { page } = await openVisit(shop, PHONE);
  await signIn(page);
  await page.goto('/admin/shop');
  await page.getByRole('link', { name: 'Envíos', exact: true }).click();
  await page.getByTestId('new-zone').click();
  await page.getByLabel('Nombre de la zona').fill('Centro');
  await page.getByLabel('Ciudad de México').check();
  await page.getByLabel('Hasta ($ o kg), renglón 1').fill('');
  await page.getByLabel('Precio en pesos, renglón 1').fill('45');
  await page.getByTestId('save-zone').click();
  await page.getByTestId('zone').nth(1).waitFor();
  await expectAccessible(page);

  await fillCart(page, SHIPPED);
  await page.goto('/checkout');
  expect(await page.locator('label[for="shipping-standard"]').textContent()).toContain('de $45.00 a');
  await fillContact(page);
  await fillAddress(page);
  await page.locator('[data-shown-total]', { hasText: /^\$/ }).first().waitFor({ state: 'attached' });
  await submitHosted(page);
});
