import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../support/admin.js';
import { audit } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { theOrder } from '../support/inspect.js';
import { receiveMails } from '../support/mailbox.js';
import { cards, fillAddress, fillCheckout, payWith, submitHosted, untilOrderIs } from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

async function expectAccessible(page: Page): Promise<void> {
  expect([page.url(), await audit(page)]).toEqual([page.url(), []]);
}

test('a merchant finds a paid order to ship, prints its packing slip and ships it, and the customer gets the tracking link', async () => {
  await using shop = await openTestShop({ foreignGateway: true, env: { ADMIN_PASSWORD: PASSWORD } });
  await using customer = await openVisit(shop);
  await using merchant = await openVisit(shop);
  await using reader = await openVisit(shop);
  const { page } = merchant;
  merchant.expectTrouble(/^console error: Failed to load resource: .* 422/);
  const tracking = 'https://www.dhl.com/mx-es/home/rastreo.html?tracking-id=1234567890';

  await fillCheckout(customer.page);
  await customer.page.locator('#shipping-standard').check();
  await fillAddress(customer.page);
  await submitHosted(customer.page);
  await payWith(customer.page, cards.succeeds);
  await untilOrderIs(customer.page, 'paid');
  await customer.page.getByTestId('order-fulfillment').getByText('En preparación').waitFor();
  await page.goto('/admin/orders');
  await page.getByLabel('Usuario').fill('admin');
  await page.getByLabel('Contraseña').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByTestId('admin-sales').waitFor();
  await page.goto('/admin/orders');
  await page.getByLabel('Solo pedidos por enviar o entregar').check();
  await page.getByTestId('admin-search').click();
  await page.getByRole('row').getByRole('link', { name: /^TG-/ }).click();
  await page.getByRole('link', { name: 'Hoja de empaque' }).click();
  await page.getByTestId('packing-slip').getByRole('button', { name: 'Imprimir' }).waitFor();
  await expectAccessible(page);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('banner').isVisible()).toBe(false);
  expect(await page.getByTestId('packing-slip').textContent()).toContain('taza-talavera');
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('link', { name: 'Volver al pedido' }).click();
  await page.getByLabel('Número de guía').fill('no es una guía');
  await page.getByTestId('admin-ship').click();
  await page.locator('#carrier-error').waitFor();
  expect(await page.getByLabel('Número de guía').inputValue()).toBe('no es una guía');
  await expectAccessible(page);
  await page.getByLabel('Paquetería').selectOption('DHL');
  await page.getByLabel('Número de guía').fill('1234567890');
  await page.getByTestId('admin-ship').click();
  await page.getByTestId('admin-result').waitFor();
  expect(await page.getByTestId('admin-fulfillment').textContent()).toContain('Enviado');
  await expectAccessible(page);
  await page.getByText('Corregir el envío').click();
  await page.getByLabel('Número de guía').fill('');
  await page.getByRole('button', { name: 'Guardar la corrección' }).click();
  await page.locator('#tracking_number-error').waitFor();
  await expectAccessible(page);
  await customer.page.reload();
  expect(await customer.page.getByTestId('track').getAttribute('href')).toBe(tracking);
  await expectAccessible(customer.page);
  const { number } = await theOrder(shop);
  const mail = (await receiveMails(shop)).find(({ subject }) => subject.includes('en camino'));
  await reader.page.setContent(mail?.html ?? '');

  expect(mail?.subject).toBe(`Tu pedido ${number} va en camino`);
  expect(await reader.page.getByRole('link').first().getAttribute('href')).toBe(tracking);
  expect(await audit(reader.page)).toEqual([]);
  await page.getByTestId('admin-to-delivered').click();
  await page.getByTestId('admin-fulfillment').getByText('Entregado').waitFor();
});
