import { expect, test } from '@jest/globals';
import { openVisit } from '../support/browser.js';
import {
  addByHand,
  cards,
  fillCardPage,
  fillCheckout,
  fillContact,
  HOSTED_PAGE,
  orderState,
  ordersOf,
  payWith,
  reachHostedPage,
  submitHosted,
  typeCard,
  untilOrderIs,
} from '../support/steps.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

/** Expects one order, one charge, and as many sessions and card payments as given. */
async function expectOneCharge(
  shop: TestShop,
  expected: { sessions?: number; payments?: number },
): Promise<void> {
  const { control } = shop.simulator;
  expect(await ordersOf(shop)).toHaveLength(1);
  expect(control.ledger()).toHaveLength(1);
  expect(control.sessions()).toHaveLength(expected.sessions ?? 0);
  expect(control.calls('process')).toHaveLength(expected.payments ?? 0);
}

test.each([true, false])(
  'two fast clicks on pay make one order and one session (with JavaScript: %s)',
  async (javaScriptEnabled) => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop, { javaScriptEnabled });
    const { page } = visit;

    await fillCheckout(page);
    await page.getByTestId('pay-hosted').dblclick();
    await page.waitForURL(HOSTED_PAGE, { waitUntil: 'commit' });
    await payWith(page, cards.succeeds);

    expect(await orderState(page)).toBe('paid');
    expect(await page.getByTestId('cart-count').textContent()).toBe('0');
    await expectOneCharge(shop, { sessions: 1 });
  },
);

test('two tabs that pay at once are led to the same hosted page', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  await using visit = await openVisit(shop);
  const first = visit.page;
  const second = await visit.context.newPage();

  await fillCheckout(first);
  await second.goto('/checkout');
  await fillContact(second);
  const [one, other] = await Promise.all([submitHosted(first), submitHosted(second)]);

  expect(one).toBe(other);
  expect(await ordersOf(shop)).toHaveLength(1);
  expect(shop.simulator.control.sessions()).toHaveLength(1);
});

test('two fast clicks on the card page charge once, and Back leads to the empty cart', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  await using visit = await openVisit(shop);
  const { page } = visit;

  await fillCardPage(page, cards.authorized);
  await page.getByTestId('pay-card').dblclick();

  expect(await orderState(page)).toBe('paid');
  await page.goBack();
  await page.waitForURL('**/cart');
  await expectOneCharge(shop, { payments: 1 });
});

test('Back from the hosted page leads to it again, and Back after paying leads to the empty cart', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  await using visit = await openVisit(shop);
  const { page } = visit;

  const first = await reachHostedPage(page);
  await page.getByTestId('pay').waitFor();
  await page.goBack();
  await page.getByTestId('pay-hosted').waitFor();
  await fillContact(page);

  expect(await submitHosted(page)).toBe(first);
  await payWith(page, cards.succeeds);
  await untilOrderIs(page, 'paid');
  await page.goBack();
  expect(await page.getByTestId('message').textContent()).toBe('Pago recibido');
  await page.goBack();
  await page.waitForURL('**/cart');
  expect(await page.locator('main').textContent()).toContain('Tu carrito está vacío');
  await expectOneCharge(shop, { sessions: 1 });
});

test('a card page left open in another tab leads to the order that was paid, and charges nothing', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  await using visit = await openVisit(shop);
  const { page } = visit;
  const stale = await visit.context.newPage();
  visit.expectTrouble(/^console error: Failed to load resource: .* 409 .*access-token$/);

  await fillCardPage(page, cards.authorized);
  await stale.goto('/checkout/card');
  await fillContact(stale);
  await typeCard(stale, cards.authorized);
  await page.getByTestId('pay-card').click();
  await untilOrderIs(page, 'paid');
  await stale.getByTestId('pay-card').click();

  expect(await orderState(stale)).toBe('paid');
  expect(stale.url()).toBe(page.url());
  await expectOneCharge(shop, { payments: 1 });
});

test('what is added in another tab while paying is not in the order, and is in the cart afterwards', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  await using visit = await openVisit(shop);
  const { page } = visit;
  const other = await visit.context.newPage();

  await reachHostedPage(page);
  for (const slug of ['jarra-de-barro-negro', 'taza-de-talavera']) await addByHand(other, slug);
  await payWith(page, cards.succeeds);

  expect(await orderState(page)).toBe('paid');
  expect(await page.getByTestId('cart-count').textContent()).toBe('2');
  expect(shop.simulator.control.ledger().map(({ amountMinor }) => amountMinor)).toEqual([28_900]);
});
