import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openVisit } from '../support/browser.js';
import {
  cards,
  fillCheckout,
  fillContact,
  orderState,
  payWith,
  reachHostedPage,
  submitHosted,
} from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

async function language(page: Page): Promise<string | null> {
  return page.locator('html').getAttribute('lang');
}

async function switchTo(page: Page, code: string): Promise<void> {
  await page.getByTestId(`language-${code}`).click();
  await page.locator(`html[lang="${code}"]`).waitFor();
}

describe('two languages', () => {
  test('a browser that asks for English gets the whole way in English, the hosted page too', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop, { locale: 'en-US' });
    const { page } = visit;

    await fillCheckout(page);
    const checkout = { lang: await language(page), heading: await page.locator('h1').textContent() };
    await submitHosted(page);
    const hosted = { lang: await language(page), heading: await page.locator('h1').textContent() };
    await payWith(page, cards.succeeds);
    await page.getByTestId('order-state').waitFor();

    expect(checkout).toEqual({ lang: 'en', heading: 'Checkout' });
    expect(hosted).toEqual({ lang: 'en', heading: 'Pay for your order' });
    expect(await language(page)).toBe('en');
    expect(await page.locator('h1').textContent()).toBe('Thank you! Your payment is confirmed');
  });

  test('the choice by hand is kept from page to page; the hosted page asks the browser and has a switch of its own', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop, { locale: 'es-MX' });
    const { page } = visit;

    await page.goto('/products/taza-de-talavera');
    await switchTo(page, 'en');
    expect(page.url()).toContain('/products/taza-de-talavera');
    await reachHostedPage(page);
    expect(await language(page)).toBe('es');
    await page.getByRole('link', { name: 'English' }).click();
    await page.locator('html[lang="en"]').waitFor();
    await payWith(page, cards.declined);
    expect(await page.getByTestId('message').textContent()).toContain('The payment did not go through');
    await payWith(page, cards.succeeds);
    expect(await orderState(page)).toBe('paid');
    expect(await language(page)).toBe('en');
    const order = page.url();
    await switchTo(page, 'es-MX');
    expect(page.url()).toBe(order);
    expect(await orderState(page)).toBe('paid');
  });

  test('after an error in the form the switch leads back to the form', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;
    visit.expectTrouble(/^console error: Failed to load resource: .* 422/);

    await fillCheckout(page);
    await page.locator('#email').fill('eva.ruiz');
    await page.getByTestId('pay-hosted').click();
    await page.locator('#email-error').waitFor();
    await switchTo(page, 'en');

    expect(await page.locator('h1').textContent()).toBe('Checkout');
    await fillContact(page);
    await submitHosted(page);
  });
});
