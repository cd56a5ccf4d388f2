/** Back and reload on each page of a purchase. The browser posts nothing again and shows no error page of its own. */
import { expect, test } from '@jest/globals';
import { openVisit } from '../support/browser.js';
import { contact } from '../support/customer.js';
import { expectEmptyCard, expectFields, expectPaidOnce, moves, submitTwice } from '../support/history.js';
import { openSharedShop } from '../support/shared-shop.js';
import { cards, fillCheckout, HOSTED_PAGE, payWith, typeCard } from '../support/steps.js';
import { typeInto } from '../support/typing.js';

const shop = await openSharedShop({ foreignGateway: true });
const BANK = '**/bank/*';

test('in the hosted flow Back and reload post nothing, keep the fields, and charge once', async () => {
  const visit = await openVisit(shop);
  const { page } = visit;
  await fillCheckout(page);

  await submitTwice(visit, contact);
  await moves(visit, 'reload');
  await moves(visit, 'goBack', '**/checkout?answer=1');
  await expectFields(page, contact);
  await moves(visit, 'goBack', '**/checkout');
  // The browser may show the address as it was typed here.
  await expectFields(page, { ...contact, email: await page.locator('#email').inputValue() });
  await typeInto(page.locator('#email'), contact.email);
  await page.getByTestId('pay-hosted').click();
  await page.waitForURL(HOSTED_PAGE);
  await payWith(page, cards.succeeds);

  await expectPaidOnce(visit, shop);
  expect(shop.control.sessions()).toHaveLength(1);
});

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
  await page.locator('.notice', { hasText: 'No se cobró nada' }).waitFor();
  await moves(visit, 'reload');
  await page.locator('.notice', { hasText: 'No se cobró nada' }).waitFor();
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

test('at the sign-in Back and reload post nothing, and the page keeps its error and the typed name', async () => {
  const visit = await openVisit(shop);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 401/);
  await page.goto('/admin/sign-in');
  await typeInto(page.getByLabel('Usuario'), 'admin');
  await typeInto(page.getByLabel('Contraseña'), 'una clave equivocada');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/admin/sign-in?answer=1');

  await moves(visit, 'reload');

  await page.locator('#password-error').waitFor();
  await expectFields(page, { name: 'admin', password: '' });
  await moves(visit, 'goBack', '**/admin/sign-in');
  await moves(visit, 'reload');
  expect(await page.locator('#password-error').count()).toBe(0);
});
