import { describe, expect, test } from '@jest/globals';
import { audit } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { PASSWORD } from '../support/desk.js';
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
    await page.getByTestId('desk-waiting').getByRole('link').click();
    expect(await audit(page)).toEqual([]);
    await page.getByLabel('Ya devolví el dinero').check();
    await page.getByLabel('Nota').fill('folio 4711');
    await page.getByTestId('desk-decide').click();
    await page.getByTestId('desk-said').waitFor();
    await shopper.page.reload();

    expect(await page.getByTestId('desk-order').textContent()).toContain('Cancelado');
    await page.getByText('folio 4711').waitFor();
    expect(await audit(page)).toEqual([]);
    expect(await shopper.page.locator('main').textContent()).toContain('Te devolvimos el pago');
  });
});
