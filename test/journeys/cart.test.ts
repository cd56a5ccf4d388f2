/** What a customer typed in the cart is what is bought, or the page asks. */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { openVisit } from '../support/browser.js';
import { checkOut, goToCheckout, holdFirstSave, OTHER, openOnlyCart, quantityOf } from '../support/cart-steps.js';
import { MUG } from '../support/catalog.js';
import { until } from '../support/crowd.js';
import { cartContents } from '../support/inspect.js';
import { openFileShop } from '../support/shared-shop.js';
import { cards, fillContact, payWith, submitHosted, untilOrderIs } from '../support/steps.js';
import { typeInto } from '../support/typing.js';

const shop = await openFileShop({ foreignGateway: true });

test('the quantity that was typed just before the payment is charged', async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  await openOnlyCart(shop, page);

  await typeInto(quantityOf(page), '5');
  await checkOut(page);
  await fillContact(page);
  await submitHosted(page);
  await payWith(page, cards.succeeds);
  await untilOrderIs(page, 'paid');

  expect(shop.control.ledger().at(-1)).toMatchObject({ amountMinor: 5 * 28_900 });
});

test('a quantity that was typed just before the customer closed the page is stored', async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  await openOnlyCart(shop, page);

  await typeInto(quantityOf(page), '5');
  await page.close();

  await until(async () => isDeepStrictEqual(await cartContents(shop), { [MUG]: 5 }));
});

test('an answer on a slow network keeps what was typed meanwhile in another line', async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  await openOnlyCart(shop, page, OTHER);
  const { held, release } = await holdFirstSave(visit);

  await typeInto(quantityOf(page), '3');
  await page.keyboard.press('Tab');
  await held;
  await typeInto(quantityOf(page, OTHER), '7');
  release();
  await page.getByRole('status').filter({ hasText: '4 artículos' }).waitFor();
  const kept = await quantityOf(page, OTHER).inputValue();
  await checkOut(page);

  expect(kept).toBe('7');
  expect(await cartContents(shop)).toEqual({ [MUG]: 3, [OTHER]: 7 });
});

test('after Back from the checkout the cart shows the stored quantities, and paying again changes nothing', async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  await openOnlyCart(shop, page);
  await typeInto(quantityOf(page), '5');
  await checkOut(page);

  await page.goBack();
  await page.locator(`#quantity-${MUG}[value="5"]`).waitFor();
  const shown = await quantityOf(page).inputValue();
  await page.reload();
  await checkOut(page);

  expect([shown, await cartContents(shop)]).toEqual(['5', { [MUG]: 5 }]);
});

test('an older page of the cart changes only what the customer typed on it', async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  await openOnlyCart(shop, page, OTHER);
  const older = await visit.context.newPage();
  await older.goto('/cart');
  await typeInto(quantityOf(page), '4');
  await page.locator(`#remove-${OTHER}`).click();
  await quantityOf(page, OTHER).waitFor({ state: 'detached' });

  await checkOut(older);

  expect(await cartContents(shop)).toEqual({ [MUG]: 4 });
});

test('without JavaScript a line is removed, what was typed in the other is stored, and an impossible quantity is asked', async () => {
  await using visit = await openVisit(shop, { javaScriptEnabled: false });
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);
  await openOnlyCart(shop, page, OTHER);

  await typeInto(quantityOf(page), '5');
  await page.locator(`#remove-${OTHER}`).click();
  await page.locator(`#quantity-${MUG}[value="5"]`).waitFor();
  await typeInto(quantityOf(page), 'seis');
  await goToCheckout(page);
  await page.locator(`#quantity-${MUG}-error`).waitFor();

  expect(await quantityOf(page).inputValue()).toBe('seis');
  expect(await cartContents(shop)).toEqual({ [MUG]: 5 });
});
