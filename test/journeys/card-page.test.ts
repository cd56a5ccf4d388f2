import { describe, expect, test } from '@jest/globals';
import { openVisit } from '../support/browser.js';
import { contact } from '../support/customer.js';
import {
  cardholder,
  cards,
  fillCardPage,
  fillCart,
  fillContact,
  orderState,
  ordersOf,
  typeCard,
} from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

describe('paying on the card page', () => {
  test('a card that the bank asks nothing about pays at once, and the shop meets tokens only', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    await fillCardPage(page, cards.authorized);
    const [posted] = await Promise.all([
      page.waitForRequest(
        (request) => request.method() === 'POST' && request.url().endsWith('/checkout/card'),
      ),
      page.getByTestId('pay-card').click(),
    ]);

    expect(await orderState(page)).toBe('paid');
    expect(Object.keys(posted.postDataJSON())).toEqual(
      expect.arrayContaining([
        'card_number',
        'cardholder_name',
        'cvv',
        'expiration_month',
        'expiration_year',
      ]),
    );
    expect(posted.postData()).not.toContain(cardholder.split(' ')[1]);
    const [order] = await ordersOf(shop);
    const charges = shop.simulator.control.ledger();
    expect(charges.map(({ amountMinor }) => amountMinor)).toEqual([order?.total]);
  });

  test('a declined card charges nothing and keeps the cart; another card pays', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    await fillCardPage(page, cards.declined);
    await page.getByTestId('pay-card').click();

    expect(await orderState(page)).toBe('declined');
    expect(await page.getByTestId('cart-count').textContent()).toBe('1');
    expect(shop.simulator.control.ledger()).toEqual([]);
    await page.getByRole('link', { name: 'Intentar otra vez' }).click();
    await page.getByTestId('choose-card').click();
    await typeCard(page, cards.authorized);
    await page.getByTestId('pay-card').click();
    await page.locator('[data-state="paid"]').waitFor();
    const references = shop.simulator.control.payments().map(({ reference }) => reference);
    expect(new Set(references).size).toBe(2);
    expect(shop.simulator.control.ledger()).toHaveLength(1);
    expect(await ordersOf(shop)).toHaveLength(1);
  });

  test('what is missing is told at once, a mistyped number at its field, and nothing leaves the browser', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    await fillCart(page);
    await page.goto('/checkout/card');
    const sentBefore = visit.sent.length;
    await page.getByTestId('pay-card').click();
    const summary = page.locator('#card-problem');
    await summary.waitFor();
    expect(await summary.locator('li').count()).toBe(7);
    expect(await page.locator('[aria-invalid="true"]').count()).toBe(7);

    await fillContact(page);
    await typeCard(page, '4000000000000052');
    await page.getByTestId('pay-card').click();
    await page.locator('#card-number-input-error').filter({ hasText: 'no es correcto' }).waitFor();
    expect(await page.locator('#card-problem:focus').count()).toBe(1);
    expect(await page.locator('#card-number-input').getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('[aria-invalid="true"]').count()).toBe(1);
    await summary.getByRole('link').click();
    expect(await page.locator('#card-number-input:focus').count()).toBe(1);
    expect(visit.sent.slice(sentBefore).filter((line) => !line.startsWith('GET'))).toEqual([]);
  });

  test.each(['tokenization-auth', 'tokenize'] as const)(
    'when the vault fails at %s it is told, nothing typed is lost, and the next try pays',
    async (call) => {
      await using shop = await openTestShop({ foreignGateway: true });
      await using visit = await openVisit(shop);
      const { page } = visit;
      visit.expectTrouble(/^console error: (Failed to load resource|Access to fetch)/);
      shop.simulator.control.fault(call, { kind: 'status', status: 503 });

      await fillCardPage(page, cards.authorized);
      await page.getByTestId('pay-card').click();
      await page.locator('#card-problem').waitFor();

      expect(await page.locator('#card-problem').textContent()).toContain('No se cobró nada');
      expect(await page.locator('#email').inputValue()).toBe(contact.email);
      expect(await page.locator('#card-number-input').inputValue()).toBe('4456 5400 0000 0063');
      expect(await page.locator('#cvv-input').inputValue()).not.toBe('');
      expect(await ordersOf(shop)).toEqual([]);
      shop.simulator.control.clearFaults();
      await page.getByTestId('pay-card').click();
      expect(await orderState(page)).toBe('paid');
      expect(shop.simulator.control.ledger()).toHaveLength(1);
    },
  );

  test('a card that the vault does not take is told as such, and can be mended', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;
    visit.expectTrouble(/^console error: Failed to load resource: .* 400/);
    shop.simulator.control.fault('tokenize', { kind: 'status', status: 400 }, 1);

    await fillCardPage(page, cards.authorized);
    await page.getByTestId('pay-card').click();
    await page.locator('#card-problem').waitFor();

    expect(await page.locator('#card-problem').textContent()).toContain('no aceptó los datos de la tarjeta');
    await page.getByTestId('pay-card').click();
    expect(await orderState(page)).toBe('paid');
  });

  test('when the answer to a payment is lost the customer is told not to pay again', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;
    shop.simulator.control.fault('process', { kind: 'drop', when: 'after' }, 1);

    await fillCardPage(page, cards.authorized);
    await page.getByTestId('pay-card').click();

    expect(await orderState(page)).toBe('outcome_unknown');
    expect(await page.locator('main').textContent()).toContain('Por favor no pagues otra vez');
    await page.goto('/checkout/card');
    await typeCard(page, cards.authorized);
    await page.getByTestId('pay-card').click();
    expect(await orderState(page)).toBe('outcome_unknown');
    expect(shop.simulator.control.calls('process')).toHaveLength(1);
    expect(shop.simulator.control.ledger()).toHaveLength(1);
  });
});
