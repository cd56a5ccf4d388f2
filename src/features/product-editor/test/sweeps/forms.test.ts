/** Further forms of products: that of variants, and one that a sign-in restores. */
import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { expectAccessible } from '../../../../../test/support/audit.js';
import { openVisit } from '../../../../../test/support/browser.js';
import { openFileShop } from '../../../../../test/support/shared-shop.js';
import { PHONE, signIn } from '../../../../../test/support/steps.js';
import { PASSWORD } from '../../../../../test/support/test-shop.js';
import { typeInto } from '../../../../../test/support/typing.js';

const shop = await openFileShop();

test('a merchant on a phone makes variants of a product and changes all of them in one form', async () => {
  const visit = await openVisit(shop, PHONE);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);

  await signIn(page);
  await page.goto('/admin/products/jarra-barro-negro');
  await page.getByTestId('admin-add-variant').press('Enter');
  await page.locator('#variant_es_mx').fill('grande');
  await page.locator('#variant_es_mx-new').fill('chica');
  await page.locator('#stock-new').fill('3');
  await page.getByTestId('admin-save').press('Enter');
  await page.getByTestId('admin-result').waitFor();
  await page.getByRole('group', { name: 'chica', exact: true }).getByLabel('Precio', { exact: true }).fill('1.5,0');
  await page.getByRole('group', { name: 'grande', exact: true }).getByLabel('Existencias').fill('7');
  await page.getByTestId('admin-save').press('Enter');
  await page.locator('#price-2-error').waitFor();
  await expectAccessible(page);
  await page.locator('#price-2').fill('199');
  await page.getByTestId('admin-save').press('Enter');
  await page.getByTestId('admin-result').waitFor();

  expect(await page.locator('#stock').inputValue()).toBe('7');
  await page.getByRole('link', { name: /, chica$/ }).press('Enter');
  expect(await page.getByTestId('admin-history').textContent()).toContain('→ $199.00');
  await expectAccessible(page);
});

test('what was typed before a session ended overwrites neither a sale nor the price of another manager', async () => {
  const visit = await openVisit(shop, PHONE);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 409/);
  const ofProduct = { id: 'huipil-istmo', price: 141_000, stock: 3 };
  await signIn(page);
  await page.goto(`/admin/products/${ofProduct.id}`);
  await typeInto(page.locator('#description_es_mx'), 'Curado a mano');
  await shop.queries.deleteFrom('sessions').execute();
  const changed = shop.queries.updateTable('products').where('id', '=', ofProduct.id);
  await changed.set((eb) => ({ price: centavos(141_000), stock: 3, version: eb('version', '+', 1) })).execute();

  await page.getByTestId('admin-save').click();
  await page.getByLabel('Usuario').fill('admin');
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByText('Tu sesión había terminado').waitFor();
  await page.getByTestId('admin-save').click();
  await page.getByText('Tu sesión había terminado').waitFor({ state: 'detached' });

  const stored = shop.queries.selectFrom('products').select(['id', 'price', 'stock']).where('id', '=', ofProduct.id);
  expect(await stored.executeTakeFirst()).toEqual(ofProduct);
  expect(await page.locator('#description_es_mx').inputValue()).toBe('Curado a mano');
});
