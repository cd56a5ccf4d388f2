import { describe, expect, test } from '@jest/globals';
import { openVisit } from '../support/browser.js';
import {
  cards,
  fillCheckout,
  orderState,
  passTime,
  payWith,
  reachHostedPage,
  reachPendingOrder,
  submitHosted,
  untilOrderIs,
} from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

const MINUTE_MS = 60_000;

describe('the order page while the payment is awaited', () => {
  test('turns paid by itself once the gateway knows', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    const session = await reachPendingOrder(shop, page);
    shop.simulator.control.paySession(session);

    await untilOrderIs(page, 'paid');
    expect(await page.getByTestId('cart-count').textContent()).toBe('0');
  });

  test('never says paid or failed while the gateway cannot be asked, and tells not to pay again', async () => {
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

  test('holds a payment of another amount for review, and tells not to pay again', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    await reachHostedPage(page);
    shop.simulator.control.fault('read-session', { kind: 'rewrite', set: { amount_total: 28_899 } });
    await payWith(page, cards.succeeds);

    expect(await orderState(page)).toBe('review');
    expect(await page.locator('main').textContent()).toContain('Por favor no pagues otra vez');
  });

  test('when no payment page can be opened the form is kept, and the next try works', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;
    visit.expectTrouble(/^console error: Failed to load resource: .* 503/);

    shop.simulator.control.fault('create-session', { kind: 'status', status: 503 });
    await fillCheckout(page);
    await page.getByTestId('pay-hosted').click();
    await page.locator('.notice').waitFor();
    expect(await page.locator('.notice').textContent()).toContain('No se cobró nada');
    expect(await page.locator('#email').inputValue()).not.toBe('');
    shop.simulator.control.clearFaults();
    await submitHosted(page);
    await payWith(page, cards.succeeds);

    expect(await orderState(page)).toBe('paid');
    expect(shop.simulator.control.ledger()).toHaveLength(1);
  });
});
