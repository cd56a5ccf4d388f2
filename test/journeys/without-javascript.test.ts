import { describe, expect, test } from '@jest/globals';
import { openVisit } from '../support/browser.js';
import { contact } from '../support/customer.js';
import {
  addByHand,
  cards,
  fillCheckout,
  fillContact,
  orderState,
  ordersOf,
  payWith,
  reachHostedPage,
  untilOrderIs,
} from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

const plain = { javaScriptEnabled: false };

describe('without JavaScript', () => {
  test('a customer changes the cart, mends the form, pays after a decline, and sees it confirmed', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop, plain);
    const { page } = visit;
    visit.expectTrouble(/^console error: Failed to load resource: .* 422/);

    await addByHand(page, 'molcajete-de-basalto');
    await addByHand(page, 'taza-de-talavera');
    await page.locator('#quantity-taza-talavera').fill('3');
    await page.getByTestId('update').last().click();
    await page.locator('#quantity-taza-talavera[value="3"]').waitFor();
    await page.getByTestId('remove').first().click();
    await page.getByTestId('go-to-checkout').click();
    await fillContact(page);
    await page.locator('#email').fill('eva.ruiz');
    await page.getByTestId('pay-hosted').click();
    expect(await page.locator('#email-error').textContent()).toContain('correo completo');
    expect(await page.locator('#email').inputValue()).toBe('eva.ruiz');
    await page.locator('#email').fill(contact.email);
    await page.getByTestId('pay-hosted').click();
    await payWith(page, cards.declined);
    await page.getByTestId('message').waitFor();
    await payWith(page, cards.succeeds);

    expect(await orderState(page)).toBe('paid');
    expect(await page.getByTestId('cart-count').textContent()).toBe('0');
    const [order] = await ordersOf(shop);
    expect(shop.simulator.control.ledger().map(({ amountMinor }) => amountMinor)).toEqual([order?.total]);
    expect(order?.total).toBe(3 * 28_900);
  });

  test('the order page that waits looks again by itself', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop, plain);
    const { page } = visit;

    await reachHostedPage(page);
    const [session] = shop.simulator.control.sessions();
    await page.goto(session?.request.return_url ?? '');
    await untilOrderIs(page, 'pending');
    shop.simulator.control.paySession(session?.id ?? '');

    await untilOrderIs(page, 'paid');
  });

  test('the bank leads back by POST with a button', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop, plain);
    const { page } = visit;

    await reachHostedPage(page);
    await payWith(page, cards.asksBank);
    await page.getByTestId('return-post').check();
    await page.getByTestId('approve').click();
    await page.getByTestId('continue').click();

    expect(await orderState(page)).toBe('paid');
    expect(shop.simulator.control.ledger()).toHaveLength(1);
  });

  test('the card page says that it needs JavaScript, sends nothing typed, and leads to the hosted page', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop, plain);
    const { page } = visit;
    visit.expectTrouble(/^console error: Failed to load resource: .* 422/);

    await fillCheckout(page);
    await page.getByTestId('choose-card').click();
    expect(await page.locator('noscript, .notice').first().textContent()).toContain('JavaScript');
    await fillContact(page);
    await page.locator('#card-number-input').fill(cards.authorized);
    await page.locator('#cvv-input').fill('918');
    await page.getByTestId('pay-card').click();
    await page.locator('#card-error').waitFor();
    expect(await ordersOf(shop)).toEqual([]);
    await page.getByRole('link', { name: 'Paga en la página segura' }).click();
    await page.waitForURL('**/checkout');
  });
});
