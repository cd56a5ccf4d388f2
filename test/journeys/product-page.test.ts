import { beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/audit.js';
import { openVisit, type Visit } from '../support/browser.js';
import { until } from '../support/crowd.js';
import { cartContents } from '../support/inspect.js';
import { openFileShop } from '../support/shared-shop.js';
import { PHONE } from '../support/steps.js';
import { typeInto } from '../support/typing.js';
import { importVariants } from '../support/variants.js';

const shop = await openFileShop();
const GREEN = 'playera-verde';

await importVariants(shop);
const pictures = ['/favicon.svg', '/garland.svg'].map((image, index) => ({
  ...{ productId: 'playera-roja', position: index + 1, image },
  texts: JSON.stringify({ 'es-MX': `Detalle ${index + 1}` }),
}));
await shop.queries.insertInto('productPictures').values(pictures).execute();

let page: Page;
let visit: Visit;
beforeEach(async () => {
  visit = await openVisit(shop, PHONE);
  page = visit.page;
});

const variant = (text: string) => page.getByTestId('variants').getByRole('link', { name: text });
const top = () => page.getByTestId('variants').evaluate((element) => element.getBoundingClientRect().top);
const currentSlide = () => page.locator('.thumbnails [aria-current="true"]').getAttribute('href');

test('a customer on a phone has choice and button in view, and changes the variant in place with the typed quantity', async () => {
  await page.goto('/products/playera-roja');
  const { height } = page.viewportSize() ?? { height: 0 };
  const button = await page.getByTestId('add-to-cart').boundingBox();
  expect(button && button.y + button.height).toBeLessThanOrEqual(height);
  await typeInto(page.locator('#quantity'), '2');
  const before = await top();

  await variant('verde').click();
  await page.waitForURL(`**/products/${GREEN}`);

  expect([await top(), await page.locator('#quantity').inputValue()]).toEqual([before, '2']);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Playera, verde');
  expect(await page.title()).toContain('Playera, verde');
  expect(await page.evaluate('document.activeElement.getAttribute("aria-current")')).toBe('page');
  await expectAccessible(page);
  await page.getByTestId('add-to-cart').click();
  await page.waitForURL('**/cart');
  expect(await cartContents(shop)).toEqual({ [GREEN]: 2 });
  await page.goBack();
  expect(page.url()).toContain(GREEN);
});

test('the button adds no other variant while the chosen one loads', async () => {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/products/${GREEN}`, async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto('/products/playera-roja');
  await variant('verde').click();

  await page.getByTestId('add-to-cart').click({ force: true });
  release();
  await page.waitForURL(`**/products/${GREEN}`);
  await page.getByTestId('add-to-cart').click();
  await page.waitForURL('**/cart');

  expect(await cartContents(shop)).toEqual({ [GREEN]: 1 });
});

test('a variant has the pictures of its group; a customer chooses one, enlarges it, and closes it with the keyboard', async () => {
  await page.goto(`/products/${GREEN}`);
  const images = page.getByTestId('gallery').locator('.slides img');
  expect(await images.evaluateAll((all) => all.map(({ alt }: { alt: string }) => alt))).toEqual([
    ...['Una playera', 'Detalle 1', 'Detalle 2'],
  ]);

  await page.getByRole('link', { name: 'Imagen 3' }).click();
  await until(async () => (await currentSlide()) === '#picture-3');

  await page.getByRole('button', { name: 'Ampliar: Detalle 2' }).press('Enter');
  const dialog = page.getByTestId('enlarged');
  const enlarged = dialog.getByRole('img');
  expect(await enlarged.getAttribute('alt')).toBe('Detalle 2');
  await expectAccessible(page);
  await page.keyboard.press('ArrowRight');
  expect(await enlarged.getAttribute('alt')).toBe('Una playera');
  const { width = 0 } = (await enlarged.boundingBox()) ?? {};
  await dialog.getByRole('button', { name: 'Acercar' }).click();
  expect((await enlarged.boundingBox())?.width).toBe(2 * width);
  await page.keyboard.press('Escape');
  expect(await dialog.isVisible()).toBe(false);
  await until(async () => (await currentSlide()) === '#picture-1');
});

test('without JavaScript a choice opens the page of the variant at the choice, and the pictures scroll', async () => {
  const { page: plain } = await openVisit(shop, { ...PHONE, javaScriptEnabled: false });
  await plain.goto('/products/playera-roja');
  await plain.getByTestId('variants').getByRole('link', { name: 'verde' }).click();
  await plain.waitForURL(`**/products/${GREEN}#choice`);

  expect(await plain.getByTestId('add-to-cart').isVisible()).toBe(true);
  expect(await plain.getByTestId('enlarge').first().isVisible()).toBe(false);
  await plain.getByRole('link', { name: 'Imagen 2' }).click();
  await plain.getByRole('img', { name: 'Detalle 1' }).click({ trial: true });
});
