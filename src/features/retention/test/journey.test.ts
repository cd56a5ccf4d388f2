import { test } from '@jest/globals';
import { openBackOffice } from '../../../../test/support/admin.js';
import { expectAccessible } from '../../../../test/support/audit.js';
import { openVisit } from '../../../../test/support/browser.js';
import { contact } from '../../../../test/support/customer.js';
import { placePaidOrder } from '../../../../test/support/purchase.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { PHONE, signIn } from '../../../../test/support/steps.js';
import { typeInto } from '../../../../test/support/typing.js';

const shop = await openFileShop();

test('a merchant on a phone erases the data of a customer after the confirmation, and the form with its error meets WCAG 2.2 AA', async () => {
  const { order } = await placePaidOrder(shop, contact, { transaction_status: 'Declined' });
  const fields = { decision: 'refund', version: String(order.version), decision_note: 'folio 1' };
  await (await openBackOffice(shop)).post(`/admin/orders/${order.number}/decision`, fields);
  const visit = await openVisit(shop, PHONE);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);

  await signIn(page);
  await page.goto(`/admin/orders/${order.number}`);
  await page.getByText('Borrar los datos del cliente').first().press('Enter');
  await page.getByTestId('admin-erase').click();
  await page.locator('#confirmation-error').waitFor();
  await expectAccessible(page);
  await typeInto(page.getByLabel('Para confirmar'), contact.email);
  await page.getByTestId('admin-erase').click();
  await page.getByText('Pedidos con datos borrados: 1.').first().waitFor();
});
