import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openVisit } from '../support/browser.js';
import { fillCart } from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

/** A JPEG of these measures: white, with a black square in the middle. */
async function drawJpeg(page: Page, width: number, height: number): Promise<Buffer> {
  const url: string = await page.evaluate(`(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: ${width}, height: ${height} });
    const pen = canvas.getContext('2d');
    pen.fillStyle = 'white';
    pen.fillRect(0, 0, ${width}, ${height});
    pen.fillStyle = 'black';
    pen.fillRect(${width / 2 - 50}, ${height / 2 - 50}, 100, 100);
    return canvas.toDataURL('image/jpeg');
  })()`);
  return Buffer.from(url.split(',')[1] ?? '', 'base64');
}

/** Width divided by height of what is black in a screenshot. */
async function proportionOfBlack(page: Page, screenshot: Buffer): Promise<number> {
  return page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${screenshot.toString('base64')}'), (byte) => byte.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    const pen = canvas.getContext('2d');
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, image.width, image.height);
    const black = [];
    for (let at = 0; at < data.length; at += 4)
      if (data[at] + data[at + 1] + data[at + 2] < 200) black.push(at / 4);
    const columns = black.map((at) => at % image.width);
    const rows = black.map((at) => Math.floor(at / image.width));
    const extent = (places) => places.reduce((a, b) => Math.max(a, b)) - places.reduce((a, b) => Math.min(a, b)) + 1;
    return extent(columns) / extent(rows);
  })()`);
}

test.each([
  ['wide (4:3)', 400, 300],
  ['tall (3:4)', 300, 400],
])(
  'a %s product picture keeps its proportions in catalog, product page and cart',
  async (_name, width, height) => {
    await using shop = await openTestShop();
    await using visit = await openVisit(shop);
    const { page } = visit;
    const jpeg = await drawJpeg(page, width, height);
    await page.route('**/products/taza-talavera.svg*', (route) =>
      route.fulfill({ contentType: 'image/jpeg', body: jpeg }),
    );
    await fillCart(page);
    const picture = page.locator('img[src*="taza-talavera"]');
    const measured: [path: string, proportion: number][] = [];

    for (const path of ['/', '/products/taza-de-talavera', '/cart']) {
      await page.goto(path);
      await picture.scrollIntoViewIfNeeded();
      await picture.evaluate('(image) => image.decode()');
      measured.push([path, await proportionOfBlack(page, await picture.screenshot())]);
    }

    for (const [path, proportion] of measured)
      expect([path, Math.abs(proportion - 1) < 0.1]).toEqual([path, true]);
  },
);
