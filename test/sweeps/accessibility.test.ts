/** Pages in states that `every-page.test.ts` does not reach. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import type { Page } from 'playwright-core';
import { expectAccessible, expectContrast, expectReflow } from '../support/audit.js';
import { openVisit, type Visit } from '../support/browser.js';
import { SHIPPED } from '../support/catalog.js';
import { mugOrder } from '../support/customer.js';
import { allOrders } from '../support/inspect.js';
import { expectPrintedReceipt } from '../support/printed-receipt.js';
import { openFileShop } from '../support/shared-shop.js';
import { cards, fillCart, fillCheckout, untilOrderIs } from '../support/steps.js';
import { typeInto } from '../support/typing.js';
import { importVariants } from '../support/variants.js';

const shop = await openFileShop({ foreignGateway: true });
const { control } = shop.simulator;
await importVariants(shop);
// The price before is on every page that shows a price, and is the longest text beside it.
await shop.queries
  .updateTable('products')
  .set({ priceBefore: centavos(999_999) })
  .execute();
let visit: Visit;
let page: Page;
beforeEach(async () => {
  visit = await openVisit(shop);
  page = visit.page;
});
afterEach(() => control.clearFaults());

const ERROR_422 = /^console error: Failed to load resource: .* 422/;
const latestOrder = async () => (await allOrders(shop)).at(-1);

test('WCAG 2.2 AA is met by catalog, search, product, legal pages and cart, with and without errors', async () => {
  visit.expectTrouble(ERROR_422);

  for (const path of [
    ...['/', '/?category=music&q=nada', '/products/caja-laqueada-de-olinala', '/products/playera-roja'],
    ...['/pages/privacy', '/pages/contact'],
  ]) {
    await page.goto(path);
    await expectAccessible(page);
  }
  await page.goto('/products/taza-de-talavera');
  await typeInto(page.locator('#quantity'), '0');
  await page.getByTestId('add-to-cart').click();
  await page.locator('#quantity-error').waitFor();
  await expectAccessible(page);
  await fillCart(page);
  await page.goto('/cart');
  await typeInto(page.locator('#quantity-taza-talavera'), '100');
  await page.keyboard.press('Enter');
  await page.locator('#quantity-taza-talavera-error').waitFor();
  await expectAccessible(page);
});

test('WCAG 2.2 AA is met by the checkout form, with errors and with a notice', async () => {
  visit.expectTrouble(ERROR_422);
  visit.expectTrouble(/^console error: Failed to load resource: .* 503/);

  await fillCart(page, SHIPPED);
  await page.goto('/checkout');
  await page.getByTestId('pay-hosted').click();
  await page.locator('#errors').waitFor();
  await expectAccessible(page);
  control.fault('create-session', { kind: 'status', status: 503 });
  await fillCheckout(page);
  await page.getByTestId('pay-hosted').click();
  await page.locator('.notice').waitFor();
  await expectAccessible(page);
});

test('WCAG 2.2 AA is met by the pages of a pending, a paid, a declined and an order in review, and the paid one prints as a receipt', async () => {
  /** Posts a checkout form of a new customer without the page, to save time. */
  const post = async (path: string, fields = {}) => {
    await visit.context.clearCookies();
    await fillCart(page);
    await page.context().request.post(path, { form: { ...mugOrder, ...fields }, maxRedirects: 0 });
  };
  const reach = {
    paid: () => post('/checkout/card', control.tokenizeCard(cards.succeeds)),
    declined: () => post('/checkout/card', control.tokenizeCard(cards.declined)),
    pending: () => post('/checkout/hosted'),
    async review() {
      await post('/checkout/hosted');
      control.paySession(control.sessions().at(-1)?.id ?? '');
      control.fault('read-session', { kind: 'rewrite', set: { amount_total: 1 } });
    },
  };

  for (const [state, place] of Object.entries(reach)) {
    await place();
    await page.goto(`/checkout/return/${(await latestOrder())?.token}`);
    await untilOrderIs(page, state);
    await expectAccessible(page);
    if (state === 'paid') await expectPrintedReceipt(page);
  }
});

test('the pages of a product with a long word in its name, category and description scroll in one direction only (WCAG 1.4.10)', async () => {
  const products = shop.queries.updateTable('products').where('id', '=', 'jarra-barro-negro');
  const { texts } = await shop.queries
    .selectFrom('products')
    .select('texts')
    .where('id', '=', 'jarra-barro-negro')
    .executeTakeFirstOrThrow();
  await products.set({ texts: texts.replace(/":"[^"]+"/g, `":"${'Parangaricutirimicuaro'.repeat(3)}"`) }).execute();
  await fillCart(page, 'jarra-barro-negro');

  for (const path of ['/products/jarra-de-barro-negro', '/cart', '/checkout']) {
    await page.goto(path);
    await expectReflow(page);
  }
  await products.set({ texts }).execute();
});

test('the contrast of WCAG 2.2 AA is met with a light and a dark main color of the shop', async () => {
  let color = '';
  await page.route('**/shop.css*', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/--brand: #\w+;/, `--brand: ${color};`);
    await route.fulfill({ response, body });
  });
  await fillCart(page, SHIPPED);

  for (color of ['#ffd400', '#0b1f66']) {
    for (const path of ['/products/taza-de-talavera', '/checkout']) {
      await page.goto(path);
      const used = `getComputedStyle(document.documentElement).getPropertyValue('--brand').trim()`;
      expect(await page.evaluate(used)).toBe(color);
      await expectContrast(page);
    }
  }
});
