import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { expectAccessible } from '../../../../test/support/audit.js';
import { openVisit } from '../../../../test/support/browser.js';
import { hasFeature } from '../../../../test/support/features.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { PHONE, signIn } from '../../../../test/support/steps.js';

const shop = await openFileShop();

const photo = (background: string) =>
  sharp({ create: { width: 90, height: 60, channels: 3, background } })
    .jpeg()
    .toBuffer();

test('a merchant uploads three photos at once, the large one made smaller, makes the last one first, and is asked before removal', async () => {
  const path = '/admin/products/molcajete-basalto/pictures';
  const { page, sent } = await openVisit(shop, PHONE);
  await signIn(page);
  await page.goto(path);
  const large = await sharp({ create: { width: 3000, height: 60, channels: 3, background: '#936' } })
    .jpeg()
    .toBuffer();
  const buffers = [await photo('#c96'), await photo('#369'), large];
  const files = buffers.map((buffer, index) => ({ name: `${index}.jpg`, mimeType: 'image/jpeg', buffer }));
  const before = await page.locator('.admin-picture').count();

  await page.locator(`#file_${before}`).setInputFiles(files);
  await page.getByTestId('admin-upload').click();
  await page.getByTestId('admin-result').waitFor();

  expect(await page.locator('.admin-picture').count()).toBe(before + 3);
  expect(sent.filter((each) => each.startsWith('POST') && each.endsWith('/pictures'))).toHaveLength(3);
  const texts = await page.locator(`#image_alt_es_mx_${before + 2}`).inputValue();
  expect(texts).toBe(await page.locator(`#image_alt_es_mx_${before + 1}`).inputValue());
  expect(texts).toContain('Molcajete');
  const srcOf = (place: number) => page.locator('.admin-picture').nth(place).getAttribute('src');
  const last = await srcOf(before + 2);
  await page.locator('button[value="first"]').last().click();
  await page.getByTestId('admin-result').waitFor();
  expect(await srcOf(0)).toBe(last);

  const removal = page.locator('button[value="remove"]').first();
  expect(await removal.isVisible()).toBe(false);
  await page.locator('summary', { hasText: 'Quitar: Imagen 1' }).press('Enter');
  await expectAccessible(page);
  await removal.click();
  await page.waitForURL('**/pictures?result=saved');
  expect(await page.locator('.admin-picture').count()).toBe(before + 2);
});

(hasFeature('product-editor') ? test : test.skip)(
  'a merchant on a phone creates a product with three photos, which a refused price does not lose, and the pages meet WCAG 2.2 AA',
  async () => {
    const visit = await openVisit(shop, PHONE);
    const { page, sent } = visit;
    visit.expectTrouble(/^console error: Failed to load resource: .* 422/);
    await signIn(page);
    await page.goto('/admin/products-new');
    const buffers = await Promise.all(['#c96', '#369', '#693'].map(photo));
    const files = buffers.map((buffer, index) => ({ name: `${index}.jpg`, mimeType: 'image/jpeg', buffer }));
    await page.locator('#file').setInputFiles(files);
    await page.locator('#name_es_mx').fill('Florero de barro');
    await page.locator('#category_es_mx').fill('Barro');
    await page.locator('#price').fill('gratis');
    await page.getByTestId('admin-create').click();
    await page.locator('#errors:focus').waitFor();
    await expectAccessible(page);
    expect(
      await page.locator('#file').evaluate((field) => (field as unknown as { files: { length: number } }).files.length),
    ).toBe(3);
    expect(await page.getByText('Elige otra vez').count()).toBe(0);

    await page.locator('#price').fill('189');
    await page.getByTestId('admin-create').click();
    await page.waitForURL('**/florero-de-barro/pictures?result=saved');
    await expectAccessible(page);

    expect(await page.locator('.admin-picture').count()).toBe(3);
    for (const place of [0, 1, 2])
      expect(await page.locator(`#image_alt_es_mx_${place}`).inputValue()).toBe('Florero de barro');
    expect(sent.filter((each) => each.startsWith('POST') && /products-new|florero/.test(each))).toHaveLength(4);
    await page.goto('/products/florero-de-barro');
    await page.getByTestId('add-to-cart').waitFor();
  },
);
