import { expect, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { newTotpSecret } from '../../src/admin/second-factor.js';
import { updateAdminUser } from '../../src/db/admin-users.js';
import { insertOrder } from '../../src/db/orders.js';
import { PAID_JOBS, queueJobs } from '../../src/db/outbox.js';
import { PASSWORD } from '../support/admin.js';
import { audit } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { LINE, orderRow } from '../support/rows.js';
import { cards, payWith, reachHostedPage, untilOrderIs } from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

const PHONE = { viewport: { width: 390, height: 800 } };

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Usuario').fill('admin');
  await page.getByLabel('Contraseña').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByTestId('admin-sales').waitFor();
}

async function expectAccessible(page: Page): Promise<void> {
  expect([page.url(), await audit(page)]).toEqual([page.url(), []]);
}

test('a merchant in the back office on a phone decides an order in review, and the customer sees that the payment was returned', async () => {
  await using shop = await openTestShop({ foreignGateway: true, env: { ADMIN_PASSWORD: PASSWORD } });
  await using customer = await openVisit(shop);
  await using merchant = await openVisit(shop, PHONE);
  const { page } = merchant;
  merchant.expectTrouble(/^console error: Failed to load resource: .* 401/);

  await reachHostedPage(customer.page);
  shop.simulator.control.fault('read-session', { kind: 'rewrite', set: { amount_total: 1 } });
  await payWith(customer.page, cards.succeeds);
  await untilOrderIs(customer.page, 'review');
  await page.goto('/admin');
  await page.getByLabel('Usuario').fill('admin');
  await page.getByLabel('Contraseña').fill('wrong');
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.locator('#password-error').waitFor();
  await expectAccessible(page);
  await signIn(page);
  expect(await page.getByTestId('admin-in-review').getByRole('row').count()).toBe(2);
  await expectAccessible(page);
  await page.getByTestId('admin-in-review').getByRole('link', { name: /^TG-/ }).click();
  await page.getByLabel('Ya devolví el dinero').check();
  await page.getByLabel('Nota').fill('folio 4711');
  await expectAccessible(page);
  await page.getByTestId('admin-decide').click();
  await page.getByTestId('admin-result').waitFor();
  await customer.page.reload();

  expect(await page.getByTestId('admin-order').textContent()).toContain('Cancelado');
  await page.getByText('Nota: folio 4711').waitFor();
  await expectAccessible(page);
  expect(await customer.page.locator('main').textContent()).toContain('Te devolvimos el pago');
});

test('a merchant in the back office on a phone changes the price of a product, after a field error', async () => {
  await using shop = await openTestShop({ env: { ADMIN_PASSWORD: PASSWORD } });
  await using merchant = await openVisit(shop, PHONE);
  const { page } = merchant;
  merchant.expectTrouble(/^console error: Failed to load resource: .* 422/);

  await page.goto('/admin');
  await signIn(page);
  await page.getByRole('link', { name: 'Productos' }).click();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Taza de talavera azul' }).click();
  await page.getByLabel('Precio').fill('1.099,00');
  await page.getByTestId('admin-save').click();
  await page.locator('#price-error').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Precio').fill('300');
  await page.getByTestId('admin-save').click();
  await page.getByTestId('admin-result').waitFor();

  expect(await page.getByTestId('admin-history').textContent()).toContain('289.00 → 300.00');
  await expectAccessible(page);
});

test('a merchant in the back office on a phone uses overview, order list, export, job retry and the other locale with the keyboard', async () => {
  await using shop = await openTestShop({ env: { ADMIN_PASSWORD: PASSWORD } });
  await using merchant = await openVisit(shop, PHONE);
  const { page } = merchant;
  const { queries } = shop.context.checkout.db;
  const now = shop.clock.now();
  merchant.expectTrouble(/^console error: Failed to load resource: .* 422/);
  const orders = Array.from({ length: 51 }, (_, nth) =>
    orderRow({ number: `TG-${nth}`, state: 'paid', createdAt: now - nth * 60_000, paidAt: now }),
  );
  for (const order of orders) await insertOrder(queries, order, [LINE]);
  await queueJobs(queries, orders[0]?.id ?? '', { jobs: PAID_JOBS, at: now });
  await queries
    .updateTable('outbox')
    .set({ nextAt: now + 3_600_000, lastError: 'Error' })
    .execute();

  await page.goto('/admin');
  await signIn(page);
  for (const table of await page.getByText('Ver como tabla').all()) await table.press('Enter');
  expect(await page.getByRole('table', { name: 'Ventas por día' }).getByRole('row').count()).toBe(31);
  await expectAccessible(page);
  await page.getByRole('navigation').getByRole('link', { name: 'Pedidos' }).press('Enter');
  await page.getByLabel('Estado').selectOption('paid');
  await page.getByTestId('admin-search').press('Enter');
  await page.waitForURL('**/admin/orders?*state=paid*');
  expect(await page.getByRole('row').count()).toBe(51);
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await page.getByTestId('admin-export').press('Enter');
  expect((await download).suggestedFilename()).toBe('pedidos.csv');
  await page.getByTestId('admin-older').press('Enter');
  await page.getByTestId('admin-newer').waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await page.goto('/admin/orders/TG-0');
  await page.getByRole('button', { name: 'Reintentar ahora: Recibo por correo' }).press('Enter');
  await page.getByTestId('admin-result').waitFor();
  await page.getByTestId('language-en').press('Enter');
  await page.getByText('An admin user requested a retry').waitFor();
  await expectAccessible(page);
  await page.goto('/admin/orders?q=ab&from=2026-02-31&state=x');
  await expectAccessible(page);
});

test('a manager with a second factor signs in on a phone by keyboard after a wrong code, and sees users and sign-ins', async () => {
  await using shop = await openTestShop({ env: { ADMIN_PASSWORD: PASSWORD } });
  await using manager = await openVisit(shop, PHONE);
  const { page } = manager;
  const secret = newTotpSecret();
  const { db } = shop.context.checkout;
  await updateAdminUser(db.queries, 'admin', { totpSecret: secret, updatedAt: 1 });
  manager.expectTrouble(/^console error: Failed to load resource: .* 401/);

  await page.goto('/admin');
  await page.getByLabel('Usuario').fill('admin');
  await page.getByLabel('Contraseña').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByLabel('Código').fill('abcdef');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.locator('#code-error').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Código').fill(new TOTP({ secret }).generate({ timestamp: shop.clock.now() }));
  await page.keyboard.press('Enter');
  await page.getByTestId('admin-sales').waitFor();
  await page.getByRole('link', { name: 'Usuarios' }).press('Enter');
  await page.getByRole('cell', { name: 'Código incorrecto' }).waitFor();

  expect(await page.getByTestId('admin-users').getByRole('row').nth(1).textContent()).toContain('Gerencia');
  await expectAccessible(page);
});
