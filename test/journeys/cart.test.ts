import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { audit } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { cartContents } from '../support/inspect.js';
import { fillCart } from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

const shop = await openTestShop();
afterAll(async () => shop[Symbol.asyncDispose]());
beforeEach(async () => {
  await shop.context.checkout.db.queries.deleteFrom('cartLines').execute();
});

/** Opens the cart with these products and marks the page. Returns whether it is still the same page. */
async function openCart(page: Page, ...products: readonly string[]): Promise<() => Promise<boolean>> {
  for (const product of products) await fillCart(page, product);
  await page.goto('/cart', { waitUntil: 'domcontentloaded' });
  await page.evaluate('globalThis.samePage = true');
  return async () => (await page.evaluate('globalThis.samePage')) === true;
}

test('the cart with JavaScript changes lines, total and count in place, announces them to screen readers, and keeps the focus', async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  const isSamePage = await openCart(page, 'molcajete-basalto', 'taza-talavera');

  await page.locator('#quantity-taza-talavera').fill('3');
  await page.locator('#update-taza-talavera').press('Enter');
  await page.getByRole('status').filter({ hasText: '4 artículos, total $1,466.80' }).waitFor();
  const focused = await page.evaluate('document.activeElement.id');
  await page.locator('#remove-molcajete-basalto').click();
  await page.getByRole('status').filter({ hasText: '3 artículos, total $867.00' }).waitFor();

  expect(focused).toBe('update-taza-talavera');
  expect(await page.evaluate('document.activeElement.id')).toBe('content');
  expect(await page.getByTestId('cart-count').textContent()).toBe('3');
  expect(await page.locator('.cart-line').count()).toBe(1);
  expect(await isSamePage()).toBe(true);
  expect(await cartContents(shop)).toEqual({ 'taza-talavera': 3 });
  expect(await audit(page)).toEqual([]);
});

test('the cart with JavaScript stores a typed quantity without the button, and shows at its field why a quantity is refused', async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);
  const isSamePage = await openCart(page, 'taza-talavera');
  const quantity = page.locator('#quantity-taza-talavera');

  await quantity.focus();
  for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('ArrowUp');
  await page.getByRole('status').filter({ hasText: '5 artículos' }).waitFor();
  await quantity.fill('100');
  await page.keyboard.press('Enter');
  await page.locator('#quantity-taza-talavera-error').waitFor();

  expect(await quantity.inputValue()).toBe('100');
  expect(await isSamePage()).toBe(true);
  expect(await cartContents(shop)).toEqual({ 'taza-talavera': 5 });
});

test('the cart with JavaScript posts the form when the request of the script fails', async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource/);
  const isSamePage = await openCart(page, 'taza-talavera');

  await page.route('**/cart/items/*', (route) => route.abort(), { times: 1 });
  await page.locator('#quantity-taza-talavera').fill('2');
  await page.locator('#update-taza-talavera').click();
  await page.locator('#quantity-taza-talavera[value="2"]').waitFor();

  expect(await isSamePage()).toBe(false);
  expect(await cartContents(shop)).toEqual({ 'taza-talavera': 2 });
});
