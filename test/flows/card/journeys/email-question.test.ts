import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openVisit } from '../../../support/browser.js';
import { allOrders } from '../../../support/inspect.js';
import { openFileShop } from '../../../support/shared-shop.js';
import { cards, cardTexts, fillCardPage, untilOrderIs } from '../../../support/steps.js';
import { SCREENS, typeInto } from '../../../support/typing.js';

const shop = await openFileShop({ foreignGateway: true });
const TYPO = 'ana@gmial.com';
const cardFields = (page: Page) =>
  Promise.all(Object.keys(cardTexts('')).map((id) => page.locator(`#${id}`).inputValue()));

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
  expect((await allOrders(shop)).map(({ email }) => email)).toEqual([TYPO]);
});
