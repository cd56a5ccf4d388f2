import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../../support/audit.js';
import { openVisit } from '../../support/browser.js';
import { theOrder } from '../../support/inspect.js';
import { openSharedShop } from '../../support/shared-shop.js';
import {
  cards,
  fillCart,
  fillContact,
  PHONE,
  payWith,
  signIn,
  submitHosted,
  untilOrderIs,
} from '../../support/steps.js';
import { typeInto } from '../../support/typing.js';
import { addCode } from './support.js';

const shop = await openSharedShop();
const ERROR_422 = /^console error: Failed to load resource: .* 422/;

/** From the cart with a code to its paid order, which shows the discount. */
async function payDiscounted(page: Page): Promise<void> {
  await page.getByTestId('go-to-checkout').click();
  await fillContact(page);
  await submitHosted(page);
  await payWith(page, cards.succeeds);
  await untilOrderIs(page, 'paid');
  expect(await page.getByTestId('discount').textContent()).toContain('−$28.90');
  expect(await theOrder(shop)).toMatchObject({ state: 'paid', total: 260_10, discountCode: 'DIEZ' });
}

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

  await payDiscounted(page);
});

test('a quantity that changes leaves a code that is being typed in its field', async () => {
  const visit = await openVisit(shop, PHONE);
  const { page } = visit;
  await fillCart(page);
  await page.goto('/cart');

  await typeInto(page.locator('#code'), 'die');
  await page.locator('#more-taza-talavera').click();
  await page.locator('#quantity-taza-talavera[name$="[2]"]').waitFor();

  expect(await page.locator('#code').inputValue()).toBe('die');
  expect(await page.locator('#code-error').count()).toBe(0);
});

test('without JavaScript a customer types a quantity and a code, removes the code, and buys with it', async () => {
  await addCode(shop);
  const { page } = await openVisit(shop, { javaScriptEnabled: false });
  await fillCart(page);
  await page.goto('/cart');

  await typeInto(page.locator('#quantity-taza-talavera'), '2');
  await typeInto(page.locator('#code'), 'diez');
  await page.getByTestId('apply-code').click();
  expect(await page.getByTestId('discount').textContent()).toContain('−$57.80');
  await typeInto(page.locator('#quantity-taza-talavera'), '1');
  await page.locator('#remove-code').click();
  expect(await page.getByTestId('discount').count()).toBe(0);
  await typeInto(page.locator('#code'), 'diez');
  await page.locator('#code').press('Enter');

  await payDiscounted(page);
});
