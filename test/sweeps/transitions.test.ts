import { expect, test } from '@jest/globals';
import { openVisit } from '../support/browser.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop();
const SLUG = 'taza-de-talavera';

test('catalog and products cross-fade, and no other page does, nor with reduced motion', async () => {
  const fades = async (reducedMotion: 'reduce' | 'no-preference') => {
    const { page } = await openVisit(shop, { reducedMotion });
    await page.addInitScript(`addEventListener('pagereveal', ({ viewTransition }) => {
      globalThis.fades = viewTransition !== null;
    })`);
    const found: unknown[] = [];
    const follow = async (selector: string, path: RegExp) => {
      await page.locator(selector).first().click();
      await page.waitForURL(path);
      await page.waitForFunction('globalThis.fades !== undefined');
      found.push(await page.evaluate('globalThis.fades'));
    };
    await page.goto('/');
    await follow(`a[href="/products/${SLUG}"]`, /products/);
    await follow('.breadcrumb a', /\/$/);
    await follow('.cart-link', /cart/);
    await follow('.brand', /\/$/);
    return found;
  };

  expect(await fades('no-preference')).toEqual([true, true, false, false]);
  expect(await fades('reduce')).toEqual([false, false, false, false]);
});
