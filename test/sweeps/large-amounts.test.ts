/** Pages of a shop with several shipping prices, long names and large amounts, on the narrowest phones. */
import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import type { Page } from 'playwright-core';
import { STATE_CODES } from '../../src/shop/rules/contact.js';
import { LOCALES } from '../../src/shop/rules/locales.js';
import type { ShippingTable, ZoneDelivery } from '../../src/shop/rules/shipping-table.js';
import { insertOrder } from '../../src/tables/orders.js';
import { openVisit } from '../support/browser.js';
import { MUG, SHIPPED } from '../support/catalog.js';
import { mugDelivery } from '../support/customer.js';
import { pagesBelowOrder, pagesOf } from '../support/pages.js';
import { placePaidOrder } from '../support/purchase.js';
import { LINE, orderRow } from '../support/rows.js';
import { openFileShop } from '../support/shared-shop.js';
import { storeSettings } from '../support/shop-settings.js';
import { fillCart, signIn } from '../support/steps.js';

const shop = await openFileShop();

const WIDTHS = [320, 360, 375];
const LONG_NAME = 'Juego de vajilla Parangaricutirimícuaro para veinticuatro comensales con sopera y salseras';
/** As long as codes may be. */
const CODE = 'CLIENTES-FRECUENTES-DE-OAXACA9';
const PRICE = centavos(999_999_99);

const costing = (price: number): ZoneDelivery => ({
  by: 'total',
  steps: [{ upTo: null, price: centavos(price) }],
  freeFrom: null,
  days: { min: 10, max: 25 },
});
const others = STATE_CODES.filter((state) => state !== 'YUC' && state !== 'ROO');
const zone = { name: 'Península y municipios de difícil acceso', postalCodes: [] };
const tableFrom = (least: number): ShippingTable => ({
  defaultWeight: 1_000,
  pickup: true,
  zones: [
    { ...zone, states: ['YUC'], delivery: costing(least) },
    { ...zone, states: ['ROO'], delivery: costing(99_999_00) },
    { ...zone, states: others, delivery: costing(1_290_00) },
  ],
});

/** Places a paid order and one to pay, and gives them and the catalog long names and large amounts. */
async function makeLarge() {
  const { order } = await placePaidOrder(shop, mugDelivery);
  const now = shop.clock.now();
  const unpaid = orderRow({
    number: 'TG-2222-3333',
    token: 'u'.repeat(32),
    createdAt: now,
    updatedAt: now,
    payableUntil: now + 3_600_000,
  });
  await insertOrder(shop.queries, unpaid, [LINE]);
  const { queries } = shop;
  const products = await queries.selectFrom('products').select(['id', 'texts']).execute();
  for (const { id, texts } of products)
    await queries
      .updateTable('products')
      .set({
        texts: texts.replace(/"name":\{[^}]*\}/, (names) => names.replace(/:"[^"]*"/g, `:"${LONG_NAME}"`)),
        price: PRICE,
        priceBefore: centavos(PRICE + 1),
        stock: 1_000,
      })
      .where('id', '=', id)
      .execute();
  await queries
    .updateTable('orderLines')
    .set({ name: LONG_NAME, unitPrice: PRICE, quantity: 99, discount: centavos(9_999_999_99) })
    .execute();
  const total = centavos(PRICE * 99 + 99_999_00);
  await queries
    .updateTable('orders')
    .set({ total, shippingPrice: centavos(99_999_00) })
    .execute();
  await queries.updateTable('orders').set({ discountCode: CODE }).where('id', '=', order.id).execute();
  await queries.updateTable('attempts').set({ amount: total }).execute();
  return [order, unpaid];
}

/** Returns how far the page scrolls sideways, and the amounts that reach out of the page or of the content of their card. */
const MEASURE = `(() => {
  for (const details of document.querySelectorAll('main details')) details.open = true;
  const isCut = (element) => {
    const { left, right, width } = element.getBoundingClientRect();
    if (width <= 1) return false;
    if (left < 0 || right > innerWidth) return true;
    const card = element.closest('.card');
    return card !== null && right > card.getBoundingClientRect().right - parseFloat(getComputedStyle(card).paddingRight) + 1;
  };
  const amounts = [...document.querySelectorAll('main :is(.amount:not(th), .price, .item-price, [data-test="shipping"] span)')];
  return {
    sideways: document.documentElement.scrollWidth - innerWidth,
    cut: amounts.filter(isCut).map(({ textContent }) => textContent),
  };
})()`;

async function problemsOf(page: Page, paths: readonly string[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const path of paths) {
    await page.goto(path);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 640 });
      const { sideways, cut } = await page.evaluate<{ sideways: number; cut: readonly string[] }>(MEASURE);
      if (sideways > 0 || cut.length > 0) found.push([path, width, sideways, cut]);
    }
  }
  return found;
}

test('with several shipping prices, long names and large amounts no page is wider than a phone or cuts a price', async () => {
  const visit = await openVisit(shop, { viewport: { width: 320, height: 640 } });
  const { page } = visit;
  const orders = await makeLarge();
  await signIn(page);
  for (const product of [MUG, SHIPPED]) await fillCart(page, product);
  await storeSettings(shop.queries, { shipping: tableFrom(0) });
  shop.clock.advance(5_000);
  const paths = new Set(['/?q=vajilla', `/products/${SHIPPED}`]);
  for (const order of orders) {
    for (const path of await pagesOf(page, shop, order)) paths.add(path);
    for (const path of await pagesBelowOrder(page, order)) paths.add(path);
  }
  const found = await problemsOf(page, [...paths]);
  await storeSettings(shop.queries, { shipping: tableFrom(99_990_00) });
  shop.clock.advance(5_000);

  for (const locale of LOCALES) {
    await page.context().addCookies([{ name: 'lang', value: locale, url: shop.url }]);
    found.push(...(await problemsOf(page, ['/cart', '/checkout', '/checkout/card'])));
  }

  expect(found).toEqual([]);
});
