/** Further choices of a variant on the page of a product. */
import { beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openVisit, type Visit } from '../support/browser.js';
import { numbers, until } from '../support/crowd.js';
import { openFileShop } from '../support/shared-shop.js';
import { PHONE } from '../support/steps.js';
import { typeInto } from '../support/typing.js';
import { importVariants, ROWS } from '../support/variants.js';

const shop = await openFileShop();
const GREEN = 'playera-verde';

await importVariants(shop);
let page: Page;
let visit: Visit;
beforeEach(async () => {
  visit = await openVisit(shop, PHONE);
  page = visit.page;
});

const variant = (text: string) => page.getByTestId('variants').getByRole('link', { name: text });

test('a sold-out variant says so in the choice and in place of the button, and the next one has the typed quantity', async () => {
  await page.goto('/products/playera-roja');
  await typeInto(page.locator('#quantity'), '3');

  await variant('azul').click();
  await page.getByTestId('sold-out').waitFor();

  expect(await variant('azul').textContent()).toContain('Agotado');
  expect(await page.getByTestId('add-to-cart').count()).toBe(0);
  await variant('verde').click();
  await page.waitForURL(`**/products/${GREEN}`);
  expect(await page.locator('#quantity').inputValue()).toBe('3');
});

test('of two choices in a row the last one is shown, and one that does not load opens as a page', async () => {
  visit.expectTrouble(/^console error: Failed to load resource/);
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/products/playera-azul', async (route) => {
    await isReleased;
    await route.continue().catch(() => undefined);
  });
  await page.goto('/products/playera-roja');
  await variant('azul').click();
  await variant('verde').click();
  await page.waitForURL(`**/products/${GREEN}`);
  release();
  await page.route('**/products/playera-roja', (route) =>
    route.request().isNavigationRequest() ? route.continue() : route.abort(),
  );

  await variant('roja').click();
  await page.waitForURL('**/products/playera-roja#choice');

  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Playera, roja');
});

test('of many variants the current one is in view, and the list does not move with a choice', async () => {
  const sizes = numbers(20).map((size) => ({
    ...{ ...ROWS[0], id: `playera-talla-${size}`, variant_es_mx: `talla ${size}` },
    variant_of: size === 0 ? '' : 'playera-talla-0',
  }));
  await importVariants(shop, sizes);
  await page.goto('/products/playera-talla-19');
  const isInView = () =>
    page.locator('.variants [aria-current]').evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      return left >= 0 && right <= element.ownerDocument.documentElement.clientWidth;
    });
  const listLeft = () => page.locator('.variants').evaluate(({ scrollLeft }) => scrollLeft);
  await until(isInView);
  const before = await listLeft();

  await variant('talla 18').click();
  await page.waitForURL('**/products/playera-talla-18');

  expect([await isInView(), await listLeft()]).toEqual([true, before]);
});
