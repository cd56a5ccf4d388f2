import { expect, test } from '@jest/globals';
import { expectAccessible } from '../../../../test/support/audit.js';
import { openVisit } from '../../../../test/support/browser.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { PHONE, signIn } from '../../../../test/support/steps.js';

const shop = await openFileShop();

test('a merchant on a phone downloads the products, corrects a refused file, reviews it and applies it, and the pages meet WCAG 2.2 AA', async () => {
  const visit = await openVisit(shop, PHONE);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);
  await signIn(page);
  await page.goto('/admin/products');
  await page.getByRole('link', { name: 'Importar productos' }).click();
  const saved = page.waitForEvent('download');
  await page.getByTestId('admin-export').click();
  const stream = await (await saved).createReadStream();
  const exported = Buffer.concat(await stream.toArray()).toString();
  const choose = (text: string) =>
    page.locator('#file').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await expectAccessible(page);

  await choose(exported.replace(/,\d+\.\d\d,/, ',gratis,').replace(',745.50,', ',-1,'));
  await page.getByTestId('admin-preview-file').click();
  await page.locator('#errors:focus').waitFor();
  await expectAccessible(page);
  expect(await page.getByTestId('admin-problems').textContent()).toContain('Fila 2, price: "gratis"');

  await choose(exported.replace(',745.50,', ',755.50,'));
  await page.getByTestId('admin-preview-file').click();
  await page.getByTestId('admin-apply').waitFor();
  await expectAccessible(page);
  expect(await page.getByTestId('admin-preview').textContent()).toContain('$745.50 → $755.50');
  await page.getByTestId('admin-apply').click();
  await page.waitForURL('**/admin/products-import?result=applied');
  expect(await page.getByTestId('admin-result').textContent()).toContain('Aplicamos');
  await page.goto('/admin/products');
  expect(await page.locator('[id="price:jarra-barro-negro"]').inputValue()).toBe('755.50');
});
