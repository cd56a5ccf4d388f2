/** What the card page charges is what it showed, in a shop whose delivery price depends on the address. */
import { beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openVisit, type Visit } from '../../../support/browser.js';
import { SHIPPED } from '../../../support/catalog.js';
import { address, contact, pesos } from '../../../support/customer.js';
import { allOrders } from '../../../support/inspect.js';
import { openSharedShop } from '../../../support/shared-shop.js';
import { storeSettings, tableWith } from '../../../support/shop-settings.js';
import { cards, fillCart, typeCard, untilOrderIs } from '../../../support/steps.js';
import { enterForm, typeKeys } from '../../../support/typing.js';

const shop = await openSharedShop({ foreignGateway: true });
const IN_OAXACA = 289_00 + 120_00;
const IN_MERIDA = 289_00 + 250_00;
const { state: _, postal_code: __, ...street } = address;

let visit: Visit;
let page: Page;
beforeEach(async () => {
  await storeSettings(shop.queries, { shipping: tableWith(120) });
  shop.clock.advance(1_000);
  visit = await openVisit(shop, { viewport: { width: 320, height: 640 } });
  page = visit.page;
});

/** Opens the card page and fills in all but the postal code and its state. */
async function openCardPage(): Promise<void> {
  await fillCart(page, SHIPPED);
  await page.goto('/checkout/card');
  await enterForm(page, { ...contact, ...street });
  await typeCard(page, cards.authorized);
}

const pay = () => page.getByTestId('pay-card');
const untilButtonSays = (hasText: string) => pay().filter({ hasText }).waitFor();
const typePostalCode = (code: string) => typeKeys(page.locator('#postal_code'), code);
/** The amounts of the page beside the option. */
const shownTotals = async () => new Set(await page.locator('[data-shown-total]').allTextContents());
const charged = () => shop.simulator.control.ledger().map(({ amountMinor }) => amountMinor);

test('case 202: the button names what is missing, then the total of the typed postal code, and that is charged', async () => {
  await openCardPage();
  await untilButtonSays('Escribe tu dirección para ver el total');
  await typePostalCode('97000');
  await untilButtonSays(`Pagar ${pesos(IN_MERIDA)}`);
  expect(await shownTotals()).toEqual(new Set([pesos(IN_MERIDA)]));
  await page.locator('#shipping-pickup').check();
  await untilButtonSays(`Pagar ${pesos(289_00)}`);
  await page.locator('#shipping-standard').check();
  await typePostalCode('68000');
  await untilButtonSays(`Pagar ${pesos(IN_OAXACA)}`);
  await pay().click();

  await untilOrderIs(page, 'paid');
  expect(charged()).toEqual([IN_OAXACA]);
});

test('case 202: a press while the price of another address is on its way charges nothing, and the next one what the button says', async () => {
  await openCardPage();
  await typePostalCode('68000');
  await untilButtonSays(`Pagar ${pesos(IN_OAXACA)}`);
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/checkout/quotes?*', async (route) => {
    await held;
    await route.continue();
  });

  await typePostalCode('97000');
  await untilButtonSays('Calculando el total');
  await pay().click();
  answer();
  await untilButtonSays(`Pagar ${pesos(IN_MERIDA)}`);
  expect(await allOrders(shop)).toEqual([]);
  await pay().click();

  await untilOrderIs(page, 'paid');
  expect(charged()).toEqual([IN_MERIDA]);
});

test('case 202: without an answer about the price the page is shown again with the total and what was typed', async () => {
  visit.expectTrouble(/Failed to load resource/);
  await page.route('**/checkout/quotes?*', (route) => route.abort());
  await openCardPage();
  await typePostalCode('97000');
  await untilButtonSays('Ver el total');
  await pay().click();
  await untilButtonSays(`Pagar ${pesos(IN_MERIDA)}`);

  expect(await page.locator('#street').inputValue()).toBe(address.street);
  expect(await allOrders(shop)).toEqual([]);
});

test('case 202: an address without delivery leaves nothing to pay, and pickup can be paid', async () => {
  await openCardPage();
  await typePostalCode('77500');
  await untilButtonSays('No entregamos en esa dirección');
  await pay().click();
  await page.getByText('Elige otra forma de recibirlo').waitFor();
  expect(await allOrders(shop)).toEqual([]);
  await page.locator('#shipping-pickup').check();
  await pay().click();

  await untilOrderIs(page, 'paid');
  expect(charged()).toEqual([289_00]);
});

test('case 203: after the cart changed in another tab, the postal code leads to what changed, and nothing is charged before', async () => {
  await openCardPage();
  await fillCart(page, 'huipil-istmo');
  await typePostalCode('68000');
  await untilButtonSays('Ver lo que cambió en tu carrito');
  await pay().click();
  await page.locator('.notice').filter({ hasText: 'Tu carrito cambió después de abrir esta página.' }).waitFor();
  const [order] = await allOrders(shop);
  const label = await pay().textContent();
  await typeCard(page, cards.authorized);
  await pay().click();

  await untilOrderIs(page, 'paid');
  expect(order).toBeUndefined();
  expect(charged().map((amount) => `Pagar ${pesos(amount)}`)).toEqual([label?.trim()]);
});
