import { afterAll, expect, test } from 'vitest';
import { expectAccessible } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { fillCart } from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

const shop = await openTestShop();
afterAll(async () => shop[Symbol.asyncDispose]());

test('the text is readable with a light and a dark main color of the shop', async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  let color = '';
  await page.route('**/shop.css*', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/--brand: #\w+;/, `--brand: ${color};`);
    await route.fulfill({ response, body });
  });
  await fillCart(page);

  for (color of ['#ffd400', '#0b1f66']) {
    for (const path of ['/products/taza-de-talavera', '/checkout']) {
      await page.goto(path);
      const brand = await page.evaluate(
        `getComputedStyle(document.documentElement).getPropertyValue('--brand').trim()`,
      );
      expect(brand).toBe(color);
      await expectAccessible(page);
    }
  }
});
