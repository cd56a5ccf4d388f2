import { afterAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { audit } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { contact } from '../support/customer.js';
import { allOrders } from '../support/inspect.js';
import {
  cards,
  fillAddress,
  fillCart,
  fillContact,
  orderState,
  payWith,
  submitHosted,
  typeCard,
  untilOrderIs,
} from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

const shop = await openTestShop({ foreignGateway: true });
afterAll(async () => shop[Symbol.asyncDispose]());

async function expectAccessible(page: Page): Promise<void> {
  expect([page.url(), await audit(page)]).toEqual([page.url(), []]);
}

const shownTotal = (page: Page) => page.locator('.summary [data-shown-total]').textContent();
const latestOrder = async () => (await allOrders(shop)).at(-1);

test.each([
  ['es-MX', 'Ciudad de México', 'Envío a domicilio', '$'],
  ['en', 'Mexico City', 'Home delivery', 'MX$'],
])('in %s the chosen delivery switches total and address, and the order page shows both', async (...row) => {
  const [locale, capital, option, sign] = row;
  await using visit = await openVisit(shop, { locale });
  const { page } = visit;
  await fillCart(page);

  await page.goto('/checkout');
  await expectAccessible(page);
  const totals = [await shownTotal(page)];
  await page.locator('#shipping-pickup').check();
  totals.push(await shownTotal(page));
  expect(await page.locator('#street').isVisible()).toBe(false);
  await expectAccessible(page);
  await page.locator('#shipping-standard').check();
  totals.push(await shownTotal(page));
  for (const [name, value] of Object.entries(contact)) await page.locator(`#${name}`).fill(value);
  await fillAddress(page);
  await page.locator('#state').selectOption({ label: capital });
  await page.locator('#postal_code').fill('06000');
  await submitHosted(page);
  await payWith(page, cards.succeeds);

  await untilOrderIs(page, 'paid');
  await expectAccessible(page);
  expect(totals).toEqual([`${sign}388.00`, `${sign}289.00`, `${sign}388.00`]);
  expect(await latestOrder()).toMatchObject({ total: 38_800, deliveryState: 'CMX', postalCode: '06000' });
  const detail = await page.locator('[aria-labelledby="detail-title"]').textContent();
  for (const text of [option, capital, 'Calle Macedonio Alcalá 507', '$99.00', '$388.00'])
    expect(detail).toContain(text);
});

test.each([
  ['es-MX', 'Ahora es $289.00'],
  ['en', 'It is now MX$289.00'],
])(
  'in %s without JavaScript another delivery is confirmed with its total before the payment',
  async (...row) => {
    const [locale, notice] = row;
    await using visit = await openVisit(shop, { locale, javaScriptEnabled: false });
    const { page } = visit;
    visit.expectTrouble(/^console error: Failed to load resource: .* 409/);
    await fillCart(page);

    await page.goto('/checkout');
    for (const [name, value] of Object.entries(contact)) await page.locator(`#${name}`).fill(value);
    await fillAddress(page);
    await page.locator('#shipping-pickup').check();
    await page.getByTestId('pay-hosted').click();
    expect(await page.locator('.notice').textContent()).toContain(notice);
    await page.locator('#shipping-standard').check();
    await page.getByTestId('update-total').click();
    expect(await shownTotal(page)).toContain('$388.00');
    expect(await page.locator('#street').inputValue()).toBe('Calle Macedonio Alcalá 507');
    await submitHosted(page);
    await payWith(page, cards.succeeds);

    expect(await orderState(page)).toBe('paid');
    expect(await latestOrder()).toMatchObject({ total: 38_800, deliveryState: 'OAX' });
  },
);

test('a card is charged the total of the chosen delivery, and hidden address fields are not required', async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  await fillCart(page);

  await page.goto('/checkout/card');
  const labels = [await page.getByTestId('pay-card').textContent()];
  await page.getByTestId('pay-card').click();
  await page.locator('#state-error').waitFor();
  await expectAccessible(page);
  await fillContact(page);
  labels.push(await page.getByTestId('pay-card').textContent());
  await typeCard(page, cards.succeeds);
  await page.getByTestId('pay-card').click();

  await untilOrderIs(page, 'paid');
  expect(labels).toEqual(['Pagar $388.00', 'Pagar $289.00']);
  expect(await latestOrder()).toMatchObject({ total: 28_900, shippingOption: 'pickup', street: '' });
});

test('after Back the chosen delivery, its total and the typed address are still there', async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  await fillCart(page);
  await page.goto('/checkout');
  await fillContact(page);
  await submitHosted(page);

  await page.goBack();

  await page.locator('#shipping-pickup:checked').waitFor();
  expect([await shownTotal(page), await page.locator('#street').isVisible()]).toEqual(['$289.00', false]);
});
