import { expect, test } from '@jest/globals';
import { openVisit } from '../support/browser.js';
import { MISTYPED } from '../support/mistyped-emails.js';
import { openSharedShop } from '../support/shared-shop.js';
import { fillCheckout } from '../support/steps.js';
import { typeInto } from '../support/typing.js';

const shop = await openSharedShop({ foreignGateway: true });

test('the browser suggests what the server suggests', async () => {
  const { page } = await openVisit(shop);
  await fillCheckout(page);
  const found: unknown[] = [];
  for (const [typed] of MISTYPED) {
    await typeInto(page.locator('#email'), typed);
    await page.locator('#email').blur();
    const isShown = await page.getByTestId('use-email').isVisible();
    found.push([typed, isShown ? await page.locator('[data-suggested]').textContent() : undefined]);
  }

  expect(found).toEqual(MISTYPED);
});
