import { test } from '@jest/globals';
import { TOTP } from 'otpauth';
import { newTotpSecret } from '../../../src/admin/credentials.js';
import { updateAdminUser } from '../../../src/db/admin-users.js';
import { expectAccessible } from '../../support/audit.js';
import { openVisit } from '../../support/browser.js';
import { openFileShop } from '../../support/shared-shop.js';
import { PHONE, signIn } from '../../support/steps.js';
import { typeInto } from '../../support/typing.js';

const shop = await openFileShop();

test('WCAG 2.2 AA is met on a phone by the page of users, which shows a wrong code of a second factor', async () => {
  const secret = newTotpSecret();
  await updateAdminUser(shop.queries, 'admin', { totpSecret: secret, updatedAt: 1 });
  const visit = await openVisit(shop, PHONE);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 401/);

  await signIn(page);
  await typeInto(page.getByLabel('Código'), 'abcdef');
  await page.keyboard.press('Enter');
  await page.locator('#code-error').waitFor();
  await typeInto(page.getByLabel('Código'), new TOTP({ secret }).generate({ timestamp: shop.clock.now() }));
  await page.keyboard.press('Enter');
  await page.getByText('Menú').press('Enter');
  await page.getByRole('link', { name: 'Usuarios' }).press('Enter');
  await page.getByRole('cell', { name: 'Código incorrecto' }).waitFor();

  await expectAccessible(page);
});
