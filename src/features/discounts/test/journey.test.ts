import { expect, test } from '@jest/globals';
import { expectAccessible, expectAccessibleInAll } from '../../../../test/support/audit.js';
import { openVisit } from '../../../../test/support/browser.js';
import { SHIPPED } from '../../../../test/support/catalog.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { fillCart, PHONE, signIn } from '../../../../test/support/steps.js';
import { typeInto } from '../../../../test/support/typing.js';
import { payDiscounted } from './journey-steps.js';
import { addCode, deliverFor } from './support.js';

const shop = await openSharedShop();
const ERROR_422 = /^console error: Failed to load resource: .* 422/;

test('a merchant on a phone creates a code, after an error that meets WCAG 2.2 AA', async () => {
  const visit = await openVisit(shop, PHONE);
  const { page } = visit;
  visit.expectTrouble(ERROR_422);
  await signIn(page);
  await page.goto('/admin/discounts');

  await page.getByTestId('admin-create-discount').click();
  await page.locator('#errors:focus').waitFor();
  await expectAccessible(page);
  await typeInto(page.locator('#code'), 'diez');
  await typeInto(page.locator('#value'), '10');
  await page.getByTestId('admin-create-discount').click();
  await page.locator('[data-code="DIEZ"]').waitFor();
  await expectAccessibleInAll(page);
});

test('a customer on a phone corrects a code, buys with it, and the cart, the checkout and the receipt show the discount', async () => {
  await addCode(shop);
  const visit = await openVisit(shop, PHONE);
  const { page } = visit;
  visit.expectTrouble(ERROR_422);
  await fillCart(page);
  await page.goto('/cart');

  await typeInto(page.locator('#code'), 'once');
  await page.getByTestId('apply-code').click();
  await page.locator('#code-error').waitFor();
  await typeInto(page.locator('#code'), 'diez');
  await page.locator('#code').press('Enter');
  await page.getByTestId('discount-code').waitFor();
  await expectAccessible(page);

  await payDiscounted(shop, page);
  await expectAccessibleInAll(page);
});

test('the chosen shipping option changes the discount of a code that is worth at least the products', async () => {
  await addCode(shop, { value: 100 });
  await deliverFor(shop, 99);
  const { page } = await openVisit(shop, PHONE);
  await fillCart(page, SHIPPED);
  await page.goto('/cart');
  await typeInto(page.locator('#code'), 'diez');
  await page.locator('#code').press('Enter');
  await page.getByTestId('discount-code').waitFor();
  await page.goto('/checkout');
  await page.locator('summary').first().click();

  const shown = page.getByTestId('discount').first();
  await page.locator('#shipping-pickup').check();
  await shown.getByText('−$288.00').waitFor();
  expect(await page.locator('[data-shown-total]').first().textContent()).toBe('$1.00');
  await page.locator('#shipping-standard').check();
  await shown.getByText('−$289.00').waitFor();
});
