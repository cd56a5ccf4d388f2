import { expect, test } from 'vitest';
import { expectAccessible } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { cards, payWith, reachHostedPage, untilOrderIs } from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

test('a customer with a phone requests the invoice of a paid order, corrects an error and sees that the data arrived', async () => {
  await using shop = await openTestShop({ foreignGateway: true });
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  await using visit = await openVisit(shop, phone);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);

  await reachHostedPage(page);
  await payWith(page, cards.succeeds);
  await untilOrderIs(page, 'paid');
  expect(await page.getByTestId('tax').textContent()).toContain('$39.86');
  await page.getByTestId('request-invoice').tap();
  await page.getByLabel('RFC').fill('rune 900228 ab1');
  await page.getByLabel('Nombre o razón social').fill('Eva Ruiz Nava');
  await page.getByLabel('Régimen fiscal').selectOption('605');
  await page.getByLabel('Uso de la factura').selectOption('G03');
  await page.getByLabel('Código postal').fill('68000');
  await page.getByTestId('send-invoice').tap();
  await page.locator('#cfdi_use-error').waitFor();
  expect(await page.getByLabel('RFC').inputValue()).toBe('rune 900228 ab1');
  await expectAccessible(page);
  await page.getByLabel('Uso de la factura').selectOption('S01');
  await page.getByTestId('send-invoice').tap();

  await page.getByTestId('order-invoice').getByText('RUNE900228AB1').waitFor();
  await expectAccessible(page);
});
