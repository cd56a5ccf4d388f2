import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { SHIPPED } from '../support/catalog.js';
import { contact } from '../support/customer.js';
import { openFileShop } from '../support/shared-shop.js';
import { cards, HOSTED_PAGE, untilOrderIs } from '../support/steps.js';

const shop = await openFileShop({ foreignGateway: true });

/** Presses Tab until this element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if ((await page.locator(`${selector}:focus`).count()) === 1) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`no way to ${selector} by Tab`);
}

async function press(page: Page, selector: string): Promise<void> {
  await page.locator(selector).first().waitFor();
  await tabTo(page, selector);
  await page.keyboard.press('Enter');
}

test('with the keyboard alone a customer buys, from the catalog to the paid order, and corrects the form from its error summary, which meets WCAG 2.2 AA', async () => {
  const visit = await openVisit(shop);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);

  await page.goto('/');
  await press(page, 'a.skip');
  await press(page, `a[href="/products/${SHIPPED}"]`);
  await press(page, '[data-test="add-to-cart"]');
  await press(page, '[data-test="go-to-checkout"]');
  await page.locator('#first_name').waitFor();
  for (const [name, value] of Object.entries({ ...contact, email: 'eva.ruiz' })) {
    await tabTo(page, `#${name}`);
    // The browser's locale orders the parts of a day.
    if (await page.locator(`#${name}[type="date"]`).count()) await page.locator(`#${name}`).fill(value);
    else await page.keyboard.type(value);
  }
  await tabTo(page, 'input[name="shipping_option"]');
  while (!(await page.locator('#shipping-pickup:checked').count())) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('#errors:focus').waitFor();
  await expectAccessible(page);
  await press(page, '#errors a');
  await page.locator('#email:focus').waitFor();
  expect(await page.locator('#email').getAttribute('aria-describedby')).toContain('email-error');
  await page.keyboard.press('Control+A');
  await page.keyboard.type(contact.email);
  await page.keyboard.press('Enter');
  await page.waitForURL(HOSTED_PAGE);
  await press(page, `[data-test="test-card-${cards.succeeds}"]`);

  await untilOrderIs(page, 'paid');
});
