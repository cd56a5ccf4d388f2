import { afterAll, expect, test } from '@jest/globals';
import { openVisit } from '../support/browser.js';
import { until } from '../support/inspect.js';
import { fillCart, reachPendingOrder } from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

const MAX_BYTES = 30_000;
const NARROW = { width: 390, height: 844 };
/** Adds up the layout shifts that no input caused. */
const SHIFTS = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) sum += hadRecentInput ? 0 : value;
  }).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => setTimeout(() => resolve(sum), 0));
})`;
const LOADED = '[...document.images].every((image) => image.complete)';

const shop = await openTestShop();
afterAll(async () => shop[Symbol.asyncDispose]());

test('the pages of the shop have no layout shift on a phone and send requests to the shop only', async () => {
  await using visit = await openVisit(shop, { viewport: NARROW });
  const { page } = visit;
  await fillCart(page);

  for (const path of [
    '/',
    '/?q=taza',
    '/products/taza-de-talavera',
    '/cart',
    '/checkout',
    '/checkout/card',
  ]) {
    await page.goto(path);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await until(() => page.evaluate<boolean>(LOADED));
    expect([path, await page.evaluate(SHIFTS)]).toEqual([path, 0]);
  }

  expect(visit.sent.filter((sent) => !sent.includes(` ${shop.url}/`))).toEqual([]);
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
  await until(() => sizes.length === scripts + 2);
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
  const heading = page.getByRole('status').getByRole('heading', { level: 1 });
  expect(await heading.textContent()).toBe('Estamos esperando tu pago');
  expect(await page.locator('[data-next-lookup]').textContent()).toMatch(/Volvemos a consultar en \d+ s\./);
});
