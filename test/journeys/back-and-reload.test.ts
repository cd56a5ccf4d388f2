import { expect, test } from '@jest/globals';
import { openVisit } from '../support/browser.js';
import { expectFields, moves } from '../support/history.js';
import { openSharedShop } from '../support/shared-shop.js';
import { typeInto } from '../support/typing.js';

const shop = await openSharedShop({ foreignGateway: true });

test('at the sign-in Back and reload post nothing, and the page keeps its error and the typed name', async () => {
  const visit = await openVisit(shop);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 401/);
  await page.goto('/admin/sign-in');
  await typeInto(page.getByLabel('Usuario'), 'admin');
  await typeInto(page.getByLabel('Contraseña'), 'una clave equivocada');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/admin/sign-in?answer=1');

  await moves(visit, 'reload');

  await page.locator('#password-error').waitFor();
  await expectFields(page, { name: 'admin', password: '' });
  await moves(visit, 'goBack', '**/admin/sign-in');
  await moves(visit, 'reload');
  expect(await page.locator('#password-error').count()).toBe(0);
});
