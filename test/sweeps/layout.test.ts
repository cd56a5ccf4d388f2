import { expect, test } from '@jest/globals';
import { openVisit } from '../support/browser.js';
import { SHIPPED } from '../support/catalog.js';
import { until } from '../support/crowd.js';
import { openFileShop } from '../support/shared-shop.js';
import { fillCart } from '../support/steps.js';

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
/** Width divided by height of the picture as drawn. Only `object-fit: fill` stretches a picture to its box. */
const PROPORTION = `(async () => {
  const image = document.querySelector('main img[src*="logo.svg"]');
  image.scrollIntoView();
  await image.decode();
  const { width, height } = image.getBoundingClientRect();
  return getComputedStyle(image).objectFit === 'fill' ? width / height : image.naturalWidth / image.naturalHeight;
})()`;

const shop = await openFileShop();

test('the pages of the shop have no layout shift on a phone and send requests to the shop only', async () => {
  await using visit = await openVisit(shop, { viewport: NARROW });
  const { page } = visit;
  await fillCart(page, SHIPPED);

  for (const path of ['/', '/products/taza-de-talavera', '/cart', '/checkout', '/checkout/card']) {
    await page.goto(path);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await until(() => page.evaluate<boolean>(LOADED));
    expect([path, await page.evaluate(SHIFTS)]).toEqual([path, 0]);
  }

  expect(visit.sent.filter((sent) => !sent.includes(` ${shop.url}/`))).toEqual([]);
});

test.each([
  ['wide (4:3)', 400, 300],
  ['tall (3:4)', 300, 400],
])('a %s product picture keeps its proportions on every page', async (_name, width, height) => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`;
  await page.route('**/logo.svg*', (route) => route.fulfill({ contentType: 'image/svg+xml', body }));
  await fillCart(page);

  for (const path of ['/', '/products/taza-de-talavera', '/cart']) {
    await page.goto(path);

    const proportion = await page.evaluate<number>(PROPORTION);
    expect([path, proportion.toFixed(1)]).toEqual([path, (width / height).toFixed(1)]);
  }
});
