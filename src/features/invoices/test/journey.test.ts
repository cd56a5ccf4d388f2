import { test } from '@jest/globals';
import { expectAccessible, expectAccessibleInAll } from '../../../../test/support/audit.js';
import { openVisit } from '../../../../test/support/browser.js';
import { expectPrintedReceipt } from '../../../../test/support/printed-receipt.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { cards, PHONE, payWith, reachHostedPage, signIn } from '../../../../test/support/steps.js';
import { typeInto } from '../../../../test/support/typing.js';

const shop = await openFileShop({ foreignGateway: true });

test('WCAG 2.2 AA is met by the invoice form with an error, and by the order page with the invoice data, the receipt prints without the request, and a manager on a phone issues the invoice', async () => {
  const visit = await openVisit(shop);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);

  await reachHostedPage(page);
  await payWith(page, cards.succeeds);
  await page.getByTestId('request-invoice').waitFor();
  await expectPrintedReceipt(page, '#invoice');
  await page.getByTestId('request-invoice').click();
  await typeInto(page.getByLabel('RFC'), 'rune 900228 ab1');
  await typeInto(page.getByLabel('Nombre o razón social'), 'Eva Ruiz Nava');
  await page.getByLabel('Régimen fiscal').selectOption('605');
  await page.getByLabel('Uso de la factura').selectOption('G03');
  await typeInto(page.getByLabel('Código postal'), '68000');
  await page.getByTestId('send-invoice').click();
  await page.locator('#cfdi_use-error').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Uso de la factura').selectOption('S01');
  await page.getByTestId('send-invoice').click();
  await page.getByTestId('order-invoice').getByText('RUNE900228AB1').waitFor();
  await expectAccessible(page);

  const back = await openVisit(shop, PHONE);
  back.expectTrouble(/^console error: Failed to load resource: .* 422/);
  await signIn(back.page);
  await back.page.goto('/admin/orders');
  await back.page.getByRole('link', { name: 'Facturas' }).click();
  await back.page.getByTestId('admin-invoices').waitFor();
  await expectAccessibleInAll(back.page);
  await back.page.getByTestId('admin-invoices').getByRole('link').first().click();
  await back.page
    .locator('#invoice_xml')
    .setInputFiles({ name: 'a.xml', mimeType: 'text/xml', buffer: Buffer.from('x') });
  await back.page.locator('form[action$="/invoice/xml"] button').click();
  await back.page.locator('#invoice_xml-error').waitFor();
  await expectAccessible(back.page);
  await back.page.getByTestId('issue-invoice').click();
  await back.page.getByTestId('admin-result').waitFor();
});
