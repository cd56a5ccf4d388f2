import { describe, expect, test } from '@jest/globals';
import { insertOrder } from '../../src/db/orders.js';
import { queuePaidJobs } from '../../src/db/outbox.js';
import { PASSWORD } from '../support/admin.js';
import { audit } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { LINE, orderRow } from '../support/rows.js';
import { cards, payWith, reachHostedPage, untilOrderIs } from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

describe('the merchant in the back office', () => {
  test('signs in, finds the order that waits, gives the money back, and the customer reads so', async () => {
    await using shop = await openTestShop({ foreignGateway: true, env: { ADMIN_PASSWORD: PASSWORD } });
    await using customer = await openVisit(shop);
    await using merchant = await openVisit(shop, { viewport: { width: 390, height: 800 } });
    const { page } = merchant;
    merchant.expectTrouble(/^console error: Failed to load resource: .* 401/);

    await reachHostedPage(customer.page);
    shop.simulator.control.fault('read-session', { kind: 'rewrite', set: { amount_total: 1 } });
    await payWith(customer.page, cards.succeeds);
    await untilOrderIs(customer.page, 'review');
    await page.goto('/admin');
    expect(await audit(page)).toEqual([]);
    await page.getByLabel('Contraseña').fill('wrong');
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.locator('#password-error').waitFor();
    expect(await audit(page)).toEqual([]);
    await page.getByLabel('Contraseña').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByTestId('admin-waiting').waitFor();
    expect(await page.getByTestId('admin-waiting').getByRole('row').count()).toBe(2);
    expect(await audit(page)).toEqual([]);
    await page.getByTestId('admin-waiting').getByRole('link', { name: /^TG-/ }).click();
    expect(await audit(page)).toEqual([]);
    await page.getByLabel('Ya devolví el dinero').check();
    await page.getByLabel('Nota').fill('folio 4711');
    await page.getByTestId('admin-decide').click();
    await page.getByTestId('admin-said').waitFor();
    await customer.page.reload();

    expect(await page.getByTestId('admin-order').textContent()).toContain('Cancelado');
    await page.getByText('Nota: folio 4711').waitFor();
    expect(await audit(page)).toEqual([]);
    expect(await customer.page.locator('main').textContent()).toContain('Te devolvimos el pago');
  });

  test('reads the figures, leafs through the list, takes the file and has a receipt tried again, by keyboard', async () => {
    await using shop = await openTestShop({ env: { ADMIN_PASSWORD: PASSWORD } });
    await using merchant = await openVisit(shop, { viewport: { width: 390, height: 800 } });
    const { page } = merchant;
    const { queries } = shop.context.checkout.db;
    const now = shop.clock.now();
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

    await page.goto('/admin');
    await page.getByLabel('Contraseña').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByTestId('admin-sales').waitFor();
    expect(await audit(page)).toEqual([]);
    for (const table of await page.getByText('Ver como tabla').all()) {
      await table.focus();
      await page.keyboard.press('Enter');
    }
    expect(await page.getByRole('table', { name: 'Ventas por día' }).getByRole('row').count()).toBe(31);
    expect(await audit(page)).toEqual([]);
    await page.getByRole('navigation').getByRole('link', { name: 'Pedidos' }).press('Enter');
    await page.getByLabel('Estado').selectOption('paid');
    await page.getByTestId('admin-search').press('Enter');
    await page.waitForURL('**/admin/orders?*state=paid*');
    expect(await page.getByRole('row').count()).toBe(51);
    expect(await audit(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await page.getByTestId('admin-export').press('Enter');
    expect((await download).suggestedFilename()).toBe('pedidos.csv');
    await page.getByTestId('admin-older').press('Enter');
    await page.getByTestId('admin-newer').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.goto('/admin/orders?q=abc&from=2026-02-31&state=x');
    expect(await audit(page)).toEqual([]);
    await page.goto('/admin/orders/TG-0');
    expect(await audit(page)).toEqual([]);
    await page.getByRole('button', { name: 'Intentar ahora: Recibo por correo' }).press('Enter');
    await page.getByTestId('admin-said').waitFor();
    await page.getByTestId('language-en').press('Enter');
    await page.getByText('A person asked to try it now').waitFor();
    for (const path of ['/admin', '/admin/orders', '/admin/orders?q=abc&state=x', '/admin/orders/TG-0']) {
      await page.goto(path);
      expect([path, await audit(page)]).toEqual([path, []]);
    }
  });
});
