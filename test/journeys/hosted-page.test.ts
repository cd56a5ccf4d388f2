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
  passTime,
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

const MINUTE_MS = 60_000;

test('on the hosted page after a decline another card pays the same order, also when the bank refused it first', async () => {
  const hosted = await reachHostedPage(page);
  await payWith(page, cards.declined);
  await page.getByTestId('message').waitFor();
  const afterDecline = { url: page.url(), charges: shop.simulator.control.ledger().length };
  passTime(shop, 5_000);
  await payWith(page, cards.challenged);
  await page.getByTestId('refuse').click();
  await page.getByTestId('message').waitFor();
  await payWith(page, cards.challenged);
  await page.getByTestId('approve').click();

  expect(await orderState(page)).toBe('paid');
  expect(afterDecline).toEqual({ url: hosted, charges: 0 });
  expect(await allOrders(shop)).toHaveLength(1);
  expect(shop.simulator.control.ledger()).toHaveLength(1);
});

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

test('a customer who returns without a session cookie sees the order confirmed, without personal data', async () => {
  await reachHostedPage(page);
  await visit.context.clearCookies();
  await payWith(page, cards.succeeds);

  expect(await orderState(page)).toBe('paid');
  const html = await page.content();
  for (const text of [...Object.values(contact), 'Taza']) expect(html).not.toContain(text);
});

test('a customer who returns while the gateway answers no lookup sees neither paid nor failed, and a warning against a second payment', async () => {
  await reachHostedPage(page);
  shop.simulator.control.fault('read-session', { kind: 'status', status: 503 });
  await payWith(page, cards.succeeds);

  expect(await orderState(page)).toBe('pending');
  expect(await page.locator('main').textContent()).toContain('Si ya pagaste, no pagues otra vez');
  shop.simulator.control.clearFaults();
  passTime(shop, MINUTE_MS);
  await page.reload();
  expect(await orderState(page)).toBe('paid');
});
