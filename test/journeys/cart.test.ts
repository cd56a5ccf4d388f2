import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { audit } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { cartContents } from '../support/inspect.js';
import { addByHand } from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

/** Marks the page, so that a page that was loaded anew is known by the missing mark. */
async function markPage(page: Page): Promise<() => Promise<boolean>> {
  // The page's script has run by then.
  await page.waitForLoadState('domcontentloaded');
  await page.evaluate('globalThis.samePage = true');
  return async () => (await page.evaluate('globalThis.samePage')) === true;
}

describe('the cart with JavaScript', () => {
  test('changes in place: lines, total and the number in the header, told to screen readers, focus kept', async () => {
    await using shop = await openTestShop();
    await using visit = await openVisit(shop);
    const { page } = visit;
    await addByHand(page, 'molcajete-de-basalto');
    await addByHand(page, 'taza-de-talavera');
    const isSamePage = await markPage(page);

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

  test('takes a typed quantity without the button, the last of several', async () => {
    await using shop = await openTestShop();
    await using visit = await openVisit(shop);
    const { page } = visit;
    await addByHand(page, 'taza-de-talavera');
    const isSamePage = await markPage(page);

    await page.locator('#quantity-taza-talavera').focus();
    for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('ArrowUp');
    await page.getByRole('status').filter({ hasText: '5 artículos' }).waitFor();

    expect(await isSamePage()).toBe(true);
    expect(await cartContents(shop)).toEqual({ 'taza-talavera': 5 });
  });

  test('shows at its field why a quantity was refused, and keeps what was typed', async () => {
    await using shop = await openTestShop();
    await using visit = await openVisit(shop);
    const { page } = visit;
    visit.expectTrouble(/^console error: Failed to load resource: .* 422/);
    await addByHand(page, 'taza-de-talavera');
    const isSamePage = await markPage(page);

    await page.locator('#quantity-taza-talavera').fill('100');
    await page.keyboard.press('Enter');
    await page.locator('#quantity-taza-talavera-error').waitFor();

    expect(await page.locator('#quantity-taza-talavera').inputValue()).toBe('100');
    expect(await isSamePage()).toBe(true);
    expect(await cartContents(shop)).toEqual({ 'taza-talavera': 1 });
  });

  test('posts the form as ever when the shop cannot be reached that way', async () => {
    await using shop = await openTestShop();
    await using visit = await openVisit(shop);
    const { page } = visit;
    visit.expectTrouble(/^console error: Failed to load resource/);
    await addByHand(page, 'taza-de-talavera');
    const isSamePage = await markPage(page);

    await page.route('**/cart/items/*', (route) => route.abort(), { times: 1 });
    await page.locator('#quantity-taza-talavera').fill('2');
    await page.locator('#update-taza-talavera').click();
    await page.locator('#quantity-taza-talavera[value="2"]').waitFor();

    expect(await isSamePage()).toBe(false);
    expect(await cartContents(shop)).toEqual({ 'taza-talavera': 2 });
  });
});
