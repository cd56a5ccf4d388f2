import { describe, expect, test } from '@jest/globals';
import { insertOrder } from '../../src/db/orders.js';
import { queueEffects } from '../../src/db/outbox.js';
import { audit } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { PASSWORD } from '../support/desk.js';
import { LINE, orderRow } from '../support/rows.js';
import { cards, payWith, reachHostedPage, untilOrderIs } from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

describe('the merchant at the desk', () => {
  test('signs in, finds the order that waits, gives the money back, and the shopper reads so', async () => {
    await using shop = await openTestShop({ foreignService: true, env: { ADMIN_PASSWORD: PASSWORD } });
    await using shopper = await openVisit(shop);
    await using merchant = await openVisit(shop, { viewport: { width: 390, height: 800 } });
    const { page } = merchant;
    merchant.expectTrouble(/^console error: Failed to load resource: .* 401/);

    await reachHostedPage(shopper.page);
    shop.simulator.control.fault('read-session', { kind: 'rewrite', set: { amount_total: 1 } });
    await payWith(shopper.page, cards.succeeds);
    await untilOrderIs(shopper.page, 'review');
    await page.goto('/admin');
    expect(await audit(page)).toEqual([]);
    await page.getByLabel('Contraseña').fill('wrong');
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.locator('#password-error').waitFor();
    expect(await audit(page)).toEqual([]);
    await page.getByLabel('Contraseña').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByTestId('desk-waiting').waitFor();
    expect(await page.getByTestId('desk-waiting').getByRole('row').count()).toBe(2);
    expect(await audit(page)).toEqual([]);
    await page.getByTestId('desk-waiting').getByRole('link', { name: /^TG-/ }).click();
    expect(await audit(page)).toEqual([]);
    await page.getByLabel('Ya devolví el dinero').check();
    await page.getByLabel('Nota').fill('folio 4711');
    await page.getByTestId('desk-decide').click();
    await page.getByTestId('desk-said').waitFor();
    await shopper.page.reload();

    expect(await page.getByTestId('desk-order').textContent()).toContain('Cancelado');
    await page.getByText('Nota: folio 4711').waitFor();
    expect(await audit(page)).toEqual([]);
    expect(await shopper.page.locator('main').textContent()).toContain('Te devolvimos el pago');
  });

  test('reads the figures, leafs through the list, takes the file and has a receipt tried again, by keyboard', async () => {
    await using shop = await openTestShop({ env: { ADMIN_PASSWORD: PASSWORD } });
    await using merchant = await openVisit(shop, { viewport: { width: 390, height: 800 } });
    const { page } = merchant;
    const { queries } = shop.services.checkout.db;
    const now = shop.clock.now();
    merchant.expectTrouble(/^console error: Failed to load resource: .* 422/);
    const orders = Array.from({ length: 51 }, (_, nth) =>
      orderRow({ number: `TG-${nth}`, state: 'paid', createdAt: now - nth * 60_000, paidAt: now }),
    );
    for (const order of orders) await insertOrder(queries, order, [LINE]);
    await queueEffects(queries, orders[0]?.id ?? '', now);
    await queries
      .updateTable('outbox')
      .set({ nextAt: now + 3_600_000, lastFault: 'Error' })
      .execute();

    await page.goto('/admin');
    await page.getByLabel('Contraseña').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByTestId('desk-sales').waitFor();
    expect(await audit(page)).toEqual([]);
    for (const table of await page.getByText('Ver como tabla').all()) {
      await table.focus();
      await page.keyboard.press('Enter');
    }
    expect(await page.getByRole('table', { name: 'Ventas por día' }).getByRole('row').count()).toBe(31);
    expect(await audit(page)).toEqual([]);
    await page.getByRole('navigation').getByRole('link', { name: 'Pedidos' }).press('Enter');
    await page.getByLabel('Estado').selectOption('paid');
    await page.getByTestId('desk-search').press('Enter');
    await page.waitForURL('**/admin/orders?*state=paid*');
    expect(await page.getByRole('row').count()).toBe(51);
    expect(await audit(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await page.getByTestId('desk-export').press('Enter');
    expect((await download).suggestedFilename()).toBe('pedidos.csv');
    await page.getByTestId('desk-older').press('Enter');
    await page.getByTestId('desk-newer').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.goto('/admin/orders?q=abc&from=2026-02-31&state=x');
    expect(await audit(page)).toEqual([]);
    await page.goto('/admin/orders/TG-0');
    expect(await audit(page)).toEqual([]);
    await page.getByRole('button', { name: 'Intentar ahora: Recibo por correo' }).press('Enter');
    await page.getByTestId('desk-said').waitFor();
    await page.getByTestId('language-en').press('Enter');
    await page.getByText('A person asked to try it now').waitFor();
    for (const path of ['/admin', '/admin/orders', '/admin/orders?q=abc&state=x', '/admin/orders/TG-0']) {
      await page.goto(path);
      expect([path, await audit(page)]).toEqual([path, []]);
    }
  });
});
