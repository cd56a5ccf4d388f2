import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openVisit, type Visit } from '../support/browser.js';
import { contact } from '../support/customer.js';
import { allOrders } from '../support/inspect.js';
import { openSharedShop } from '../support/shared-shop.js';
import {
  cards,
  fillContact,
  orderState,
  payWith,
  reachHostedPage,
  submitHosted,
  untilOrderIs,
} from '../support/steps.js';

const shop = await openSharedShop({ foreignGateway: true });
let visit: Visit;
let page: Page;
beforeEach(async () => {
  visit = await openVisit(shop);
  page = visit.page;
});
afterEach(() => visit[Symbol.asyncDispose]());

test('on the hosted page a payment that is cancelled keeps cart and form, and the next attempt gets a new page and pays', async () => {
  const first = await reachHostedPage(page);
  await page.getByTestId('cancel').click();

  expect(await orderState(page)).toBe('cancelled');
  expect(await page.getByTestId('cart-count').textContent()).toBe('1');
  await page.getByRole('link', { name: 'Intentar otra vez' }).click();
  expect(await page.locator('#email').inputValue()).toBe(contact.email);
  expect(await submitHosted(page)).not.toBe(first);
  await payWith(page, cards.succeeds);
  expect(await orderState(page)).toBe('paid');
  expect(shop.simulator.control.ledger()).toHaveLength(1);
});

test('Back from the hosted page redirects to it again, and Back after paying shows the empty cart', async () => {
  const first = await reachHostedPage(page);
  await page.getByTestId('pay').waitFor();
  await page.goBack();
  await page.locator('#shipping-pickup:checked').waitFor();
  await fillContact(page);

  expect(await submitHosted(page)).toBe(first);
  await payWith(page, cards.succeeds);
  await untilOrderIs(page, 'paid');
  expect(await page.getByTestId('cart-count').textContent()).toBe('0');
  expect(await page.locator('main').textContent()).toContain(contact.email);
  await page.goBack();
  await page.getByTestId('message').waitFor();
  await page.goBack();
  await page.waitForURL('**/cart');
  expect(await page.locator('main').textContent()).toContain('Tu carrito está vacío');
  const [order, ...others] = await allOrders(shop);
  expect(others).toEqual([]);
  expect(shop.simulator.control.ledger().map(({ amountMinor }) => amountMinor)).toEqual([order?.total]);
  expect(shop.simulator.control.sessions()).toHaveLength(1);
});
