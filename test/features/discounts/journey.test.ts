import { test } from '@jest/globals';
import { expectAccessible, expectAccessibleInAll } from '../../support/audit.js';
import { openVisit } from '../../support/browser.js';
import { openSharedShop } from '../../support/shared-shop.js';
import { fillCart, PHONE, signIn } from '../../support/steps.js';
import { typeInto } from '../../support/typing.js';
import { payDiscounted } from './journey-steps.js';
import { addCode } from './support.js';

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
