import { describe, expect, test } from '@jest/globals';
import { openVisit } from '../support/browser.js';
import { contact } from '../support/customer.js';
import { orderState, passTime, reachBank, untilOrderIs } from '../support/steps.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const HALF_HOUR_MS = 1_800_000;

/** Where the bank would send this shop's only card payment back to. */
function returnAddress(shop: TestShop): string {
  return shop.simulator.control.payments()[0]?.returnUrl ?? '';
}

describe('the bank asks the customer', () => {
  test('approved there, the order is paid', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    await reachBank(page);
    await page.getByTestId('approve').click();

    expect(await orderState(page)).toBe('paid');
    expect(await page.locator('main').textContent()).toContain(contact.email);
    expect(shop.simulator.control.ledger()).toHaveLength(1);
  });

  test('refused there, nothing is charged and the cart is kept', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    await reachBank(page);
    await page.getByTestId('refuse').click();

    expect(await orderState(page)).toBe('declined');
    expect(await page.getByTestId('cart-count').textContent()).toBe('1');
    expect(shop.simulator.control.ledger()).toEqual([]);
  });

  test('who walked away and wants to pay again is shown the way back to the bank, and no second charge is begun', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    await reachBank(page);
    await page.getByTestId('walk-away').click();
    await page.getByTestId('continue').waitFor();
    await page.goto('/checkout');
    await page.getByTestId('pay-hosted').click();

    expect(await orderState(page)).toBe('pending');
    expect(await page.getByTestId('cart-count').textContent()).toBe('1');
    expect(shop.simulator.control.sessions()).toEqual([]);
    await page.getByRole('link', { name: 'Volver a la página de pago' }).click();
    await page.getByTestId('approve').click();
    await untilOrderIs(page, 'paid');
    expect(shop.simulator.control.ledger()).toHaveLength(1);
  });

  test('the order page of who walked away turns paid by itself when the bank hears from them later', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    await reachBank(page);
    await page.getByTestId('walk-away').click();
    await page.getByTestId('continue').waitFor();
    await page.goto(returnAddress(shop));
    await untilOrderIs(page, 'pending');
    shop.simulator.control.approve(shop.simulator.control.payments()[0]?.id ?? '');

    await untilOrderIs(page, 'paid');
    expect(await page.getByTestId('cart-count').textContent()).toBe('0');
  });

  test('who answers too late is not charged, and the order page tells that it is safe to try again', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    await reachBank(page);
    passTime(shop, HALF_HOUR_MS + 60_000);
    await page.getByTestId('approve').click();
    await page.getByTestId('continue').click();

    expect(['expired', 'declined']).toContain(await orderState(page));
    expect(shop.simulator.control.ledger()).toEqual([]);
  });
});
