import { expect, test } from '@jest/globals';
import { expectAccessible } from '../../../../test/support/audit.js';
import { openVisit } from '../../../../test/support/browser.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { fillCart, PHONE, signIn } from '../../../../test/support/steps.js';
import { addDays, dayOf } from '../../../shop/rules/mexico-day.js';

const shop = await openSharedShop();

test('a merchant on a phone closes the shop, its customer sees no way to pay, and the pages meet WCAG 2.2 AA', async () => {
  const { page } = await openVisit(shop, PHONE);
  await fillCart(page);
  await signIn(page);
  await page.goto('/admin/shop');
  await page.getByRole('link', { name: 'Cerrar por unos días' }).click();
  await page.getByLabel('Abre de nuevo el').fill(addDays(dayOf(shop.clock.now()), 7));
  await page.locator('[name="text.es-MX"]').fill('Estamos de vacaciones.');
  await page.getByTestId('close-shop').click();
  await expectAccessible(page);
  expect(await page.getByTestId('closing-state').textContent()).toContain('cerrada');
  await page.goto('/checkout');
  expect(await page.getByTestId('closed').textContent()).toContain('Estamos de vacaciones.');
  expect(await page.getByTestId('pay-hosted').count()).toBe(0);
  await expectAccessible(page);
});
