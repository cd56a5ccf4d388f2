import { afterAll, expect, test } from '@jest/globals';
import { openVisit } from '../support/browser.js';
import { fillCart } from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

/** Width divided by height of the picture as drawn. Only `object-fit: fill` stretches a picture to its box. */
const PROPORTION = `(async () => {
  const image = document.querySelector('img[src*="taza-talavera"]');
  image.scrollIntoView();
  await image.decode();
  const { width, height } = image.getBoundingClientRect();
  return getComputedStyle(image).objectFit === 'fill' ? width / height : image.naturalWidth / image.naturalHeight;
})()`;

const shop = await openTestShop();
afterAll(async () => shop[Symbol.asyncDispose]());

test.each([
  ['wide (4:3)', 400, 300],
  ['tall (3:4)', 300, 400],
])(
  'a %s product picture keeps its proportions in catalog, product page and cart',
  async (_name, width, height) => {
    await using visit = await openVisit(shop);
    const { page } = visit;
    const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`;
    await page.route('**/products/taza-talavera.svg*', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body }),
    );
    await fillCart(page);

    for (const path of ['/', '/products/taza-de-talavera', '/cart']) {
      await page.goto(path);

      const proportion = await page.evaluate<number>(PROPORTION);
      expect([path, proportion.toFixed(1)]).toEqual([path, (width / height).toFixed(1)]);
    }
  },
);
