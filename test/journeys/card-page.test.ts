import { expect, test } from '@jest/globals';
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

const TOKENS = ['card_number', 'cardholder_name', 'cvv', 'expiration_month', 'expiration_year'];

test('the card page charges a card that the bank does not challenge at once, and sends tokens only to the shop', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  await using visit = await openVisit(shop);
  const { page } = visit;

  await fillCardPage(page, cards.authorized);
  const [posted] = await Promise.all([
    page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/checkout/card')),
    page.getByTestId('pay-card').click(),
  ]);

  expect(await orderState(page)).toBe('paid');
  expect(Object.keys(posted.postDataJSON())).toEqual(expect.arrayContaining(TOKENS));
  expect(posted.postData()).not.toContain(cardholder.split(' ')[1]);
  const [order] = await ordersOf(shop);
  expect(shop.simulator.control.ledger().map(({ amountMinor }) => amountMinor)).toEqual([order?.total]);
});

test('the card page shows missing fields and a mistyped number at their fields, and sends nothing', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  await using visit = await openVisit(shop);
  const { page } = visit;
  const invalid = page.locator('[aria-invalid="true"]');
  const number = page.locator('#card-number-input');

  await fillCart(page);
  await page.goto('/checkout/card');
  const sentBefore = visit.sent.length;
  await page.getByTestId('pay-card').click();
  const summary = page.locator('#card-problem');
  await summary.waitFor();
  expect([await summary.locator('li').count(), await invalid.count()]).toEqual([13, 13]);
  await fillContact(page);
  await typeCard(page, '4000000000000052');
  await page.getByTestId('pay-card').click();
  await page.locator('#card-number-input-error').filter({ hasText: 'no es correcto' }).waitFor();

  expect(await page.locator('#card-problem:focus').count()).toBe(1);
  expect(await invalid.count()).toBe(1);
  expect(await number.getAttribute('aria-describedby')).toContain('card-number-input-error');
  await summary.getByRole('link').click();
  expect(await page.locator('#card-number-input:focus').count()).toBe(1);
  expect(visit.sent.slice(sentBefore).filter((line) => !line.startsWith('GET'))).toEqual([]);
});

test.each([
  ['tokenization-auth', 503, 'No se cobró nada'],
  ['tokenize', 503, 'No se cobró nada'],
  ['tokenize', 400, 'no aceptó los datos de la tarjeta'],
] as const)(
  'the card page keeps what was typed when %s answers %i, and the next try pays',
  async (call, status, message) => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;
    visit.expectTrouble(/^console error: (Failed to load resource|Access to fetch)/);
    shop.simulator.control.fault(call, { kind: 'status', status });

    await fillCardPage(page, cards.authorized);
    await page.getByTestId('pay-card').click();
    await page.locator('#card-problem').waitFor();

    expect(await page.locator('#card-problem').textContent()).toContain(message);
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
