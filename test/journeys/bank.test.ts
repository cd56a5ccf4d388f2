import { expect, test } from '@jest/globals';
import { openVisit } from '../support/browser.js';
import { contact } from '../support/customer.js';
import { orderState, reachBank, untilOrderIs } from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

test('a card payment that the bank challenges is paid and charged once when the customer approves it', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  await using visit = await openVisit(shop);
  const { page } = visit;

  await reachBank(page);
  await page.getByTestId('approve').click();

  expect(await orderState(page)).toBe('paid');
  expect(await page.locator('main').textContent()).toContain(contact.email);
  expect(shop.simulator.control.ledger()).toHaveLength(1);
});

test('a challenged card payment that the customer left is offered again at the next checkout instead of a second charge', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  await using visit = await openVisit(shop);
  const { page } = visit;

  await reachBank(page);
  await page.getByTestId('walk-away').click();
  await page.getByTestId('continue').waitFor();
  await page.goto('/checkout');
  await page.getByTestId('pay-hosted').click();

  expect(await orderState(page)).toBe('pending');
  expect(shop.simulator.control.sessions()).toEqual([]);
  await page.getByRole('link', { name: 'Volver a la página de pago' }).click();
  await page.getByTestId('approve').click();
  await untilOrderIs(page, 'paid');
  expect(shop.simulator.control.ledger()).toHaveLength(1);
});

test('a challenged card payment that the customer left is shown as paid without a reload once the bank approves it', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  await using visit = await openVisit(shop);
  const { page } = visit;

  await reachBank(page);
  const [payment] = shop.simulator.control.payments();
  await page.goto(payment?.returnUrl ?? '');
  await untilOrderIs(page, 'pending');
  shop.simulator.control.approve(payment?.id ?? '');

  await untilOrderIs(page, 'paid');
  expect(await page.getByTestId('cart-count').textContent()).toBe('0');
});
