import type { Locator, Page } from 'playwright-core';

/**
 * Returns a function that presses what then stands at the present place of the element, as a customer does who aimed before the
 * page moved. A mouse button stays pressed until `until` is done.
 */
export async function aimAt(page: Page, element: Locator, until = async () => {}): Promise<() => Promise<void>> {
  await element.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const [left, top] = [x + width / 2, y + height / 2];
  return async () => {
    if (await page.evaluate<boolean>('navigator.maxTouchPoints > 0')) return page.touchscreen.tap(left, top);
    await page.mouse.move(left, top);
    await page.mouse.down();
    await until();
    // The page would move now.
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    await page.mouse.up();
  };
}
