import { test } from '@jest/globals';
import { openVisit } from '../../../support/browser.js';
import { contact } from '../../../support/customer.js';
import { expectEmptyCard, expectFields, expectPaidOnce, moves } from '../../../support/history.js';
import { openSharedShop } from '../../../support/shared-shop.js';
import { cards, fillCheckout, typeCard } from '../../../support/steps.js';

const shop = await openSharedShop({ foreignGateway: true });
const BANK = '**/bank/*';

test('in the card flow Back and reload post nothing, keep the fields, empty the card fields, and charge once', async () => {
  const visit = await openVisit(shop);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 502/);
  await fillCheckout(page);

  await page.getByTestId('choose-card').click();
  await page.waitForURL('**/checkout/card?answer=1');
  await moves(visit, 'reload');
  await moves(visit, 'goBack', '**/checkout');
  await expectFields(page, contact);
  await page.getByTestId('choose-card').click();
  shop.control.fault('process', { kind: 'status', status: 422 }, 1);
  await typeCard(page, cards.challenged);
  await page.getByTestId('pay-card').click();
  await page.locator('.notice', { hasText: 'no aceptó este intento' }).waitFor();
  await moves(visit, 'reload');
  await page.locator('.notice', { hasText: 'no aceptó este intento' }).waitFor();
  await expectFields(page, contact);
  await expectEmptyCard(page);
  await typeCard(page, cards.challenged);
  await page.getByTestId('pay-card').click();
  await page.waitForURL(BANK);
  await moves(visit, 'reload');
  await moves(visit, 'goBack', '**/checkout/card?answer=1');
  await expectFields(page, contact);
  await expectEmptyCard(page);
  await page.goForward();
  await page.waitForURL(BANK);
  await page.getByTestId('approve').click();

  await expectPaidOnce(visit, shop);
});
