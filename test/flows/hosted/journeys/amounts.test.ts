/** What the gateway is asked for is what the checkout showed, in a shop whose delivery price depends on the address. */
import { beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openVisit } from '../../../support/browser.js';
import { SHIPPED } from '../../../support/catalog.js';
import { pesos } from '../../../support/customer.js';
import { allOrders } from '../../../support/inspect.js';
import { openSharedShop } from '../../../support/shared-shop.js';
import { storeSettings, tableWith } from '../../../support/shop-settings.js';
import { fillCart, fillCheckout, fillContact, submitHosted } from '../../../support/steps.js';

const shop = await openSharedShop({ foreignGateway: true });
const IN_OAXACA = 289_00 + 120_00;
const UNKNOWN = 'Escribe tu dirección para ver el total';

beforeEach(async () => {
  await storeSettings(shop.queries, { shipping: tableWith(120) });
  shop.clock.advance(1_000);
});

const asked = () => shop.control.sessions().map(({ request }) => request.amount_total);
const untilButtonSays = (page: Page, hasText: string) => page.getByTestId('pay-hosted').filter({ hasText }).waitFor();

test('case 202: without JavaScript the first submit shows the total of the address, and the second asks the gateway for it', async () => {
  const visit = await openVisit(shop, { javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
  visit.expectTrouble(/status of 409/);
  const { page } = visit;
  await fillCheckout(page, SHIPPED);
  await untilButtonSays(page, UNKNOWN);
  await page.getByTestId('pay-hosted').click();
  await page
    .locator('.notice')
    .filter({ hasText: `Ahora el total es ${pesos(IN_OAXACA)}` })
    .waitFor();
  expect(await allOrders(shop)).toEqual([]);
  await submitHosted(page);

  expect(asked()).toEqual([IN_OAXACA]);
});

test('case 203: in the tab that was opened before another one changed the cart, the address leads to what changed first', async () => {
  const { page, context } = await openVisit(shop, { viewport: { width: 320, height: 640 } });
  await fillCart(page, SHIPPED);
  await page.goto('/checkout');
  await untilButtonSays(page, UNKNOWN);
  const other = await context.newPage();
  await fillCart(other, 'huipil-istmo');

  await fillContact(page);
  await untilButtonSays(page, 'Ver lo que cambió en tu carrito');
  await page.getByTestId('pay-hosted').click();
  const notice = page.locator('.notice').filter({ hasText: 'Tu carrito cambió después de abrir esta página.' });
  await notice.waitFor();
  expect([asked(), await allOrders(shop)]).toEqual([[], []]);
  const total = await page.locator('.total [data-shown-total]:visible').textContent();
  await submitHosted(page);

  expect(asked().map(pesos)).toEqual([total]);
});
