import { expect, test } from '@jest/globals';
import { openVisit } from '../support/browser.js';
import { contact } from '../support/customer.js';
import { cards, orderState, passTime, payWith, reachBank, reachHostedPage } from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

const MINUTE_MS = 60_000;

test('a customer who returns to the shop without a session cookie sees the order confirmed, without personal data', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  await using visit = await openVisit(shop);
  const { page } = visit;

  await reachHostedPage(page);
  await visit.context.clearCookies();
  await payWith(page, cards.succeeds);

  expect(await orderState(page)).toBe('paid');
  expect(await page.getByTestId('order-number').textContent()).toMatch(/\S/);
  const html = await page.content();
  for (const text of [...Object.values(contact), 'Taza']) expect(html).not.toContain(text);
  expect(shop.simulator.control.ledger()).toHaveLength(1);
});

test('a customer who returns to the shop by a cross-site POST of the bank sees the own order paid', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  await using visit = await openVisit(shop);
  const { page } = visit;

  await reachBank(page);
  await page.getByTestId('return-post').check();
  await page.getByTestId('approve').click();

  expect(await orderState(page)).toBe('paid');
  expect(visit.sent.some((line) => line.startsWith(`POST ${shop.url}/checkout/return/`))).toBe(true);
  expect(await page.getByTestId('cart-count').textContent()).toBe('0');
  expect(await page.locator('main').textContent()).toContain(contact.email);
});

test('a customer who returns to the shop while the gateway answers no lookup sees neither paid nor failed, and a warning against a second payment', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  await using visit = await openVisit(shop);
  const { page } = visit;

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
