/** Steps of tests in which a customer changes the only cart of a shop. */
import type { Page } from 'playwright-core';
import type { Visit } from './browser.js';
import { MUG } from './catalog.js';
import { fillCart } from './steps.js';
import type { TestShop } from './test-shop.js';

export const OTHER = 'molcajete-basalto';

export const quantityOf = (page: Page, id = MUG) => page.locator(`#quantity-${id}`);
export const goToCheckout = (page: Page) => page.getByTestId('go-to-checkout').click();
export const isAtCheckout = (page: Page) => page.getByTestId('pay-hosted').waitFor();

export async function checkOut(page: Page): Promise<void> {
  await goToCheckout(page);
  await isAtCheckout(page);
}

/** Opens the only cart of the shop, with one piece of the mug and of each product. */
export async function openOnlyCart(shop: TestShop, page: Page, ...products: readonly string[]): Promise<void> {
  await shop.queries.deleteFrom('cartLines').execute();
  for (const product of [MUG, ...products]) await fillCart(page, product);
  await page.goto('/cart');
}

/** Holds the first request that the cart sends with its script. `release` lets it through. */
export async function holdFirstSave({ page }: Visit) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/cart', (route) => released.then(() => route.continue()), { times: 1 });
  const held = page.waitForRequest((request) => request.method() === 'POST');
  return { held, release };
}
