/** `examples/minimal` on a phone in Chromium: the policy lets the redirects to the gateway and the bank work. */
import { afterAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { contact } from '../support/customer.js';
import { cardholder, cards, HOSTED_PAGE, PHONE, payWith } from '../support/steps.js';
import { openExample } from './support.js';

// The gateway is another site, as in production.
const example = await openExample({ host: '127.0.0.1' });
afterAll(() => example[Symbol.asyncDispose]());

async function fillCart(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: 'Agregar Café de Chiapas' }).click();
  await page.getByText('1 × Café').waitFor();
}

async function fillContact(page: Page): Promise<void> {
  await page.getByLabel('Nombre', { exact: true }).fill(contact.first_name);
  await page.getByLabel('Apellidos').fill(contact.last_name);
  await page.getByLabel('Correo electrónico').fill(contact.email);
}

async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Número de tarjeta').fill(number);
  await page.getByLabel('Nombre en la tarjeta').fill(cardholder);
  await page.getByLabel('Vencimiento').fill('11/39');
  await page.getByLabel('Código de seguridad').fill('918');
}

const untilPaid = (page: Page) => page.locator('[data-state="paid"]').waitFor();

test.each([true, false])(
  'a customer pays on the hosted page and returns, with JavaScript: %s',
  async (javaScriptEnabled) => {
    const { page } = await openVisit(example, { ...PHONE, javaScriptEnabled });
    await fillCart(page);
    await fillContact(page);

    await page.getByRole('button', { name: 'Pagar en la página segura' }).click();
    await page.waitForURL(HOSTED_PAGE);
    await payWith(page, cards.succeeds);

    await untilPaid(page);
    await page.getByRole('link', { name: 'Volver a la tienda' }).click();
    await page.getByText('Está vacío.').waitFor();
  },
);

test('a customer pays by card with 3D Secure, after a mistyped card and a declined one', async () => {
  const { page } = await openVisit(example, PHONE);
  await fillCart(page);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Pagar con tarjeta' }).click();
  await fillContact(page);
  await fillCard(page, '4456');
  await page.getByRole('button', { name: 'Pagar' }).click();
  await page.getByText('Revisa el número de la tarjeta.').waitFor();
  expect(await page.getByLabel('Número de tarjeta').getAttribute('aria-invalid')).toBe('true');
  await expectAccessible(page);
  await fillCard(page, cards.declined);
  await page.getByRole('button', { name: 'Pagar' }).click();
  await page.getByText('Puedes pagar de nuevo').waitFor();
  await page.getByRole('link', { name: 'Volver a la tienda' }).click();
  await page.getByRole('link', { name: 'Pagar con tarjeta' }).click();
  expect(await page.getByLabel('Correo electrónico').inputValue()).toBe(contact.email);
  await fillCard(page, cards.challenged);

  await page.getByRole('button', { name: 'Pagar' }).click();
  await page.waitForURL('**/bank/*');
  await page.getByTestId('approve').click();

  await untilPaid(page);
});
