/** Further ways to type a code. */
import { expect, test } from '@jest/globals';
import { openVisit } from '../../../../../test/support/browser.js';
import { openSharedShop } from '../../../../../test/support/shared-shop.js';
import { fillCart, PHONE } from '../../../../../test/support/steps.js';
import { typeInto } from '../../../../../test/support/typing.js';
import { payDiscounted } from '../journey-steps.js';
import { addCode } from '../support.js';

const shop = await openSharedShop();

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

  await payDiscounted(shop, page);
});
