import type { Page } from 'playwright-core';
import { contact } from './shopper.js';
import type { TestShop } from './test-shop.js';

/** Test cards by what they make happen. */
export const cards = {
  succeeds: '4000000000000077',
  authorized: '4456540000000063',
  declined: '5451951574925480',
  asksBank: '4456528080389860',
} as const;

export const HOSTED_PAGE = '**/checkout/cs_*';

/** A card's other data: no value that anything else in a test could have. */
export const cardholder = 'ANA MENDOZA';
const expiry = '11/39';
const cvv = '918';

/** Puts a product in the cart by its button and lands in the cart. */
export async function addByHand(page: Page, slug: string): Promise<void> {
  await page.goto(`/products/${slug}`);
  await page.getByTestId('add-to-cart').click();
  await page.waitForURL('**/cart');
}

/** A shopper with one line in the cart, in the moment that a request takes. */
export async function fillCart(page: Page, productId = 'taza-talavera'): Promise<void> {
  const form = { product_id: productId, quantity: '1' };
  const answer = await page.context().request.post('/cart/items', { form, maxRedirects: 0 });
  if (answer.status() !== 303) throw new Error(`the cart answered ${answer.status()}`);
}

/** The checkout form with the contact fields typed, nothing sent. */
export async function fillCheckout(page: Page): Promise<void> {
  await fillCart(page);
  await page.goto('/checkout');
  await fillContact(page);
}

export async function fillContact(page: Page): Promise<void> {
  for (const [name, value] of Object.entries(contact)) await page.locator(`#${name}`).fill(value);
}

/** From an empty cart to the hosted page; returns its address. */
export async function reachHostedPage(page: Page): Promise<string> {
  await fillCheckout(page);
  return submitHosted(page);
}

/** Sends the checkout form as it stands; returns the hosted page's address. */
export async function submitHosted(page: Page): Promise<string> {
  await page.getByTestId('pay-hosted').click();
  await page.waitForURL(HOSTED_PAGE, { waitUntil: 'commit' });
  return page.url();
}

/** One of the hosted page's test cards, by one click. */
export async function payWith(page: Page, card: string): Promise<void> {
  await page.getByTestId(`test-card-${card}`).click();
}

/** From an empty cart to the card page with everything typed. */
export async function fillCardPage(page: Page, number: string): Promise<void> {
  await fillCart(page);
  await page.goto('/checkout/card');
  await fillContact(page);
  await typeCard(page, number);
}

export async function typeCard(page: Page, number: string): Promise<void> {
  await page.locator('#card-number-input').fill(number);
  await page.locator('#cardholder-input').fill(cardholder);
  await page.locator('#expiry-input').fill(expiry);
  await page.locator('#cvv-input').fill(cvv);
}

/** From an empty cart to the bank's page of a card payment. */
export async function reachBank(page: Page): Promise<void> {
  await fillCardPage(page, cards.asksBank);
  await page.getByTestId('pay-card').click();
  await page.waitForURL('**/bank/*', { waitUntil: 'commit' });
}

/** The state that the order page shows, once one is there. */
export async function orderState(page: Page): Promise<string | null> {
  return page.getByTestId('order-state').getAttribute('data-state');
}

/** Waits until the order page shows this state. */
export async function untilOrderIs(page: Page, state: string): Promise<void> {
  await page.locator(`[data-test="order-state"][data-state="${state}"]`).waitFor();
}

/** What is in the database, oldest first. */
export async function ordersOf(
  shop: TestShop,
): Promise<readonly { readonly state: string; readonly total: number }[]> {
  const { queries } = shop.services.checkout.db;
  return queries.selectFrom('orders').select(['state', 'total']).orderBy('createdAt').execute();
}

/** Lets time pass for the shop and for the service alike. */
export function passTime(shop: TestShop, ms: number): void {
  shop.clock.advance(ms);
  shop.simulator.control.advanceClock(ms);
}

/** Stands on the page of an order that waits for its payment; returns the service's session. */
export async function reachPendingOrder(shop: TestShop, page: Page): Promise<string> {
  await reachHostedPage(page);
  const [session] = shop.simulator.control.sessions();
  await page.goto(session?.request.return_url ?? '');
  await untilOrderIs(page, 'pending');
  return session?.id ?? '';
}
