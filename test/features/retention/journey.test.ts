import { test } from '@jest/globals';
import { expectAccessible } from '../../support/audit.js';
import { openVisit } from '../../support/browser.js';
import { contact } from '../../support/customer.js';
import { theOrder } from '../../support/inspect.js';
import { openHostedPage } from '../../support/purchase.js';
import { openFileShop } from '../../support/shared-shop.js';
import { PHONE, signIn } from '../../support/steps.js';
import { typeInto } from '../../support/typing.js';

const shop = await openFileShop();

test('a merchant on a phone erases the data of a customer after the confirmation, and the form with its error meets WCAG 2.2 AA', async () => {
  await openHostedPage(shop);
  const { id, number } = await theOrder(shop);
  await shop.queries
    .updateTable('attempts')
    .set({ state: 'cancelled', offerEndsAt: 1 })
    .where('orderId', '=', id)
    .execute();
  await shop.queries.updateTable('orders').set({ state: 'cancelled' }).where('id', '=', id).execute();
  const visit = await openVisit(shop, PHONE);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);

  await signIn(page);
  await page.goto(`/admin/orders/${number}`);
  await page.getByText('Borrar los datos del cliente').first().press('Enter');
  await page.getByTestId('admin-erase').click();
  await page.locator('#confirmation-error').waitFor();
  await expectAccessible(page);
  await typeInto(page.getByLabel('Para confirmar'), contact.email);
  await page.getByTestId('admin-erase').click();
  await page.getByText('Pedidos con datos borrados: 1.').first().waitFor();
});
