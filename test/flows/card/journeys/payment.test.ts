import { beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../../../support/audit.js';
import { openVisit, type Visit } from '../../../support/browser.js';
import { SHIPPED } from '../../../support/catalog.js';
import { until } from '../../../support/crowd.js';
import { address, contact, delivery } from '../../../support/customer.js';
import { allOrders } from '../../../support/inspect.js';
import { openSharedShop } from '../../../support/shared-shop.js';
import {
  cardholder,
  cards,
  checkoutValues,
  fillCardPage,
  fillCart,
  fillCheckout,
  fillContact,
  passTime,
  reachBank,
  typeCard,
  untilOrderIs,
} from '../../../support/steps.js';
import { typeInto } from '../../../support/typing.js';

const shop = await openSharedShop({ foreignGateway: true });
let visit: Visit;
let page: Page;
beforeEach(async () => {
  visit = await openVisit(shop);
  page = visit.page;
});

const TOKENS = ['card_number', 'cardholder_name', 'cvv', 'expiration_month', 'expiration_year'];

function expectOneCharge(): void {
  expect(shop.simulator.control.ledger()).toHaveLength(1);
  expect(shop.simulator.control.calls('process')).toHaveLength(1);
}

test('two fast clicks on the card page charge once, send tokens only to the shop, and Back shows the empty cart', async () => {
  await fillCardPage(page, cards.authorized);
  const [posted] = await Promise.all([
    page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/checkout/card')),
    page.getByTestId('pay-card').dblclick(),
  ]);

  await untilOrderIs(page, 'paid');
  expect(Object.keys(posted.postDataJSON())).toEqual(expect.arrayContaining(TOKENS));
  expect(posted.postData()).not.toContain(cardholder.split(' ')[1]);
  await page.goBack();
  await page.waitForURL('**/cart');
  expectOneCharge();
});

test('the card page shows missing fields and a mistyped number at their fields, meets WCAG 2.2 AA, and sends nothing', async () => {
  const invalid = page.locator('[aria-invalid="true"]');

  await fillCart(page, SHIPPED);
  await page.goto('/checkout/card');
  const sentBefore = visit.sent.length;
  await page.getByTestId('pay-card').click();
  const summary = page.locator('#card-problem');
  await summary.waitFor();
  // Those of the address and the card, and those of `contact` with the shop's own.
  const missing = 9 + Object.keys(contact).length;
  expect([await summary.locator('li').count(), await invalid.count()]).toEqual([missing, missing]);
  await page.locator('#email-error').filter({ hasText: 'Escribe el correo electrónico.' }).waitFor();
  await fillContact(page);
  await typeInto(page.locator('#email'), 'eva.ruiz');
  await page.getByTestId('pay-card').click();
  await page.locator('#email-error').filter({ hasText: 'correo completo' }).waitFor();
  await typeInto(page.locator('#email'), contact.email);
  await typeCard(page, '4000000000000052');
  await page.getByTestId('pay-card').click();
  await page.locator('#card-number-input-error').filter({ hasText: 'no es correcto' }).waitFor();

  expect(await page.locator('#card-problem:focus').count()).toBe(1);
  expect(await invalid.count()).toBe(1);
  await expectAccessible(page);
  await summary.getByRole('link').click();
  expect(await page.locator('#card-number-input:focus').count()).toBe(1);
  expect(visit.sent.slice(sentBefore).filter((line) => !line.startsWith('GET'))).toEqual([]);
});

test('the other payment flow shows the form with the typed values, on the way to the card page and back', async () => {
  await fillCheckout(page, SHIPPED);
  const filled = { ...contact, ...address, shipping_option: delivery.id };

  await page.getByTestId('choose-card').click();
  await page.waitForURL('**/checkout/card?answer=1');
  expect(await checkoutValues(page)).toMatchObject(filled);
  await typeInto(page.locator('#first_name'), 'Ada');
  await page.getByTestId('choose-hosted').click();
  await page.waitForURL('**/checkout?answer=1');

  expect(await checkoutValues(page)).toMatchObject({ ...filled, first_name: 'Ada' });
  expect(await page.locator('.errors:visible').count()).toBe(0);
});

test('the card page keeps the typed text when tokenizer, gateway or a limit refuse it, says why, and the next try pays', async () => {
  visit.expectTrouble(/^console error: (Failed to load resource|Access to fetch)/);
  const { control } = shop.simulator;
  const problem = (hasText: string) => page.locator('#card-problem').filter({ hasText }).waitFor();
  await fillCardPage(page, cards.authorized);

  for (const [call, status, message] of [
    ['tokenization-auth', 503, 'Con este intento no se cobró nada'],
    ['tokenize', 400, 'no aceptó los datos de la tarjeta'],
  ] as const) {
    control.fault(call, { kind: 'status', status });
    await page.getByTestId('pay-card').click();
    await problem(message);
    control.clearFaults();
  }
  const limited = { status: 429, headers: { 'retry-after': '37' }, body: '' };
  await page.route('**/access-token', (route) => route.fulfill(limited), { times: 1 });
  await page.getByTestId('pay-card').click();
  await problem('Espera 37 segundos y vuelve a intentarlo.');

  expect(await page.locator('#email').inputValue()).toBe(contact.email);
  expect(await page.locator('#card-number-input').inputValue()).toBe('4456 5400 0000 0063');
  expect(await page.locator('#cvv-input').inputValue()).not.toBe('');
  expect(await allOrders(shop)).toEqual([]);
  await page.getByTestId('pay-card').click();
  await untilOrderIs(page, 'paid');
  expectOneCharge();
});

test('the card page asks for another access token once if the tokenizer refuses the first one', async () => {
  visit.expectTrouble(/^console error: (Failed to load resource|Access to fetch)/);
  await fillCardPage(page, cards.authorized);
  const { control } = shop.simulator;
  control.fault('tokenize', { kind: 'status', status: 401 }, 2);

  await page.getByTestId('pay-card').click();
  await page.locator('#card-problem').filter({ hasText: 'Con este intento no se cobró nada' }).waitFor();
  const asked = control.calls('tokenization-auth').length;
  control.fault('tokenize', { kind: 'status', status: 401 }, 1);
  await page.getByTestId('pay-card').click();

  await untilOrderIs(page, 'paid');
  expect([asked, control.calls('tokenization-auth').length]).toEqual([2, 4]);
  expectOneCharge();
});

test('the card page posts nothing to the shop if the tokenizer returns the card number in blocks', async () => {
  const card_number = cards.authorized.replace(/(.{4})(?=.)/g, '$1-');
  const body = JSON.stringify({ ...shop.simulator.control.tokenizeCard(cards.authorized), card_number });
  const headers = { 'Access-Control-Allow-Origin': '*' };
  await page.route('**/token', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ headers, body }) : route.continue(),
  );
  await fillCardPage(page, cards.authorized);

  await page.getByTestId('pay-card').click();
  await page.locator('#card-problem').filter({ hasText: 'Con este intento no se cobró nada' }).waitFor();

  expect(visit.sent).not.toContain(`POST ${shop.url}/checkout/card`);
});

test('a card page left open in another tab redirects to the order that was paid, and charges nothing', async () => {
  const stale = await visit.context.newPage();
  visit.expectTrouble(/^console error: Failed to load resource: .* 409 .*access-token$/);

  await fillCardPage(page, cards.authorized);
  await stale.goto('/checkout/card');
  await fillContact(stale);
  await typeCard(stale, cards.authorized);
  await page.getByTestId('pay-card').click();
  await untilOrderIs(page, 'paid');
  await stale.getByTestId('pay-card').click();

  await untilOrderIs(stale, 'paid');
  expect(stale.url()).toBe(page.url());
  expectOneCharge();
});

test('while the gateway charges the card, a second tab that chooses the hosted page waits with the order, and both show it paid', async () => {
  const second = await visit.context.newPage();
  const { control } = shop.simulator;
  await fillCardPage(page, cards.authorized);
  await second.goto('/checkout');
  await fillContact(second);
  control.fault('process', { kind: 'hold' }, 1);
  // If the browser posts the tokens during the click, a click that waits for the navigation would wait for the held answer.
  await page.getByTestId('pay-card').click({ noWaitAfter: true });
  await until(() => control.calls('process').length === 1);

  await second.getByTestId('pay-hosted').click();
  await untilOrderIs(second, 'created');
  const said = await second.locator('main').innerText();
  control.release();
  await untilOrderIs(page, 'paid');
  await untilOrderIs(second, 'paid');

  expect(said).toContain('Estamos esperando tu pago');
  expect(said).not.toMatch(/cobró|cobrado/);
  expect([second.url(), control.sessions()]).toEqual([page.url(), []]);
  expectOneCharge();
});

test('a challenged card payment that the customer left is offered again instead of a second charge, and shown as paid without a reload', async () => {
  await page.clock.install();
  await reachBank(page);
  await page.getByTestId('walk-away').click();
  await page.getByTestId('continue').waitFor();
  await page.goto('/checkout');
  await page.getByTestId('pay-hosted').click();

  await untilOrderIs(page, 'pending');
  expect(shop.simulator.control.sessions()).toEqual([]);
  await page.getByRole('link', { name: 'Ir a la página de tu banco' }).waitFor();
  shop.simulator.control.approve(shop.simulator.control.payments()[0]?.id ?? '');
  passTime(shop, 15_000);
  await page.clock.fastForward(15_000);
  await untilOrderIs(page, 'paid');
  expectOneCharge();
});
