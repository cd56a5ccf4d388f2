import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { brand } from '../../src/locales/brand.js';

/** Expects that the order page prints as one page with the merchant's identity, without buttons, navigation and `hidden`. */
export async function expectPrintedReceipt(page: Page, ...hidden: readonly string[]): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  const pages = (await page.pdf({ format: 'Letter' })).toString('latin1').match(/\/Type\s*\/Page\b/g);
  const visible = (selector: string) => page.locator(selector).filter({ visible: true }).count();

  expect(pages).toHaveLength(1);
  expect(await visible(['button', '.button', 'nav', 'footer ul', ...hidden].join())).toBe(0);
  for (const text of ['Recibo de pago', brand.merchant.legalName, brand.merchant.address])
    expect(await page.getByText(text).filter({ visible: true }).count()).toBe(1);
  await page.emulateMedia({ media: 'screen' });
}
