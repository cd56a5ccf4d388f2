import { test } from '@jest/globals';
import { expectAccessible } from '../../../../test/support/audit.js';
import { openVisit } from '../../../../test/support/browser.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { PHONE, signIn } from '../../../../test/support/steps.js';
import { PASSWORD } from '../../../../test/support/test-shop.js';
import { typeInto } from '../../../../test/support/typing.js';
import { codeOf } from './with-factor.js';

const shop = await openFileShop();

test('WCAG 2.2 AA is met on a phone by the set-up of a second factor, and by a sign-in with a wrong and a right code', async () => {
  const visit = await openVisit(shop, PHONE);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 401/);

  await signIn(page);
  await page.goto('/admin');
  await page.getByText('Menú').press('Enter');
  await page.getByRole('link', { name: 'Mi cuenta' }).press('Enter');
  await page.getByRole('link', { name: 'Verificación en dos pasos' }).press('Enter');
  await typeInto(page.getByLabel('Contraseña actual'), PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByTestId('admin-qr').waitFor();
  await expectAccessible(page);
  const secret = ((await page.getByTestId('admin-secret').textContent()) ?? '').replaceAll(' ', '');
  await typeInto(page.getByLabel('Código de la aplicación'), codeOf(shop, secret));
  await page.keyboard.press('Enter');
  await page.getByTestId('admin-secrets').waitFor();
  await page.getByText('Menú').press('Enter');
  await page.getByRole('button', { name: 'Salir' }).press('Enter');

  await typeInto(page.getByLabel('Usuario'), 'admin');
  await typeInto(page.getByLabel('Contraseña'), PASSWORD);
  await page.keyboard.press('Enter');
  await typeInto(page.getByLabel('Código'), 'abcdef');
  await page.keyboard.press('Enter');
  await page.locator('#code-error').waitFor();
  await expectAccessible(page);
  await typeInto(page.getByLabel('Código'), codeOf(shop, secret, 1));
  await page.keyboard.press('Enter');
  await page.getByTestId('admin-in-review').waitFor();
});
