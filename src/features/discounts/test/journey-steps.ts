import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { theOrder } from '../../../../test/support/inspect.js';
import { cards, fillContact, payWith, submitHosted, untilOrderIs } from '../../../../test/support/steps.js';
import type { TestShop } from '../../../../test/support/test-shop.js';

/** From the cart with a code to its paid order, which shows the discount. */
export async function payDiscounted(shop: TestShop, page: Page): Promise<void> {
  await page.getByTestId('go-to-checkout').click();
  await fillContact(page);
  await submitHosted(page);
  await payWith(page, cards.succeeds);
  await untilOrderIs(page, 'paid');
  expect(await page.getByTestId('discount').textContent()).toContain('−$28.90');
  expect(await theOrder(shop)).toMatchObject({ state: 'paid', total: 260_10, discountCode: 'DIEZ' });
}
