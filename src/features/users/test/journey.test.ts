import { test } from '@jest/globals';
import { expectAccessible } from '../../../../test/support/audit.js';
import { openVisit } from '../../../../test/support/browser.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { PHONE, signIn } from '../../../../test/support/steps.js';

const shop = await openFileShop();

test('WCAG 2.2 AA is met on a phone by the page of users', async () => {
  const { page } = await openVisit(shop, PHONE);

  await signIn(page);
  await page.goto('/admin');
  await page.getByText('Menú').press('Enter');
  await page.getByRole('link', { name: 'Usuarios' }).press('Enter');
  await page.getByRole('cell', { name: 'Entró' }).waitFor();

  await expectAccessible(page);
});
