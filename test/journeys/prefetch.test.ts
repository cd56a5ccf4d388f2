import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { openVisit } from '../support/browser.js';
import { until } from '../support/crowd.js';
import { openFileShop } from '../support/shared-shop.js';
import { fillCart } from '../support/steps.js';

const shop = await openFileShop();
const SLUG = 'taza-de-talavera';

interface PrefetchUpdate {
  readonly prefetchUrl: string;
  readonly status: string;
}

/** Opens a page and points at a link until it is prefetched. Returns a function that returns whether that prefetch is discarded. */
async function openAndPoint(page: Page, path: string, link: Locator): Promise<() => boolean> {
  const statuses = new Map<string, string>();
  let hasRules = false;
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Preload.enable');
  devTools.on('Preload.ruleSetUpdated', () => {
    hasRules = true;
  });
  devTools.on('Preload.prefetchStatusUpdated', ({ prefetchUrl, status }: PrefetchUpdate) => {
    statuses.set(prefetchUrl, status);
  });
  await page.goto(path);
  const { href } = new URL((await link.getAttribute('href')) ?? '', shop.url);
  await until(() => hasRules);
  await link.hover();
  await until(() => statuses.get(href) === 'Ready');
  return () => statuses.get(href) === 'Failure';
}

const state = () =>
  Promise.all([
    shop.queries.selectFrom('sessions').selectAll().execute(),
    shop.queries.selectFrom('carts').selectAll().execute(),
    shop.queries.selectFrom('reservations').selectAll().execute(),
  ]);

test('a product that a customer points at is there before the click, without a session, a cart or a cookie', async () => {
  const { page, context } = await openVisit(shop);
  const before = await state();
  const link = page.locator(`a[href="/products/${SLUG}"]`);

  await openAndPoint(page, '/', link);
  expect([await state(), await context.cookies()]).toEqual([before, []]);
  await link.click();
  await page.waitForURL(`**/products/${SLUG}`);

  expect(await page.evaluate(`performance.getEntriesByType('navigation')[0].deliveryType`)).toBe(
    'navigational-prefetch',
  );
});

test('adding to the cart discards prefetched pages, so that the next page has the number of pieces', async () => {
  const { page } = await openVisit(shop);
  await fillCart(page);
  const link = page.locator('.breadcrumb a').last();
  const isDiscarded = await openAndPoint(page, `/products/${SLUG}`, link);

  await page.evaluate(`fetch('/cart/items', { method: 'POST', body: new URLSearchParams(
    { product_id: 'taza-talavera', quantity: '1' }) }).then(({ status }) => status)`);
  await until(isDiscarded);
  await link.click();
  await page.locator('h1.found').waitFor();

  expect(await page.getByTestId('cart-count').textContent()).toBe('2');
});
