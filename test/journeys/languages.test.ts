import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { audit } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { cards, fillCheckout, fillContact, orderState, payWith, submitHosted } from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

async function switchTo(page: Page, code: string): Promise<void> {
  await page.getByTestId(`language-${code}`).click();
  await page.locator(`html[lang="${code}"]`).waitFor();
}

/** Expects an accessible page with this language and heading. */
async function expectPage(page: Page, lang: string, heading: string): Promise<void> {
  expect(await page.locator('html').getAttribute('lang')).toBe(lang);
  expect(await page.locator('h1').textContent()).toBe(heading);
  expect([page.url(), await audit(page)]).toEqual([page.url(), []]);
}

test('a customer with an English browser buys in English, from the catalog through the hosted page to the order', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  await using visit = await openVisit(shop, { locale: 'en-US' });
  const { page } = visit;

  for (const path of ['/', '/products/taza-de-talavera', '/cart']) {
    await page.goto(path);
    expect([path, await audit(page)]).toEqual([path, []]);
  }
  await fillCheckout(page);
  await expectPage(page, 'en', 'Checkout');
  await submitHosted(page);
  await expectPage(page, 'en', 'Pay for your order');
  await payWith(page, cards.succeeds);
  await page.getByTestId('order-state').waitFor();
  await expectPage(page, 'en', 'Thank you! Your payment is confirmed');
});

test('a customer who switches the locale keeps page, form and order, also after an error in the form', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  await using visit = await openVisit(shop, { locale: 'es-MX' });
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);

  await page.goto('/products/taza-de-talavera');
  await switchTo(page, 'en');
  expect(page.url()).toContain('/products/taza-de-talavera');
  await fillCheckout(page);
  await page.locator('#email').fill('eva.ruiz');
  await page.getByTestId('pay-hosted').click();
  await page.locator('#email-error').waitFor();
  await switchTo(page, 'es-MX');
  await switchTo(page, 'en');
  expect(await page.locator('h1').textContent()).toBe('Checkout');
  await fillContact(page);
  await submitHosted(page);
  await payWith(page, cards.succeeds);
  expect(await orderState(page)).toBe('paid');
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
  const order = page.url();
  await switchTo(page, 'es-MX');
  expect(page.url()).toBe(order);
  expect(await orderState(page)).toBe('paid');
});
