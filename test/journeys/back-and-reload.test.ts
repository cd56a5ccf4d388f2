/** Back and reload on each page of a purchase. The browser posts nothing again and shows no error page of its own. */
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openVisit, type Visit } from '../support/browser.js';
import { contact } from '../support/customer.js';
import { theOrder } from '../support/inspect.js';
import { openSharedShop } from '../support/shared-shop.js';
import {
  cards,
  fillCheckout,
  HOSTED_PAGE,
  payWith,
  reachHostedPage,
  typeCard,
  untilOrderIs,
} from '../support/steps.js';
import { enterForm, typeInto } from '../support/typing.js';

const shop = await openSharedShop({ foreignGateway: true });
const payer = { first_name: 'Luz', last_name: 'Soto', email: 'luz.soto@example.com' };
const CARD_INPUTS = ['#card-number-input', '#cardholder-input', '#expiry-input', '#cvv-input'];
const BANK = '**/bank/*';

/** Moves in the history or reloads, and expects that the browser posts nothing and shows a page of the shop or gateway. */
async function moves({ page, sent }: Visit, move: 'goBack' | 'reload', url?: string): Promise<void> {
  const posts = () => sent.filter((line) => line.startsWith('POST'));
  const before = posts();
  await page[move]({ waitUntil: 'domcontentloaded' });
  if (url !== undefined) await page.waitForURL(url);
  expect([posts(), page.url().startsWith('http')]).toEqual([before, true]);
}

async function expectFields(page: Page, texts: Readonly<Record<string, string>>): Promise<void> {
  const shown = Object.keys(texts).map(async (name) => [name, await page.locator(`#${name}`).inputValue()]);
  expect(Object.fromEntries(await Promise.all(shown))).toEqual(texts);
}

async function expectEmptyCard(page: Page): Promise<void> {
  for (const input of CARD_INPUTS) expect([input, await page.locator(input).inputValue()]).toEqual([input, '']);
}

/** Submits the form with a wrong e-mail address, reloads its page and corrects it. */
async function submitTwice(visit: Visit, right: typeof contact): Promise<void> {
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);
  await typeInto(page.locator('#email'), 'eva.ruiz');
  await page.getByTestId('pay-hosted').click();
  await page.waitForURL('**?answer=1');
  await moves(visit, 'reload');
  await page.locator('#email-error').waitFor();
  await expectFields(page, { ...right, email: 'eva.ruiz' });
  await typeInto(page.locator('#email'), right.email);
  await page.getByTestId('pay-hosted').click();
  await page.waitForURL(HOSTED_PAGE);
}

/** Reloads the order page and goes back two pages. */
async function expectPaidOnce(visit: Visit): Promise<void> {
  const { page } = visit;
  await untilOrderIs(page, 'paid');
  await moves(visit, 'reload');
  await untilOrderIs(page, 'paid');
  for (let back = 0; back < 2; back += 1) await moves(visit, 'goBack');
  expect(shop.control.ledger()).toHaveLength(1);
}

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

  await expectPaidOnce(visit);
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

  await expectPaidOnce(visit);
});

test('on a payment link Back and reload post nothing, keep the fields of another person, and charge once', async () => {
  await reachHostedPage((await openVisit(shop)).page);
  const { token } = await theOrder(shop);
  const visit = await openVisit(shop);
  const { page } = visit;

  await page.goto(`/orders/${token}/pay`);
  await enterForm(page, payer);
  await submitTwice(visit, payer);
  await moves(visit, 'goBack', '**/pay?answer=1');
  await expectFields(page, payer);
  shop.clock.advance(60_000);
  visit.expectTrouble(/^console error: Failed to load resource: .* 409/);
  await page.getByTestId('choose-card').click();
  await page.waitForURL('**/pay/card');
  await expectFields(page, payer);
  await typeCard(page, cards.challenged);
  await page.getByTestId('pay-card').click();
  await page.waitForURL('**/pay/card?pay_again=1&answer=1');
  await moves(visit, 'reload');
  await expectFields(page, payer);
  await expectEmptyCard(page);
  await typeCard(page, cards.challenged);
  await page.getByTestId('pay-card').click();
  await page.waitForURL(BANK);
  await moves(visit, 'goBack', '**/pay/card?pay_again=1&answer=1');
  await moves(visit, 'reload');
  await expectEmptyCard(page);
  await page.goForward();
  await page.waitForURL(BANK);
  await page.getByTestId('approve').click();

  await expectPaidOnce(visit);
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
