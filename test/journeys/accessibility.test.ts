import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { audit } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { contact } from '../support/customer.js';
import {
  cards,
  fillCardPage,
  fillCart,
  fillCheckout,
  HOSTED_PAGE,
  orderState,
  passTime,
  payWith,
  reachBank,
  reachHostedPage,
  untilOrderIs,
} from '../support/steps.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const HOUR_MS = 3_600_000;

/** The order page of the shop's only order. */
async function openOrder(shop: TestShop, page: Page): Promise<void> {
  const { queries } = shop.context.checkout.db;
  const { token } = await queries.selectFrom('orders').select('token').executeTakeFirstOrThrow();
  await page.goto(`/orders/${token}`);
}

describe.each(['es-MX', 'en-US'])(
  'in %s no page has a fault that WCAG 2.2 AA knows, in light or dark, wide or narrow',
  (locale) => {
    test('the catalog, a product, the cart, and what is not found', async () => {
      await using shop = await openTestShop({ foreignGateway: true });
      await using visit = await openVisit(shop, { locale });
      const { page } = visit;
      visit.expectTrouble(/^console error: Failed to load resource: .* 404/);

      const searches = ['/?q=taza', '/?category=music&q=nada'];
      for (const path of ['/', ...searches, '/products/taza-de-talavera', '/cart', '/orders', '/nowhere']) {
        await page.goto(path);
        expect([path, await audit(page)]).toEqual([path, []]);
      }
      await fillCart(page);
      await page.goto('/cart');
      expect(await audit(page)).toEqual([]);
    });

    test('who looks for an order, with errors and without', async () => {
      await using shop = await openTestShop({ foreignGateway: true });
      await using visit = await openVisit(shop, { locale });
      const { page } = visit;
      visit.expectTrouble(/^console error: Failed to load resource: .* 422/);

      await page.goto('/orders');
      await page.getByTestId('find-order').click();
      await page.locator('#errors:focus').waitFor();
      expect(await audit(page)).toEqual([]);
      await page.locator('#number').fill('tg 7kmx 2afr');
      await page.locator('#email').fill(contact.email);
      await page.getByTestId('find-order').click();
      await page.getByTestId('link-sent').waitFor();
      expect(await audit(page)).toEqual([]);
    });

    test('a quantity that was refused, on the product and in the cart', async () => {
      await using shop = await openTestShop({ foreignGateway: true });
      await using visit = await openVisit(shop, { locale });
      const { page } = visit;
      visit.expectTrouble(/^console error: Failed to load resource: .* 422/);

      await page.goto('/products/taza-de-talavera');
      await page.locator('#quantity').fill('0');
      await page.getByTestId('add-to-cart').click();
      await page.locator('#quantity-error').waitFor();
      expect(await audit(page)).toEqual([]);
      await fillCart(page);
      await page.goto('/cart');
      await page.locator('#quantity-taza-talavera').fill('100');
      await page.getByTestId('update').click();
      await page.locator('#quantity-taza-talavera-error').waitFor();
      expect(await audit(page)).toEqual([]);
    });

    test('the checkout form, empty, with errors, and with a notice', async () => {
      await using shop = await openTestShop({ foreignGateway: true });
      await using visit = await openVisit(shop, { locale });
      const { page } = visit;
      visit.expectTrouble(/^console error: Failed to load resource: .* 422/);
      visit.expectTrouble(/^console error: Failed to load resource: .* 503/);

      await fillCart(page);
      await page.goto('/checkout');
      expect(await audit(page)).toEqual([]);
      await page.getByTestId('pay-hosted').click();
      await page.locator('#errors').waitFor();
      expect(await audit(page)).toEqual([]);
      shop.simulator.control.fault('create-session', { kind: 'status', status: 503 });
      await fillCheckout(page);
      await page.getByTestId('pay-hosted').click();
      await page.locator('.notice').waitFor();
      expect(await audit(page)).toEqual([]);
      await openOrder(shop, page);
      expect(await orderState(page)).toBe('created');
      expect(await audit(page)).toEqual([]);
    });

    test('the card page, empty, filled, and with errors', async () => {
      await using shop = await openTestShop({ foreignGateway: true });
      await using visit = await openVisit(shop, { locale });
      const { page } = visit;

      await fillCart(page);
      await page.goto('/checkout/card');
      expect(await audit(page)).toEqual([]);
      await page.getByTestId('pay-card').click();
      await page.locator('#card-problem').waitFor();
      expect(await audit(page)).toEqual([]);
      await fillCardPage(page, cards.authorized);
      expect(await audit(page)).toEqual([]);
    });

    test('the hosted page, after a decline, with errors, and the order that waits and is paid', async () => {
      await using shop = await openTestShop({ foreignGateway: true });
      await using visit = await openVisit(shop, { locale });
      const { page } = visit;
      visit.expectTrouble(/^console error: Failed to load resource: .* 422/);

      const hosted = await reachHostedPage(page);
      await page.locator('details summary').first().click();
      expect(await audit(page)).toEqual([]);
      await payWith(page, cards.declined);
      await page.getByTestId('message').waitFor();
      expect(await audit(page)).toEqual([]);
      await page.getByTestId('pay').click();
      await page.locator('#cvv-error').waitFor();
      expect(await audit(page)).toEqual([]);
      await openOrder(shop, page);
      await untilOrderIs(page, 'pending');
      expect(await audit(page)).toEqual([]);
      await page.goto(hosted);
      await payWith(page, cards.succeeds);
      await untilOrderIs(page, 'paid');
      expect(await audit(page)).toEqual([]);
      await page.goto(hosted);
      expect(await audit(page)).toEqual([]);
    });

    test.each(['expired', 'cancelled'])('the hosted page and the order that are %s', async (state) => {
      await using shop = await openTestShop({ foreignGateway: true });
      await using visit = await openVisit(shop, { locale });
      const { page } = visit;

      const hosted = await reachHostedPage(page);
      if (state === 'expired') passTime(shop, HOUR_MS + 60_000);
      else shop.simulator.control.cancelSession(hosted.split('/').at(-1) ?? '');
      await page.goto(hosted);
      expect(await audit(page)).toEqual([]);
      await page.getByTestId('continue').click();
      await untilOrderIs(page, state);
      expect(await audit(page)).toEqual([]);
    });

    test('the bank, walked away from and answered, and the order that is declined', async () => {
      await using shop = await openTestShop({ foreignGateway: true });
      await using visit = await openVisit(shop, { locale });
      const { page } = visit;

      await reachBank(page);
      const bank = page.url();
      expect(await audit(page)).toEqual([]);
      await page.getByTestId('walk-away').click();
      await page.getByTestId('continue').waitFor();
      expect(await audit(page)).toEqual([]);
      await page.getByTestId('continue').click();
      await page.getByTestId('refuse').click();
      await untilOrderIs(page, 'declined');
      expect(await audit(page)).toEqual([]);
      await page.goto(bank);
      expect(await audit(page)).toEqual([]);
    });

    test('the orders whose money somebody has to look for', async () => {
      await using shop = await openTestShop({ foreignGateway: true });
      await using visit = await openVisit(shop, { locale });
      await using other = await openVisit(shop, { locale });

      shop.simulator.control.fault('process', { kind: 'drop', when: 'after' }, 1);
      await fillCardPage(visit.page, cards.authorized);
      await visit.page.getByTestId('pay-card').click();
      await untilOrderIs(visit.page, 'outcome_unknown');
      expect(await audit(visit.page)).toEqual([]);
      await reachHostedPage(other.page);
      shop.simulator.control.fault('read-session', { kind: 'rewrite', set: { amount_total: 1 } });
      await payWith(other.page, cards.succeeds);
      await untilOrderIs(other.page, 'review');
      expect(await audit(other.page)).toEqual([]);
    });

    test('the start page of the simulator and its wire view', async () => {
      await using shop = await openTestShop({ foreignGateway: true, webhooks: true });
      await using visit = await openVisit(shop, { locale });
      const { page } = visit;

      await page.goto(`${shop.simulator.url}/wire`);
      expect(await audit(page)).toEqual([]);
      shop.simulator.control.fault('read-session', { kind: 'drop', when: 'before' }, 1);
      await reachHostedPage(page);
      await payWith(page, cards.succeeds);
      await untilOrderIs(page, 'paid');
      await page.goto(`${shop.simulator.url}/wire`);
      for (const row of await page.locator('.exchange summary').all()) await row.click();
      expect(await page.locator('.exchange[data-tone="cut"]').count()).toBe(1);
      expect(await audit(page)).toEqual([]);
      await page.goto(shop.simulator.url);
      expect(await audit(page)).toEqual([]);
      await page.getByTestId('plan-fault').click();
      await page.getByTestId('planned').waitFor();
      expect(await audit(page)).toEqual([]);
    });
  },
);

describe('a keyboard is enough', () => {
  /** Tabs on until this element has the focus, as a customer without a mouse does. */
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

  test('from the catalog to the paid order', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;

    await page.goto('/');
    await press(page, 'a.skip');
    await press(page, 'a[href="/products/taza-de-talavera"]');
    await press(page, '[data-test="add-to-cart"]');
    await press(page, '[data-test="go-to-checkout"]');
    await page.locator('#first_name').waitFor();
    for (const [name, value] of Object.entries(contact)) {
      await tabTo(page, `#${name}`);
      await page.keyboard.type(value);
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(HOSTED_PAGE);
    await press(page, `[data-test="test-card-${cards.asksBank}"]`);
    await press(page, '[data-test="approve"]');

    expect(await orderState(page)).toBe('paid');
    expect(shop.simulator.control.ledger()).toHaveLength(1);
  });

  test('an error takes the focus to its summary, and from there Enter leads to the field', async () => {
    await using shop = await openTestShop({ foreignGateway: true });
    await using visit = await openVisit(shop);
    const { page } = visit;
    visit.expectTrouble(/^console error: Failed to load resource: .* 422/);

    await fillCheckout(page);
    await page.locator('#email').fill('eva.ruiz');
    await page.keyboard.press('Enter');
    await page.locator('#errors:focus').waitFor();
    await press(page, '#errors a');

    await page.locator('#email:focus').waitFor();
    expect(await page.locator('#email').getAttribute('aria-describedby')).toContain('email-error');
  });
});
