import { expect, test } from '@jest/globals';
import { openVisit } from '../support/browser.js';
import { contact } from '../support/customer.js';
import {
  cards,
  orderState,
  ordersOf,
  passTime,
  payWith,
  reachHostedPage,
  submitHosted,
} from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

const HOUR_MS = 3_600_000;

test('on the hosted page a payment is confirmed, charged once, and leaves an empty cart', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  await using visit = await openVisit(shop);
  const { page } = visit;

  await reachHostedPage(page);
  await payWith(page, cards.succeeds);

  expect(await orderState(page)).toBe('paid');
  expect(await page.getByTestId('cart-count').textContent()).toBe('0');
  expect(await page.locator('main').textContent()).toContain(contact.email);
  const [order, ...others] = await ordersOf(shop);
  expect([order?.state, others]).toEqual(['paid', []]);
  expect(shop.simulator.control.ledger().map(({ amountMinor }) => amountMinor)).toEqual([order?.total]);
});

test('on the hosted page after a decline another card pays the same order, also when the bank refused it first', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  await using visit = await openVisit(shop);
  const { page } = visit;

  const hosted = await reachHostedPage(page);
  await payWith(page, cards.declined);
  await page.getByTestId('message').waitFor();
  const afterDecline = { url: page.url(), charges: shop.simulator.control.ledger().length };
  // Reading the order meanwhile must not end it.
  const other = await visit.context.newPage();
  await other.goto(shop.simulator.control.sessions()[0]?.request.return_url ?? '');
  const meanwhile = await orderState(other);
  await other.close();
  passTime(shop, 5_000);
  await payWith(page, cards.asksBank);
  await page.getByTestId('refuse').click();
  expect(await page.getByTestId('message').textContent()).toContain('Tu banco no confirmó');
  await payWith(page, cards.asksBank);
  await page.getByTestId('approve').click();

  expect(await orderState(page)).toBe('paid');
  expect(afterDecline).toEqual({ url: hosted, charges: 0 });
  expect(meanwhile).toBe('pending');
  expect(await ordersOf(shop)).toHaveLength(1);
  expect(shop.simulator.control.ledger()).toHaveLength(1);
});

test.each(['expired', 'cancelled'] as const)(
  'on the hosted page a payment that is %s keeps cart and form, and the next attempt gets a new page and pays',
  async (state) => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    const first = await reachHostedPage(page);
    if (state === 'cancelled') await page.getByTestId('cancel').click();
    else {
      passTime(shop, HOUR_MS + 60_000);
      await payWith(page, cards.succeeds);
      await page.getByTestId('continue').click();
    }

    expect(await orderState(page)).toBe(state);
    expect(await page.getByTestId('cart-count').textContent()).toBe('1');
    await page.getByRole('link', { name: 'Intentar otra vez' }).click();
    expect(await page.locator('#email').inputValue()).toBe(contact.email);
    expect(await submitHosted(page)).not.toBe(first);
    await payWith(page, cards.succeeds);
    expect(await orderState(page)).toBe('paid');
    expect(shop.simulator.control.ledger()).toHaveLength(1);
    expect((await ordersOf(shop)).filter((order) => order.state === 'paid')).toHaveLength(1);
  },
);
