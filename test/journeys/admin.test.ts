import { expect, test } from '@jest/globals';
import { brand } from '../../src/locales/brand.js';
import { insertOrder } from '../../src/tables/orders.js';
import { expectAccessible, expectAccessibleInAll } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { LINE, orderRow } from '../support/rows.js';
import { openSharedShop } from '../support/shared-shop.js';
import { cards, PHONE, payWith, reachHostedPage, signIn, untilOrderIs } from '../support/steps.js';
import { typeInto } from '../support/typing.js';

const shop = await openSharedShop({ foreignGateway: true });

test('a merchant in the back office on a phone decides an order in review, and the customer sees that the payment was returned', async () => {
  await using customer = await openVisit(shop);
  await using merchant = await openVisit(shop, PHONE);
  const { page } = merchant;
  merchant.expectTrouble(/^console error: Failed to load resource: .* 422/);

  await reachHostedPage(customer.page);
  shop.simulator.control.fault('read-session', { kind: 'rewrite', set: { transaction_status: 'Declined' } });
  await payWith(customer.page, cards.succeeds);
  await untilOrderIs(customer.page, 'review');
  await signIn(page);
  await page.goto('/admin');
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
  expect(await customer.page.locator('main').textContent()).toContain('Te devolvimos el pago');
});

test('a merchant uses overview and orders on a phone by keyboard', async () => {
  await using merchant = await openVisit(shop, PHONE);
  const { page } = merchant;
  const { queries } = shop.context.checkout.db;
  const now = shop.clock.now();
  const orders = Array.from({ length: 51 }, (_, nth) =>
    orderRow({ number: `TG-${nth}`, state: 'paid', createdAt: now - nth * 60_000, paidAt: now }),
  );
  for (const order of orders) await insertOrder(queries, order, [LINE]);

  await signIn(page);
  await page.goto('/admin');
  await page.getByText('Menú').press('Enter');
  await page.getByRole('navigation').getByRole('link', { name: 'Pedidos' }).press('Enter');
  await page.getByLabel('Estado del pedido').selectOption('paid');
  await page.getByTestId('admin-search').press('Enter');
  await page.waitForURL('**/admin/orders?*state=paid*');
  await page.getByTestId('admin-older').press('Enter');
  await page.getByTestId('admin-newer').waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await expectAccessibleInAll(page);
});
