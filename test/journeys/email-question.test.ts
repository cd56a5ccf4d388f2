import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { allOrders } from '../support/inspect.js';
import { MISTYPED } from '../support/mistyped-emails.js';
import { openSharedShop } from '../support/shared-shop.js';
import { cards, cardTexts, fillCardPage, fillCheckout, HOSTED_PAGE, untilOrderIs } from '../support/steps.js';
import { SCREENS, typeInto } from '../support/typing.js';

const shop = await openSharedShop({ foreignGateway: true });
const TYPO = 'ana@gmial.com';
const emailOf = async () => (await allOrders(shop)).map(({ email }) => email);
const cardFields = (page: Page) =>
  Promise.all(Object.keys(cardTexts('')).map((id) => page.locator(`#${id}`).inputValue()));

test('on a phone a mistyped address is asked about when the customer leaves the field, and a tap corrects it', async () => {
  const { page } = await openVisit(shop, SCREENS.phone);
  await fillCheckout(page);

  await typeInto(page.locator('#email'), TYPO);
  await page.locator('#email').blur();
  await page.getByTestId('use-email').waitFor();
  await expectAccessible(page);
  await page.getByTestId('use-email').tap();
  const isShown = await page.getByTestId('use-email').isVisible();
  await page.getByTestId('pay-hosted').tap();
  await page.waitForURL(HOSTED_PAGE, { waitUntil: 'commit' });

  expect(isShown).toBe(false);
  expect(await emailOf()).toEqual(['ana@gmail.com']);
});

test('on a phone a card form with a mistyped address is held once, with its card, and then pays', async () => {
  const { page, sent } = await openVisit(shop, SCREENS.phone);
  await fillCardPage(page, cards.succeeds);
  await typeInto(page.locator('#email'), TYPO);
  const before = await cardFields(page);

  await page.getByTestId('pay-card').tap();
  await page.locator('[data-test="use-email"]:focus').waitFor();
  const held = [await cardFields(page), sent.filter((request) => request.startsWith('POST')).length];
  await page.getByTestId('pay-card').tap();
  await untilOrderIs(page, 'paid');

  expect(held).toEqual([before, 0]);
  expect(await emailOf()).toEqual([TYPO]);
});

test('the browser suggests what the server suggests', async () => {
  const { page } = await openVisit(shop);
  await fillCheckout(page);
  const found: unknown[] = [];
  for (const [typed] of MISTYPED) {
    await typeInto(page.locator('#email'), typed);
    await page.locator('#email').blur();
    const isShown = await page.getByTestId('use-email').isVisible();
    found.push([typed, isShown ? await page.locator('[data-suggested]').textContent() : undefined]);
  }

  expect(found).toEqual(MISTYPED);
});

test('without JavaScript the page asks about a mistyped address once, and the next click pays', async () => {
  const { page } = await openVisit(shop, { ...SCREENS.phone, javaScriptEnabled: false });
  await fillCheckout(page);
  await typeInto(page.locator('#email'), TYPO);

  await page.getByTestId('pay-hosted').click();
  await page.getByText('¿Quisiste escribir este correo?').waitFor();
  const orders = await emailOf();
  const hasButton = await page.getByTestId('use-email').isVisible();
  await page.getByTestId('pay-hosted').click();
  await page.waitForURL(HOSTED_PAGE, { waitUntil: 'commit' });

  expect([orders, hasButton]).toEqual([[], false]);
  expect(await emailOf()).toEqual([TYPO]);
});
