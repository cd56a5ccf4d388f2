import { expect, test } from '@jest/globals';
import { expectAccessible } from '../../../support/audit.js';
import { openVisit } from '../../../support/browser.js';
import { SHIPPED } from '../../../support/catalog.js';
import { openSharedShop } from '../../../support/shared-shop.js';
import { cards, fillCardPage, fillCart } from '../../../support/steps.js';

const shop = await openSharedShop({ foreignGateway: true });

test('WCAG 2.2 AA is met by the card page, with errors and filled', async () => {
  const { page } = await openVisit(shop);
  await fillCart(page, SHIPPED);
  await page.goto('/checkout/card');
  await page.getByTestId('pay-card').click();
  await page.locator('#card-problem').waitFor();
  await expectAccessible(page);
  await fillCardPage(page, cards.authorized);
  await expectAccessible(page);
  expect(await page.locator('[aria-invalid="true"]').count()).toBe(0);
});
