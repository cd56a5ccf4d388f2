/** Further states of the form of pictures. */
import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { expectAccessible } from '../../../../../test/support/audit.js';
import { openVisit } from '../../../../../test/support/browser.js';
import { MUG } from '../../../../../test/support/catalog.js';
import { openFileShop } from '../../../../../test/support/shared-shop.js';
import { PHONE, signIn } from '../../../../../test/support/steps.js';
import { PASSWORD } from '../../../../../test/support/test-shop.js';

const shop = await openFileShop();

const photo = (background: string) =>
  sharp({ create: { width: 90, height: 60, channels: 3, background } })
    .jpeg()
    .toBuffer();

test('WCAG 2.2 AA is met by the page on which a merchant uploads two photos of a product, which customers then see', async () => {
  const visit = await openVisit(shop);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);
  await signIn(page);
  await page.goto(`/admin/products/${MUG}/pictures`);
  const before = await page.locator('.admin-picture').count();
  for (const color of ['#c96', '#369']) {
    const { length } = await page.locator('.admin-picture').all();
    await page.getByTestId('admin-upload').click();
    await page.locator('#errors:focus').waitFor();
    if (length > before) await expectAccessible(page);
    const file = { name: 'foto.jpg', mimeType: 'image/jpeg', buffer: await photo(color) };
    await page.locator(`#file_${length}`).setInputFiles(file);
    await page.locator(`#image_alt_es_mx_${length}`).fill(`Taza ${color}`);
    await page.getByTestId('admin-upload').click();
    await page.getByTestId('admin-result').waitFor();
    expect(await page.locator('.admin-picture').all()).toHaveLength(length + 1);
  }
  await expectAccessible(page);

  await page.goto('/products/taza-de-talavera');
  await page.getByTestId('gallery').getByRole('img').last().scrollIntoViewIfNeeded();
  await expectAccessible(page);
  const widths = await page.evaluate<readonly number[]>(
    `Promise.all([...document.querySelectorAll('.slides img')].map((img) => img.decode().then(() => img.naturalWidth)))`,
  );
  expect(widths.map((width) => width > 0)).toEqual([true, true, true]);
});

test('of several photos a damaged one is named at its field, and those before it are stored', async () => {
  const visit = await openVisit(shop, PHONE);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);
  await signIn(page);
  await page.goto('/admin/products/papel-picado/pictures');
  const before = await page.locator('.admin-picture').count();
  const buffers = [await photo('#c96'), Buffer.from('no picture'), await photo('#369')];
  const files = buffers.map((buffer, index) => ({ name: `${index}.jpg`, mimeType: 'image/jpeg', buffer }));

  await page.locator(`#file_${before}`).setInputFiles(files);
  await page.getByTestId('admin-upload').click();
  await page.locator('#errors:focus').waitFor();

  expect(await page.locator('.admin-picture').count()).toBe(before + 1);
  expect(await page.locator(`#file_${before + 1}-error`).textContent()).toContain('no es una imagen');
});

test('a text of the second picture that was typed before the session ended is restored at that picture, the page asks for its file again, and its buttons stay', async () => {
  const { page } = await openVisit(shop);
  const id = 'rebozo-santa-maria';
  const further = { productId: id, position: 1, image: '/logo.svg', texts: JSON.stringify({ 'es-MX': 'Logo' }) };
  await shop.queries.insertInto('productPictures').values(further).execute();
  await signIn(page);
  await page.goto(`/admin/products/${id}/pictures`);
  await page.locator('#image_alt_es_mx_1').fill('Detalle');
  await page.locator('#file_1').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: await photo('#369') });
  await shop.queries.deleteFrom('sessions').execute();

  await page.getByRole('button', { name: 'Guardar' }).nth(1).click();
  await page.getByLabel('Usuario').fill('admin');
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByText('Tu sesión había terminado').waitFor();
  expect(await page.getByText('elígelo otra vez').count()).toBe(2);
  await page.getByRole('button', { name: 'Guardar' }).nth(1).click();
  await page.getByTestId('admin-result').waitFor();

  const pictures = await shop.queries
    .selectFrom('productPictures')
    .select('texts')
    .where('productId', '=', id)
    .execute();
  expect(pictures.map(({ texts }) => JSON.parse(texts))).toMatchObject([{ 'es-MX': 'Detalle' }]);
});
