import { beforeEach, expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import type { Page } from 'playwright-core';
import { i18nIn } from '../../src/locales/i18n.js';
import { openVisit } from '../support/browser.js';
import { SHIPPED } from '../support/catalog.js';
import { until } from '../support/crowd.js';
import { contact, delivery, pesos } from '../support/customer.js';
import { allOrders, cartContents } from '../support/inspect.js';
import { EN } from '../support/locales.js';
import { openFileShop } from '../support/shared-shop.js';
import {
  cards,
  fillAddress,
  fillCart,
  payWith,
  reachPendingOrder,
  submitHosted,
  untilOrderIs,
} from '../support/steps.js';
import { enterForm, typeInto } from '../support/typing.js';

const MAX_BYTES = 30_000;
const NARROW = { width: 390, height: 844 };
const shop = await openFileShop({ foreignGateway: true });
beforeEach(async () => {
  await shop.context.checkout.db.queries.deleteFrom('cartLines').execute();
});

const shownTotal = (page: Page) => page.locator('.summary [data-shown-total]').textContent();
const latestOrder = async () => (await allOrders(shop)).at(-1);

/** Opens the cart with these products and marks the page. Returns whether it is still the same page. */
async function openCart(page: Page, ...products: readonly string[]): Promise<() => Promise<boolean>> {
  for (const product of products) await fillCart(page, product);
  await page.goto('/cart', { waitUntil: 'domcontentloaded' });
  await page.evaluate('globalThis.samePage = true');
  return async () => (await page.evaluate('globalThis.samePage')) === true;
}

test('the cart with JavaScript changes lines, total and count in place, announces them to screen readers, and keeps the focus', async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);
  const isSamePage = await openCart(page, 'molcajete-basalto', 'taza-talavera');
  const quantity = page.locator('#quantity-taza-talavera');

  await typeInto(quantity, '3');
  await page.keyboard.press('Tab');
  await page.getByRole('status').filter({ hasText: '4 artículos, total $1,466.80' }).waitFor();
  await page.locator('#more-taza-talavera').click();
  await page.locator('#more-taza-talavera').click();
  await page.getByRole('status').filter({ hasText: '6 artículos' }).waitFor();
  const focused = await page.evaluate('document.activeElement.id');
  await page.locator('#remove-molcajete-basalto').click();
  await page.getByRole('status').filter({ hasText: '5 artículos, total $1,445.00' }).waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('content');
  await typeInto(quantity, '100');
  await page.keyboard.press('Enter');
  await page.locator('#quantity-taza-talavera-error').waitFor();

  expect(focused).toBe('more-taza-talavera');
  expect(await page.getByTestId('cart-count').textContent()).toBe('5');
  expect(await quantity.inputValue()).toBe('100');
  expect(await isSamePage()).toBe(true);
  expect(await cartContents(shop)).toEqual({ 'taza-talavera': 5 });
});

test('the cart with JavaScript posts the form when the request of the script fails', async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource/);
  const isSamePage = await openCart(page, 'taza-talavera');

  await page.route('**/cart', (route) => route.abort(), { times: 1 });
  await typeInto(page.locator('#quantity-taza-talavera'), '2');
  await page.keyboard.press('Enter');
  await page.locator('#quantity-taza-talavera[value="2"]').waitFor();

  expect(await isSamePage()).toBe(false);
  expect(await cartContents(shop)).toEqual({ 'taza-talavera': 2 });
});

test('the chosen delivery switches total and address, and the order page shows both', async () => {
  await using visit = await openVisit(shop, { locale: EN });
  const { page } = visit;
  await fillCart(page, SHIPPED);

  await page.goto('/checkout');
  await page.locator(`#shipping-${delivery.id}`).check();
  const totals = [await shownTotal(page)];
  await page.locator('#shipping-pickup').check();
  totals.push(await shownTotal(page));
  expect(await page.locator('#street').isVisible()).toBe(false);
  await page.locator(`#shipping-${delivery.id}`).check();
  totals.push(await shownTotal(page));
  await enterForm(page, contact);
  await fillAddress(page);
  await page.locator('#state').selectOption('CMX');
  await typeInto(page.locator('#postal_code'), '06000');
  await submitHosted(page);
  await payWith(page, cards.succeeds);

  await untilOrderIs(page, 'paid');
  const total = 28_900 + delivery.price;
  const { t, money } = i18nIn(shop.context.web.settings.current().translations, EN);
  expect(totals).toEqual([total, 28_900, total].map((amount) => money(centavos(amount))));
  expect(await latestOrder()).toMatchObject({ total, deliveryState: 'CMX', postalCode: '06000' });
  const detail = await page.locator('[aria-labelledby="detail-title"]').textContent();
  for (const text of [
    ...[t(`shipping.${delivery.id}.label`), t('mexicanStates.CMX'), 'Calle Macedonio Alcalá 507'],
    ...[pesos(delivery.price), pesos(total)],
  ])
    expect(detail).toContain(text);
});

test('a postal code fills in the state, and in Mexico City the municipality, which the customer may change', async () => {
  await using visit = await openVisit(shop, { viewport: NARROW });
  const { page } = visit;
  const place = async () => [
    await page.locator('#state').inputValue(),
    await page.locator('#municipality').inputValue(),
  ];
  await fillCart(page, SHIPPED);
  await page.goto('/checkout');
  const fold = page.locator('details.fold');

  expect([await fold.getAttribute('open'), await fold.locator('img').isVisible()]).toEqual([null, false]);
  expect(await fold.locator('summary [data-shown-total]').textContent()).toBe(pesos(28_900 + delivery.price));
  await page.locator('#postal_code').pressSequentially('04100');
  expect(await place()).toEqual(['CMX', 'Coyoacán']);
  await typeInto(page.locator('#postal_code'), '68000');
  expect(await place()).toEqual(['OAX', '']);
  await typeInto(page.locator('#municipality'), 'Oaxaca de Juárez');
  await page.locator('#state').selectOption('PUE');
  await page.locator('#street').focus();
  expect(await place()).toEqual(['PUE', 'Oaxaca de Juárez']);
  await typeInto(page.locator('#postal_code'), '01000');
  expect(await place()).toEqual(['CMX', 'Oaxaca de Juárez']);
});

test(`the catalog page takes at most ${MAX_BYTES / 1000} kB without pictures`, async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  const sizes: number[] = [];
  page.on('requestfinished', async (request) => {
    if (!['document', 'stylesheet', 'script'].includes(request.resourceType())) return;
    sizes.push((await request.sizes()).responseBodySize);
  });

  await page.goto('/', { waitUntil: 'load' });
  const scripts = await page.locator('script').count();

  expect(scripts).toBeGreaterThan(0);
  await until(() => sizes.length === scripts + 3);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES);
});

test('the page of a pending order announces the state to screen readers, and moves only if the customer allows motion', async () => {
  await using visit = await openVisit(shop, { reducedMotion: 'reduce' });
  const { page } = visit;

  await reachPendingOrder(shop, page);
  const still = await page.evaluate('document.getAnimations().length');
  await page.emulateMedia({ reducedMotion: 'no-preference' });

  expect(still).toBe(0);
  expect(await page.evaluate('document.getAnimations().length')).toBeGreaterThan(0);
  await page.getByRole('status').getByRole('heading', { level: 1 }).waitFor();
});
