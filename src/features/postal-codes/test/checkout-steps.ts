/** Steps of the tests in which a customer types a postal code. */
import type { Page } from 'playwright-core';
import { openVisit } from '../../../../test/support/browser.js';
import { SHIPPED } from '../../../../test/support/catalog.js';
import { fillCart } from '../../../../test/support/steps.js';
import type { TestShop } from '../../../../test/support/test-shop.js';
import { SCREENS, typeKeys } from '../../../../test/support/typing.js';

/** Opens the checkout with a cart that is shipped. */
export async function openCheckout(shop: TestShop) {
  const visit = await openVisit(shop, SCREENS.phone);
  await fillCart(visit.page, SHIPPED);
  await visit.page.goto('/checkout');
  return visit;
}

export const code = (page: Page) => page.locator('#postal_code');
export const municipality = (page: Page) => page.locator('#municipality');

/** Types a code, and waits until the page has its answer, and that of a request after it. */
export async function typeAnswered(page: Page, asked: string): Promise<void> {
  await Promise.all([page.waitForResponse(`**/postal-codes/${asked}`), typeKeys(code(page), asked)]);
  await page.evaluate(`fetch('/postal-codes/${asked}').then((answer) => answer.text())`);
}

/** Waits until the neighborhoods of the code are offered. */
export const offered = (page: Page, first: string) =>
  page.locator(`#neighborhood-list option:text-is("${first}")`).waitFor({ state: 'attached' });

/** Returns state and municipality, and the offered municipalities and neighborhoods. */
export const place = async (page: Page) => [
  await page.locator('#state').inputValue(),
  await municipality(page).inputValue(),
  await page.locator('#municipality-list option').allTextContents(),
  await page.locator('#neighborhood-list option').allTextContents(),
];

/** Holds the answer to a code until `release`, which resolves when the browser has it. */
export async function holdAnswer(page: Page, asked: string) {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  await page.route(`**/postal-codes/${asked}`, async (route) => {
    const response = await route.fetch();
    await opened;
    await route.fulfill({ response });
  });
  return {
    async release() {
      open();
      await page.unrouteAll({ behavior: 'wait' });
    },
  };
}
