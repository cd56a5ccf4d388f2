import { expect, test } from '@jest/globals';
import { openVisit } from '../../../../../test/support/browser.js';
import { theOrder } from '../../../../../test/support/inspect.js';
import { openSharedShop } from '../../../../../test/support/shared-shop.js';
import { cards, fillCart, fillContact, typeCard, untilOrderIs } from '../../../../../test/support/steps.js';
import { typeInto } from '../../../../../test/support/typing.js';
import { addCode } from '../support.js';

const shop = await openSharedShop();

test('a card with 3D Secure pays an order with a code, and the shop charges the discounted total', async () => {
  await addCode(shop);
  const { page } = await openVisit(shop);
  await fillCart(page);
  await page.goto('/cart');
  await typeInto(page.locator('#code'), 'diez');
  await page.getByTestId('apply-code').click();
  await page.getByTestId('discount-code').waitFor();

  await page.goto('/checkout/card');
  await fillContact(page);
  await typeCard(page, cards.challenged);
  await page.getByTestId('pay-card').click();
  await page.waitForURL('**/bank/*', { waitUntil: 'commit' });
  await page.locator('button').first().click();

  await untilOrderIs(page, 'paid');
  expect(await page.getByTestId('discount').textContent()).toContain('−$28.90');
  expect(await theOrder(shop)).toMatchObject({ total: 260_10, discountCode: 'DIEZ' });
  expect(shop.control.ledger().map(({ amountMinor }) => amountMinor)).toEqual([260_10]);
});
