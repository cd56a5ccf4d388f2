import type { Page } from 'playwright-core';
import { MUG } from './catalog.js';
import { address, contact } from './customer.js';
import { PASSWORD, type TestShop } from './test-shop.js';
import { enterForm, typeInto } from './typing.js';

/** Test cards by outcome. */
export const cards = {
  succeeds: '4000000000000077',
  authorized: '4456540000000063',
  declined: '5451951574925480',
  challenged: '4456528080389860',
} as const;

export const HOSTED_PAGE = '**/checkout/cs_*';

/** Other card data. The values are unique, so that a search for leaked card data has no false matches. */
export const cardholder = 'ANA MENDOZA';
const expiry = '11/39';
const cvv = '918';

/** Adds a product to the cart with its button. Ends on the cart page. */
export async function addByHand(page: Page, slug: string): Promise<void> {
  await page.goto(`/products/${slug}`);
  await page.getByTestId('add-to-cart').click();
  await page.waitForURL('**/cart');
}

/** Adds one cart line with a request instead of the page, to save time. */
export async function fillCart(page: Page, productId = MUG): Promise<void> {
  const form = { product_id: productId, quantity: '1' };
  const answer = await page.context().request.post('/cart/items', { form, maxRedirects: 0 });
  if (answer.status() !== 303) throw new Error(`the cart answered ${answer.status()}`);
}

/** Opens the checkout form and fills in the contact fields. Does not submit it. */
export async function fillCheckout(page: Page, productId?: string): Promise<void> {
  await fillCart(page, productId);
  await page.goto('/checkout');
  await fillContact(page);
}

/** Fills in the contact fields of a checkout form, and the address if it asks for one. */
export async function fillContact(page: Page): Promise<void> {
  await enterForm(page, contact);
  if (await page.locator('#street').isVisible()) await fillAddress(page);
}

/** Chooses pickup. Without JavaScript, the customer then updates the total. */
export async function choosePickup(page: Page): Promise<void> {
  await page.locator('#shipping-pickup').check();
  const update = page.getByTestId('update-total');
  if (await update.isVisible()) await update.click();
}

/** Fills in the address fields of a checkout form. */
export async function fillAddress(page: Page): Promise<void> {
  const { state, ...texts } = address;
  await enterForm(page, texts);
  await page.locator('#state').selectOption(state);
}

/** Returns the filled fields of a checkout form by name. */
export async function checkoutValues(page: Page): Promise<Readonly<Record<string, string>>> {
  const fields = await page.locator('form :is(input:not([type="radio"]), :checked, select)[name]').all();
  const values = fields.map(async (field) => [await field.getAttribute('name'), await field.inputValue()]);
  return Object.fromEntries(await Promise.all(values)) as Record<string, string>;
}

/** Goes from an empty cart to the hosted page. Returns its URL. */
export async function reachHostedPage(page: Page): Promise<string> {
  await fillCheckout(page);
  return submitHosted(page);
}

/** Submits the checkout form unchanged. Returns the URL of the hosted page. */
export async function submitHosted(page: Page): Promise<string> {
  await page.getByTestId('pay-hosted').click();
  await page.waitForURL(HOSTED_PAGE, { waitUntil: 'commit' });
  return page.url();
}

/** Pays with a test card button of the hosted page. */
export async function payWith(page: Page, card: string): Promise<void> {
  await page.getByTestId(`test-card-${card}`).click();
}

/** Goes from an empty cart to the card page and enters all fields. */
export async function fillCardPage(page: Page, number: string, enter = typeInto): Promise<void> {
  await fillCart(page);
  await page.goto('/checkout/card');
  await fillContact(page);
  await typeCard(page, number, enter);
}

/** Returns the texts of the card fields of the shop's page by id. */
export const cardTexts = (number: string) => ({
  'card-number-input': number,
  'cardholder-input': cardholder,
  'expiry-input': expiry,
  'cvv-input': cvv,
});

/** Enters the card fields of the shop's page with this number. */
export async function typeCard(page: Page, number: string, enter = typeInto): Promise<void> {
  await enterForm(page, cardTexts(number), enter);
}

/** Enters the card fields of the hosted page with this number. */
export async function typeHostedCard(page: Page, card_number: string, enter = typeInto): Promise<void> {
  await enterForm(page, { card_number, cardholder_name: cardholder, expiry, cvv }, enter);
}

/** Goes from an empty cart to the bank's page of a card payment. */
export async function reachBank(page: Page): Promise<void> {
  await fillCardPage(page, cards.challenged);
  await page.getByTestId('pay-card').click();
  await page.waitForURL('**/bank/*', { waitUntil: 'commit' });
}

/** Waits until the order page shows this state. */
export async function untilOrderIs(page: Page, state: string): Promise<void> {
  await page.locator(`[data-test="order-state"][data-state="${state}"]`).waitFor();
}

/** Advances the clocks of the shop and the gateway. */
export function passTime(shop: TestShop, ms: number): void {
  shop.clock.advance(ms);
  shop.control.advanceClock(ms);
}

/** Opens the page of an order in state `pending`. Returns the id of its checkout session. */
export async function reachPendingOrder(shop: TestShop, page: Page): Promise<string> {
  await reachHostedPage(page);
  const session = shop.control.sessions().at(-1);
  await page.goto(session?.request.return_url ?? '');
  await untilOrderIs(page, 'pending');
  return session?.id ?? '';
}

export const PHONE = { viewport: { width: 390, height: 800 } };

/** Signs in to the back office with a request instead of the page, to save time. A second factor is still to be entered. */
export async function signIn(page: Page): Promise<void> {
  const form = { name: 'admin', password: PASSWORD };
  const answer = await page.context().request.post('/admin/sign-in', { form, maxRedirects: 0 });
  if (answer.status() !== 303) throw new Error(`the sign-in answered ${answer.status()}`);
}
