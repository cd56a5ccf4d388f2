import { expect, test } from '@jest/globals';
import { PASSWORD } from '../support/admin.js';
import { expectAccessible } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { openPaidOrder, orderOf } from '../support/refunds.js';
import { openTestShop } from '../support/test-shop.js';

test('a merchant on a phone refunds a part at the gateway, loses the answer of the rest, resolves it, and the customer sees both', async () => {
  const env = { REFUNDS: 'gateway', REFUND_PARTIAL: 'on' };
  await using shop = await openTestShop({ env, profile: 'interface' });
  const { control } = shop.simulator;
  control.settings({ refundsPerPayment: 'several' });
  const { attempt } = await openPaidOrder(shop);
  const { number, token } = await orderOf(shop, attempt);
  await using customer = await openVisit(shop);
  await using merchant = await openVisit(shop, { viewport: { width: 390, height: 800 } });
  const { page } = merchant;
  merchant.expectTrouble(/^console error: Failed to load resource: .* 422/);

  await page.goto(`/admin/orders/${number}`);
  await page.getByLabel('Usuario').fill('admin');
  await page.getByLabel('Contraseña').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByTestId('admin-sales').waitFor();
  await page.goto(`/admin/orders/${number}`);
  await page.getByRole('link', { name: /^Reembolsar…/ }).click();
  await page.getByLabel('Monto').fill('300');
  await page.getByTestId('refund-continue').click();
  await page.locator('#chosen_amount-error').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Elige si los productos' }).click();
  await page.getByLabel('No, el inventario no cambia').check();
  await page.getByLabel('Monto').fill('100.50');
  await page.getByLabel('Motivo').fill('La taza llegó rota');
  await page.getByTestId('refund-continue').click();
  await page.getByLabel('Para confirmar, escribe el monto: 100.50').fill('10.05');
  await page.getByTestId('refund-submit').click();
  await page.locator('#amount-error').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Para confirmar').fill('100.50');
  await page.getByTestId('refund-submit').click();
  await page.getByTestId('admin-result').getByText('El reembolso se hizo.').waitFor();

  control.fault('refund', { kind: 'drop', when: 'after' }, 1);
  await page.getByRole('link', { name: /^Reembolsar…/ }).click();
  expect(await page.getByLabel('Monto').inputValue()).toBe('188.50');
  await page.getByLabel('Motivo').fill('No quiso otra');
  await page.getByLabel('No, el inventario no cambia').check();
  await page.getByTestId('refund-continue').click();
  await page.getByLabel('Para confirmar').fill('188.50');
  await page.getByTestId('refund-submit').click();
  await page.getByTestId('admin-refunds').getByText('Resultado desconocido').waitFor();
  await page.getByTestId('refund-check').click();
  await page.getByText('Escribe el ID como lo muestra la pasarela').first().waitFor();
  await page.getByText('Ya lo busqué en el panel').click();
  await page.locator('summary', { hasText: 'Pedirlo otra vez' }).click();
  await expectAccessible(page);
  await page.goto('/admin');
  await page.getByTestId('admin-health').getByText('Reembolsos por resolver').waitFor();
  await expectAccessible(page);
  await page.getByTestId('admin-health').getByRole('link', { name: number, exact: true }).click();
  await page.getByText('Ya lo busqué en el panel').click();
  await page.getByTestId('refund-refunded').click();
  await page.getByTestId('admin-result').getByText('El reembolso se hizo.').waitFor();
  await customer.page.goto(`/orders/${token}`);

  expect(control.refundLedger().map(({ amountMinor }) => amountMinor)).toEqual([10_050, 18_850]);
  expect(await page.getByTestId('admin-refund-row').count()).toBe(2);
  expect(await customer.page.locator('main').textContent()).toContain('Te reembolsamos $289.00');
});

test('a merchant records a refund and a chargeback with their days', async () => {
  await using shop = await openTestShop({ env: { REFUND_PARTIAL: 'on' } });
  const { attempt } = await openPaidOrder(shop);
  const { number } = await orderOf(shop, attempt);
  await using merchant = await openVisit(shop);
  const { page } = merchant;

  await page.goto('/admin');
  await page.getByLabel('Usuario').fill('admin');
  await page.getByLabel('Contraseña').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByTestId('admin-sales').waitFor();
  for (const [link, amount] of [
    ['Registrar un reembolso hecho en la pasarela…', '89.00'],
    ['Registrar un contracargo…', '200.00'],
  ] as const) {
    await page.goto(`/admin/orders/${number}`);
    await page.getByRole('link', { name: link }).click();
    await page.getByLabel('Motivo').fill('acordado por teléfono');
    await page.getByLabel('Monto').fill(amount);
    await expectAccessible(page);
    const stock = page.getByLabel('No, el inventario no cambia');
    if (await stock.isVisible()) await stock.check();
    await page.getByTestId('refund-continue').click();
    await page.getByLabel('Para confirmar').fill(amount);
    await page.getByTestId('refund-submit').click();
    await page.getByTestId('admin-result').getByText('Quedó registrado').waitFor();
  }

  const section = await page.getByTestId('admin-refunds').textContent();
  for (const part of ['Reembolso de $89.00', 'Contracargo de $200.00', 'acordado por teléfono'])
    expect(section).toContain(part);
  expect(shop.simulator.control.calls('refund')).toEqual([]);
});
