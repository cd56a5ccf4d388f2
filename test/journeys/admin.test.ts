import { expect, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { newTotpSecret } from '../../src/admin/credentials.js';
import { updateAdminUser } from '../../src/db/admin-users.js';
import { insertOrder } from '../../src/db/orders.js';
import { brand } from '../../src/locales/brand.js';
import { queuePaidJobs } from '../../src/shop/shop-jobs.js';
import { expectAccessible } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { SHIPPED } from '../support/catalog.js';
import { contact } from '../support/customer.js';
import { LINE, orderRow } from '../support/rows.js';
import {
  cards,
  fillCheckout,
  PHONE,
  payWith,
  reachHostedPage,
  signIn,
  submitHosted,
  untilOrderIs,
} from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';
import { typeInto } from '../support/typing.js';

test('a merchant in the back office on a phone decides an order in review, and the customer sees that the payment was returned', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  await using customer = await openVisit(shop);
  await using merchant = await openVisit(shop, PHONE);
  const { page } = merchant;
  merchant.expectTrouble(/^console error: Failed to load resource: .* 422/);

  await reachHostedPage(customer.page);
  shop.simulator.control.fault('read-session', { kind: 'rewrite', set: { transaction_status: 'Declined' } });
  await payWith(customer.page, cards.succeeds);
  await untilOrderIs(customer.page, 'review');
  await signIn(page);
  await page
    .getByTestId('admin-in-review')
    .getByRole('link', { name: new RegExp(`^${brand.orderPrefix}-`) })
    .click();
  await page.getByLabel('Ya devolví el dinero').check();
  await page.getByTestId('admin-decide').click();
  await page.locator('#decision_note-error').waitFor();
  await expectAccessible(page);
  await typeInto(page.getByLabel('Nota', { exact: true }), 'folio 4711');
  await page.getByTestId('admin-decide').click();
  await page.getByTestId('admin-result').waitFor();
  await customer.page.reload();

  expect(await page.getByTestId('admin-order').textContent()).toContain('Cancelado');
  await page.getByText('Nota: folio 4711').waitFor();
  await page.getByText('Borrar los datos del cliente').first().press('Enter');
  await page.getByTestId('admin-erase').click();
  await page.locator('#confirmation-error').waitFor();
  await expectAccessible(page);
  await typeInto(page.getByLabel('Para confirmar'), contact.email);
  await page.getByTestId('admin-erase').click();
  await page.getByText('Pedidos con datos borrados: 1.').first().waitFor();
  expect(await customer.page.locator('main').textContent()).toContain('Te devolvimos el pago');
});

test('a merchant with a second factor uses overview, orders, export, job retry, products and users on a phone by keyboard', async () => {
  await using shop = await openTestShop();
  await using merchant = await openVisit(shop, PHONE);
  const { page } = merchant;
  const { queries } = shop.context.checkout.db;
  const now = shop.clock.now();
  const secret = newTotpSecret();
  await updateAdminUser(queries, 'admin', { totpSecret: secret, updatedAt: 1 });
  merchant.expectTrouble(/^console error: Failed to load resource: .* 401/);
  merchant.expectTrouble(/^console error: Failed to load resource: .* 422/);
  const orders = Array.from({ length: 51 }, (_, nth) =>
    orderRow({ number: `TG-${nth}`, state: 'paid', createdAt: now - nth * 60_000, paidAt: now }),
  );
  for (const order of orders) await insertOrder(queries, order, [LINE]);
  await queuePaidJobs(queries, orders[0]?.id ?? '', now);
  await queries
    .updateTable('outbox')
    .set({ nextAt: now + 3_600_000, lastError: 'Error' })
    .execute();

  await signIn(page);
  await typeInto(page.getByLabel('Código'), 'abcdef');
  await page.keyboard.press('Enter');
  await page.locator('#code-error').waitFor();
  await expectAccessible(page);
  await typeInto(page.getByLabel('Código'), new TOTP({ secret }).generate({ timestamp: shop.clock.now() }));
  await page.keyboard.press('Enter');
  await page.getByTestId('admin-sales').waitFor();
  for (const table of await page.getByText('Ver como tabla').all()) await table.press('Enter');
  await expectAccessible(page);

  await page.getByText('Menú').press('Enter');
  await page.getByRole('navigation').getByRole('link', { name: 'Pedidos' }).press('Enter');
  await page.getByLabel('Estado').selectOption('paid');
  await page.getByTestId('admin-search').press('Enter');
  await page.waitForURL('**/admin/orders?*state=paid*');
  const download = page.waitForEvent('download');
  await page.getByTestId('admin-export').press('Enter');
  expect((await download).suggestedFilename()).toBe('pedidos.csv');
  await page.getByTestId('admin-older').press('Enter');
  await page.getByTestId('admin-newer').waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await expectAccessible(page);
  await page.goto('/admin/orders/TG-0');
  await page.getByRole('button', { name: 'Reintentar ahora: Recibo por correo' }).press('Enter');
  await page.getByTestId('admin-result').waitFor();

  await page.getByText('Menú').press('Enter');
  await page.getByRole('link', { name: 'Productos' }).press('Enter');
  await page.getByRole('link', { name: 'Taza de talavera azul' }).press('Enter');
  await typeInto(page.getByLabel('Precio'), '1.099,00');
  await page.getByTestId('admin-save').press('Enter');
  await page.locator('#price-error').waitFor();
  await expectAccessible(page);
  await typeInto(page.getByLabel('Precio'), '300');
  await page.getByTestId('admin-save').press('Enter');
  await page.getByTestId('admin-result').waitFor();
  expect(await page.getByTestId('admin-history').textContent()).toContain('$289.00 → $300.00');

  await page.getByText('Menú').press('Enter');
  await page.getByRole('link', { name: 'Usuarios' }).press('Enter');
  await page.getByRole('cell', { name: 'Código incorrecto' }).waitFor();
  await expectAccessible(page);
});

/** One page with the merchant's identity, without buttons and navigation. */
async function expectPrintedReceipt(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  const pages = (await page.pdf({ format: 'Letter' })).toString('latin1').match(/\/Type\s*\/Page\b/g);
  const visible = (selector: string) => page.locator(selector).filter({ visible: true }).count();

  expect(pages).toHaveLength(1);
  expect(await visible('button, .button, nav, footer ul, #invoice')).toBe(0);
  for (const text of ['Recibo de pago', brand.merchant.legalName, brand.merchant.address])
    expect(await page.getByText(text).filter({ visible: true }).count()).toBe(1);
  await page.emulateMedia({ media: 'screen' });
}

test('a merchant finds a paid order to ship, prints its packing slip and ships it, and the customer gets the tracking link', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  await using customer = await openVisit(shop);
  await using merchant = await openVisit(shop);
  const { page } = merchant;
  merchant.expectTrouble(/^console error: Failed to load resource: .* 422/);
  const tracking = 'https://www.dhl.com/mx-es/home/rastreo.html?tracking-id=1234567890';

  await fillCheckout(customer.page, SHIPPED);
  await submitHosted(customer.page);
  await payWith(customer.page, cards.succeeds);
  await customer.page.getByTestId('order-state').getByText('En preparación').waitFor();
  await signIn(page);
  await page.goto('/admin/orders');
  await page.getByLabel('Envío').selectOption('Por preparar');
  await page.getByTestId('admin-search').click();
  await page
    .getByRole('row')
    .getByRole('link', { name: new RegExp(`^${brand.orderPrefix}-`) })
    .click();
  await page.getByRole('link', { name: 'Lista de empaque' }).click();
  await page.getByRole('button', { name: 'Imprimir' }).waitFor();
  await expectAccessible(page);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('banner').isVisible()).toBe(false);
  expect(await page.getByTestId('packing-slip').textContent()).toContain(SHIPPED);
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('link', { name: 'Volver' }).click();
  await typeInto(page.getByLabel('Número de guía'), 'no es una guía');
  await page.getByTestId('admin-ship').click();
  await page.locator('#carrier-error').waitFor();
  expect(await page.getByLabel('Número de guía').inputValue()).toBe('no es una guía');
  await expectAccessible(page);
  await page.getByLabel('Paquetería').selectOption('DHL');
  await typeInto(page.getByLabel('Número de guía'), '1234567890');
  await page.getByTestId('admin-ship').click();
  await page.getByTestId('admin-result').waitFor();
  await customer.page.reload();
  expect(await customer.page.getByRole('link', { name: 'Rastrear mi paquete' }).getAttribute('href')).toBe(tracking);
  await expectAccessible(customer.page);
  await expectPrintedReceipt(customer.page);
  await page.getByTestId('admin-to-delivered').click();
  await page.getByTestId('admin-fulfillment').getByText('Entregado').waitFor();
});
