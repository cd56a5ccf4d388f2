import { expect, test } from '@jest/globals';
import { expectAccessible, expectAccessibleInAll } from '../../../../test/support/audit.js';
import { openVisit } from '../../../../test/support/browser.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { PHONE, signIn } from '../../../../test/support/steps.js';
import { PASSWORD } from '../../../../test/support/test-shop.js';
import { typeInto } from '../../../../test/support/typing.js';

const shop = await openFileShop();

test('a merchant on a phone changes a price by keyboard, and the page meets WCAG 2.2 AA', async () => {
  const visit = await openVisit(shop, PHONE);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);

  await signIn(page);
  await page.goto('/admin');
  await page.getByText('Menú').press('Enter');
  await page.getByRole('link', { name: 'Productos' }).press('Enter');
  await page.getByRole('link', { name: 'Taza de talavera azul' }).press('Enter');
  await typeInto(page.locator('#price'), '1.099,00');
  await page.getByTestId('admin-save').press('Enter');
  await page.locator('#price-error').waitFor();
  await expectAccessible(page);
  await typeInto(page.locator('#price'), '300');
  await page.getByTestId('admin-save').press('Enter');
  await page.getByTestId('admin-result').waitFor();
  expect(await page.getByTestId('admin-history').textContent()).toContain('$289.00 → $300.00');
});

test('what a merchant typed while the session ended is in the form again after the sign-in, and is saved', async () => {
  const { page } = await openVisit(shop, PHONE);
  await signIn(page);
  await page.goto('/admin/products/molcajete-basalto');
  await typeInto(page.locator('#price'), '312.50');
  await page.locator('#visible').uncheck();
  await shop.queries.deleteFrom('sessions').execute();

  await page.getByTestId('admin-save').click();
  await page.getByTestId('admin-returns').waitFor();
  await page.getByLabel('Usuario').fill('admin');
  const password = page.getByLabel('Contraseña', { exact: true });
  await password.fill(PASSWORD);
  await page.getByRole('button', { name: 'Mostrar la contraseña' }).click();
  expect(await password.getAttribute('type')).toBe('text');
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByText('Tu sesión había terminado').waitFor();

  expect(await page.locator('#price').inputValue()).toBe('312.50');
  expect(await page.locator('#visible').isChecked()).toBe(false);
  await page.getByTestId('admin-save').click();
  await page.getByTestId('admin-result').waitFor();
  const stored = shop.queries.selectFrom('products').select(['price', 'visible']).where('id', '=', 'molcajete-basalto');
  expect(await stored.executeTakeFirst()).toEqual({ price: 31_250, visible: 0 });
  await page.reload();
  expect(await page.getByText('Tu sesión había terminado').count()).toBe(0);
});

test('a merchant on a phone filters the list and saves prices and stocks of several products at once', async () => {
  const visit = await openVisit(shop, PHONE);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);
  const row = (name: string) => page.getByRole('group', { name });

  await signIn(page);
  await page.goto('/admin/products');
  await page.getByLabel('Mostrar').selectOption('low');
  await page.getByRole('button', { name: 'Buscar productos' }).press('Enter');
  await page.waitForURL(/filter=low/);
  expect(await row('Taza de talavera').count()).toBe(0);
  await row('Huipil bordado').getByLabel('Precio').fill('1.5,0');
  await row('Guitarra clásica').getByLabel('Existencias').fill('90');
  await page.getByTestId('admin-save').press('Enter');
  await page.locator('#errors:focus').waitFor();
  await expectAccessible(page);
  await row('Huipil bordado').getByLabel('Precio').fill('1,500');
  await row('Guitarra clásica').getByLabel('La nueva existencia es correcta').check();
  await page.getByTestId('admin-save').press('Enter');
  await page.getByTestId('admin-result').waitFor();

  expect(await row('Guitarra clásica').count()).toBe(0);
  expect(await row('Huipil bordado').getByLabel('Precio').inputValue()).toBe('1500.00');
  await expectAccessibleInAll(page);
});

test('a merchant who leaves the list with typed prices by page, filter or link is asked, stays or leaves, and is not asked after saving', async () => {
  const { page } = await openVisit(shop, PHONE);
  await signIn(page);
  const asked: string[] = [];
  let answer: 'accept' | 'dismiss' = 'dismiss';
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    return dialog[answer]();
  });
  await page.goto('/admin/products');
  const price = page.locator('[name="price:rebozo-santa-maria"]');
  await typeInto(price, '305.50');

  await page.locator('.admin-find [type="submit"]').click();
  await page.getByRole('link', { name: 'Rebozo' }).click();
  await page.locator('.menu summary').click();
  await page.locator('.sign-out button').click();
  expect([asked.length, await price.inputValue()]).toEqual([3, '305.50']);
  expect(asked[0]).toContain('no está guardado');

  await page.getByTestId('admin-save').click();
  await page.getByTestId('admin-result').waitFor();
  await page.getByRole('link', { name: 'Rebozo' }).click();
  await page.waitForURL('**/admin/products/rebozo-santa-maria');
  expect(asked.length).toBe(3);

  answer = 'accept';
  await typeInto(page.locator('#price'), '99');
  await page.getByRole('link', { name: 'Ver en la tienda' }).click();
  await page.waitForURL('**/products/rebozo*');
  expect(asked.length).toBe(4);
});
