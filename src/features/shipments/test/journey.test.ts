import { expect, test } from '@jest/globals';
import { expectAccessible, expectAccessibleInAll } from '../../../../test/support/audit.js';
import { openVisit } from '../../../../test/support/browser.js';
import { SHIPPED } from '../../../../test/support/catalog.js';
import { mugDelivery } from '../../../../test/support/customer.js';
import { placePaidOrder } from '../../../../test/support/purchase.js';
import { signIn } from '../../../../test/support/steps.js';
import { openTestShop } from '../../../../test/support/test-shop.js';
import { typeInto } from '../../../../test/support/typing.js';
import { brand } from '../../../locales/brand.js';

test('a merchant finds a paid order to ship, prints its packing slip and ships it, and the customer gets the tracking link', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  await using merchant = await openVisit(shop);
  const { page } = merchant;
  merchant.expectTrouble(/^console error: Failed to load resource: .* 422/);
  const tracking = 'https://www.dhl.com/mx-es/home/rastreo.html?tracking-id=1234567890';

  const { orderPath } = await placePaidOrder(shop, mugDelivery);
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
  await expectAccessibleInAll(page);
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
  const { page: customer } = await openVisit(shop);
  await customer.goto(orderPath);
  expect(await customer.getByRole('link', { name: 'Rastrear mi paquete' }).getAttribute('href')).toBe(tracking);
  await expectAccessible(customer);
  await page.getByTestId('admin-to-delivered').click();
  await page.getByTestId('admin-fulfillment').getByText('Entregado').waitFor();
});
