import { beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openVisit, type Visit } from '../support/browser.js';
import { contact } from '../support/customer.js';
import { allOrders } from '../support/inspect.js';
import { openSharedShop } from '../support/shared-shop.js';
import { addByHand, cards, fillCheckout, fillContact, payWith, untilOrderIs } from '../support/steps.js';
import { typeInto } from '../support/typing.js';

const shop = await openSharedShop({ foreignGateway: true });
let visit: Visit;
let page: Page;
beforeEach(async () => {
  visit = await openVisit(shop, { javaScriptEnabled: false });
  page = visit.page;
});

const ERROR_422 = /^console error: Failed to load resource: .* 422/;

test('without JavaScript a customer changes the cart, corrects the form, pays after a decline, and sees the order paid', async () => {
  visit.expectTrouble(ERROR_422);

  await addByHand(page, 'molcajete-de-basalto');
  await addByHand(page, 'taza-de-talavera');
  await typeInto(page.locator('#quantity-taza-talavera'), '3');
  await page.getByTestId('update').click();
  await page.locator('#quantity-taza-talavera[value="3"]').waitFor();
  await page.getByTestId('remove').first().click();
  await page.getByTestId('go-to-checkout').click();
  await fillContact(page);
  await typeInto(page.locator('#email'), 'eva.ruiz');
  await page.getByTestId('pay-hosted').click();
  expect(await page.locator('#email-error').textContent()).toContain('correo completo');
  expect(await page.locator('#email').inputValue()).toBe('eva.ruiz');
  await typeInto(page.locator('#email'), contact.email);
  await page.getByTestId('pay-hosted').click();
  await payWith(page, cards.declined);
  await page.getByTestId('message').waitFor();
  await payWith(page, cards.succeeds);

  await untilOrderIs(page, 'paid');
  expect(await page.getByTestId('cart-count').textContent()).toBe('0');
  expect((await allOrders(shop)).map(({ total }) => total)).toEqual([3 * 28_900]);
  expect(shop.simulator.control.ledger().map(({ amountMinor }) => amountMinor)).toEqual([3 * 28_900]);
});

test('without JavaScript two fast clicks on pay make one order and one session, and the bank’s button returns by POST', async () => {
  await fillCheckout(page);
  await page.getByTestId('pay-hosted').dblclick();
  // `waitForURL` would fail if the second click aborted the navigation of the first meanwhile.
  await payWith(page, cards.challenged);
  await page.getByTestId('return-post').check();
  await page.getByTestId('approve').click();
  await page.getByTestId('continue').click();

  await untilOrderIs(page, 'paid');
  expect(await allOrders(shop)).toHaveLength(1);
  expect(shop.simulator.control.sessions()).toHaveLength(1);
  expect(shop.simulator.control.ledger()).toHaveLength(1);
});
