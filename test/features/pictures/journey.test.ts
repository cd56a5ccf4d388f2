import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { PASSWORD } from '../../support/admin.js';
import { expectAccessible } from '../../support/audit.js';
import { openVisit } from '../../support/browser.js';
import { openFileShop } from '../../support/shared-shop.js';
import { typeInto } from '../../support/typing.js';

const shop = await openFileShop();

const photo = (background: string) =>
  sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .jpeg()
    .toBuffer();

test('WCAG 2.2 AA is met by the pages on which a merchant creates a product and uploads two photos, which customers then see', async () => {
  const visit = await openVisit(shop);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);
  await page.goto('/admin');
  await typeInto(page.getByLabel('Usuario'), 'admin');
  await typeInto(page.getByLabel('Contraseña'), PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByTestId('admin-sales').waitFor();

  await page.goto('/admin/products');
  await page.getByRole('link', { name: 'Nuevo producto' }).click();
  await page.getByTestId('admin-create').click();
  await page.locator('#errors:focus').waitFor();
  await expectAccessible(page);
  await page.locator('#name_es_mx').fill('Jabón de avena');
  await page.locator('#category_es_mx').fill('Jabones');
  await page.locator('#price').fill('45.50');
  await page.locator('#visible').check();
  await page.getByTestId('admin-create').click();
  await page.getByTestId('admin-pictures').click();
  for (const color of ['#c96', '#369']) {
    const { length } = await page.locator('.admin-picture').all();
    await page.getByTestId('admin-upload').click();
    await page.locator('#errors:focus').waitFor();
    if (length === 1) await expectAccessible(page);
    const file = { name: 'foto.jpg', mimeType: 'image/jpeg', buffer: await photo(color) };
    await page.locator(`#file_${length}`).setInputFiles(file);
    await page.locator(`#image_alt_es_mx_${length}`).fill(`Jabón ${color}`);
    await page.getByTestId('admin-upload').click();
    await page.getByTestId('admin-result').waitFor();
    expect(await page.locator('.admin-picture').all()).toHaveLength(length + 1);
  }
  await expectAccessible(page);

  await page.goto('/products/jabon-de-avena');
  await page.getByTestId('gallery').getByRole('img').scrollIntoViewIfNeeded();
  await expectAccessible(page);
  const widths = await page.evaluate<readonly number[]>(
    `Promise.all([...document.querySelectorAll('main img')].map((img) => img.decode().then(() => img.naturalWidth)))`,
  );
  expect(widths.map((width) => width > 0)).toEqual([true, true]);
});
