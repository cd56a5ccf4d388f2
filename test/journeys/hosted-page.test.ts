import { describe, expect, test } from '@jest/globals';
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
  untilOrderIs,
} from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

const HOUR_MS = 3_600_000;

describe('paying on the hosted page', () => {
  test('a payment is confirmed, charged once, and leaves an empty cart', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    await reachHostedPage(page);
    await payWith(page, cards.succeeds);

    expect(await orderState(page)).toBe('paid');
    expect(await page.getByTestId('cart-count').textContent()).toBe('0');
    expect(await page.locator('main').textContent()).toContain(contact.email);
    const [order, ...others] = await ordersOf(shop);
    const [charge, ...more] = shop.simulator.control.ledger();
    expect(order?.state).toBe('paid');
    expect(charge?.amountMinor).toBe(order?.total);
    expect([...others, ...more]).toEqual([]);
  });

  test('a card typed by hand pays like one that was picked', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    await reachHostedPage(page);
    await page.locator('#card_number').fill(cards.authorized);
    await page.locator('#cardholder_name').fill('Ana Mendoza');
    await page.locator('#expiry').fill('11/39');
    await page.locator('#cvv').fill('918');
    await page.getByTestId('pay').click();

    expect(await orderState(page)).toBe('paid');
    expect(shop.simulator.control.ledger()).toHaveLength(1);
  });

  test('digits typed alone are set as they stand on a card, and of two presses one is sent', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    await reachHostedPage(page);
    // The page's script has run by then.
    await page.waitForLoadState('domcontentloaded');
    await page.locator('#card_number').pressSequentially(cards.succeeds);
    await page.locator('#expiry').pressSequentially('1139');
    await page.locator('#cardholder_name').fill('Ana Mendoza');
    await page.locator('#cvv').fill('918');
    const typed = [
      await page.locator('#card_number').inputValue(),
      await page.locator('#expiry').inputValue(),
    ];
    // Both presses in one moment, and neither is sent: what the page made of them is the question.
    const refused = await page.evaluate(`(() => {
      const refused = [];
      addEventListener('submit', (event) => {
        refused.push(event.defaultPrevented);
        event.preventDefault();
      });
      for (const press of [1, 2]) document.querySelector('[data-test="pay"]').click();
      return refused;
    })()`);

    expect(typed).toEqual(['4000 0000 0000 0077', '11/39']);
    expect(refused).toEqual([false, true]);
    expect(await page.locator('.progress').textContent()).toContain('Procesando el pago');
  });

  test('after a decline another card pays the same order on the same page', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    const hosted = await reachHostedPage(page);
    await payWith(page, cards.declined);
    await page.getByTestId('message').waitFor();
    const afterDecline = { url: page.url(), charges: shop.simulator.control.ledger().length };
    // A look at the order meanwhile must not take the decline for the end.
    const other = await visit.context.newPage();
    await other.goto(shop.simulator.control.sessions()[0]?.request.return_url ?? '');
    const meanwhile = await orderState(other);
    await other.close();
    passTime(shop, 5_000);
    await payWith(page, cards.succeeds);

    expect(await orderState(page)).toBe('paid');
    expect(afterDecline).toEqual({ url: hosted, charges: 0 });
    expect(meanwhile).toBe('pending');
    expect(await ordersOf(shop)).toHaveLength(1);
    expect(shop.simulator.control.ledger()).toHaveLength(1);
  });

  test('the bank may ask on the hosted page too; refused there, another card still pays', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    await reachHostedPage(page);
    await payWith(page, cards.asksBank);
    await page.getByTestId('refuse').click();
    expect(await page.getByTestId('message').textContent()).toContain('Tu banco no confirmó');
    await payWith(page, cards.asksBank);
    await page.getByTestId('approve').click();

    await untilOrderIs(page, 'paid');
    expect(shop.simulator.control.ledger()).toHaveLength(1);
  });

  test('when the time to pay runs out the cart is kept, and a new try gets a new page', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    const first = await reachHostedPage(page);
    passTime(shop, HOUR_MS + 60_000);
    await payWith(page, cards.succeeds);
    await page.getByTestId('continue').click();

    expect(await orderState(page)).toBe('expired');
    expect(await page.getByTestId('cart-count').textContent()).toBe('1');
    await page.getByRole('link', { name: 'Intentar otra vez' }).click();
    const second = await submitHosted(page);
    expect(second).not.toBe(first);
    await payWith(page, cards.succeeds);
    expect(await orderState(page)).toBe('paid');
    expect(shop.simulator.control.ledger()).toHaveLength(1);
    expect((await ordersOf(shop)).filter(({ state }) => state === 'paid')).toHaveLength(1);
  });

  test('cancelling leads back with the cart kept; what was typed is there, and a new try gets a new page', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

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
});
