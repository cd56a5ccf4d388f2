import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { expectAccessible } from '../../support/audit.js';
import { openVisit } from '../../support/browser.js';
import { MUG } from '../../support/catalog.js';
import { openFileShop } from '../../support/shared-shop.js';
import { signIn } from '../../support/steps.js';

const shop = await openFileShop();

const photo = (background: string) =>
  sharp({ create: { width: 900, height: 600, channels: 3, background } })
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
