import { expect, test } from '@jest/globals';
import { openVisit } from '../../../support/browser.js';
import { SHIPPED } from '../../../support/catalog.js';
import { contact } from '../../../support/customer.js';
import { openSharedShop } from '../../../support/shared-shop.js';
import { checkoutValues, choosePickup, fillCheckout, HOSTED_PAGE } from '../../../support/steps.js';

const shop = await openSharedShop({ foreignGateway: true });

test('without JavaScript the card page states that it needs JavaScript, shows no card fields, and leads back to the filled hosted form', async () => {
  const { page } = await openVisit(shop, { javaScriptEnabled: false });
  await fillCheckout(page, SHIPPED);
  await choosePickup(page);
  await page.getByTestId('choose-card').click();
  expect(await page.locator('noscript, .notice').first().textContent()).toContain('JavaScript');
  for (const hidden of ['#card-number-input', '#cvv-input', '#card-pay'])
    expect([hidden, await page.locator(hidden).isVisible()]).toEqual([hidden, false]);
  await page.getByRole('button', { name: 'Paga sin escribirlos aquí' }).click();
  await page.getByTestId('pay-hosted').waitFor();
  expect(await checkoutValues(page)).toMatchObject({ ...contact, shipping_option: 'pickup' });
  await page.getByTestId('pay-hosted').click();
  await page.waitForURL(HOSTED_PAGE, { waitUntil: 'commit' });
});
