import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { audit } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { contact, mugPickup } from '../support/customer.js';
import { allOrders } from '../support/inspect.js';
import {
  cards,
  fillCardPage,
  fillCart,
  fillCheckout,
  HOSTED_PAGE,
  orderState,
  payWith,
  reachHostedPage,
  untilOrderIs,
} from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

const shop = await openTestShop({ foreignGateway: true });
const { control } = shop.simulator;
afterAll(async () => shop[Symbol.asyncDispose]());
afterEach(() => control.clearFaults());

const ERROR_422 = /^console error: Failed to load resource: .* 422/;

/** Audits the page in light and dark mode and in a narrow window. */
async function expectAccessible(page: Page): Promise<void> {
  expect([page.url(), await audit(page)]).toEqual([page.url(), []]);
}

/** Posts a checkout form without the page, to save time. */
async function post(page: Page, path: string, fields = {}): Promise<void> {
  await fillCart(page);
  await page.context().request.post(path, { form: { ...mugPickup, ...fields }, maxRedirects: 0 });
}

const payByCard = (page: Page, card: string) => post(page, '/checkout/card', control.tokenizeCard(card));

/** Opens a hosted page without the browser. Returns the id of its session. */
async function openSession(page: Page): Promise<string> {
  await post(page, '/checkout/hosted');
  return control.sessions().at(-1)?.id ?? '';
}

/** How an order gets into each state. */
const STATES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  created(page) {
    control.fault('create-session', { kind: 'status', status: 503 });
    return post(page, '/checkout/hosted');
  },
  pending: openSession,
  paid: (page) => payByCard(page, cards.succeeds),
  declined: (page) => payByCard(page, cards.declined),
  expired: async (page) => control.expireSession(await openSession(page)),
  cancelled: async (page) => control.cancelSession(await openSession(page)),
  outcome_unknown(page) {
    control.fault('process', { kind: 'drop', when: 'after' }, 1);
    return payByCard(page, cards.succeeds);
  },
  async review(page) {
    control.paySession(await openSession(page));
    control.fault('read-session', { kind: 'rewrite', set: { amount_total: 1 } });
  },
};

test('WCAG 2.2 AA is met by catalog, search, product and cart, with and without errors, and by the page that is not found', async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 404/);
  visit.expectTrouble(ERROR_422);

  const soldOut = '/products/caja-laqueada-de-olinala';
  for (const path of ['/', '/?q=taza', '/?category=music&q=nada', soldOut, '/cart', '/nowhere']) {
    await page.goto(path);
    await expectAccessible(page);
  }
  await page.goto('/products/taza-de-talavera');
  await page.locator('#quantity').fill('0');
  await page.getByTestId('add-to-cart').click();
  await page.locator('#quantity-error').waitFor();
  await expectAccessible(page);
  await fillCart(page);
  await page.goto('/cart');
  await page.locator('#quantity-taza-talavera').fill('100');
  await page.getByTestId('update').click();
  await page.locator('#quantity-taza-talavera-error').waitFor();
  await expectAccessible(page);
});

test('WCAG 2.2 AA is met by the search for a lost order, with errors and after the mail is sent', async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  visit.expectTrouble(ERROR_422);

  await page.goto('/orders');
  await page.getByTestId('find-order').click();
  await page.locator('#errors:focus').waitFor();
  await expectAccessible(page);
  await page.locator('#number').fill('tg 7kmx 2afr');
  await page.locator('#email').fill(contact.email);
  await page.getByTestId('find-order').click();
  await page.getByTestId('link-sent').waitFor();
  await expectAccessible(page);
});

test('WCAG 2.2 AA is met by checkout form and card page, empty, filled, with errors and with a notice', async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  visit.expectTrouble(ERROR_422);
  visit.expectTrouble(/^console error: Failed to load resource: .* 503/);

  await fillCart(page);
  await page.goto('/checkout');
  await page.getByTestId('pay-hosted').click();
  await page.locator('#errors').waitFor();
  await expectAccessible(page);
  control.fault('create-session', { kind: 'status', status: 503 });
  await fillCheckout(page);
  await page.getByTestId('pay-hosted').click();
  await page.locator('.notice').waitFor();
  await expectAccessible(page);
  await page.goto('/checkout/card');
  await page.getByTestId('pay-card').click();
  await page.locator('#card-problem').waitFor();
  await expectAccessible(page);
  await fillCardPage(page, cards.authorized);
  await expectAccessible(page);
});

test.each(Object.entries(STATES))(
  'WCAG 2.2 AA is met by the page of an order in state %s',
  async (state, reach) => {
    await using visit = await openVisit(shop);
    const { page } = visit;

    await reach(page);
    const order = (await allOrders(shop)).at(-1);
    await page.goto(`/checkout/return/${order?.token}`);

    await untilOrderIs(page, state);
    await expectAccessible(page);
  },
);

test('WCAG 2.2 AA is met by hosted page, bank page, call list and start page of the simulator', async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  visit.expectTrouble(ERROR_422);

  await reachHostedPage(page);
  await payWith(page, cards.declined);
  await page.getByTestId('message').waitFor();
  await page.getByTestId('pay').click();
  await page.locator('#cvv-error').waitFor();
  await expectAccessible(page);
  await payWith(page, cards.asksBank);
  await page.getByTestId('approve').waitFor();
  await expectAccessible(page);
  await page.getByTestId('approve').click();
  await untilOrderIs(page, 'paid');
  await page.goto(`${shop.simulator.url}/wire`);
  for (const row of (await page.locator('.exchange summary').all()).slice(0, 4)) await row.click();
  await expectAccessible(page);
  await page.goto(shop.simulator.url);
  await expectAccessible(page);
});

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

test('with the keyboard alone a customer buys, from the catalog to the paid order, and corrects the form from its error summary', async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  visit.expectTrouble(ERROR_422);

  await page.goto('/');
  await press(page, 'a.skip');
  await press(page, 'a[href="/products/taza-de-talavera"]');
  await press(page, '[data-test="add-to-cart"]');
  await press(page, '[data-test="go-to-checkout"]');
  await page.locator('#first_name').waitFor();
  for (const [name, value] of Object.entries({ ...contact, email: 'eva.ruiz' })) {
    await tabTo(page, `#${name}`);
    await page.keyboard.type(value);
  }
  await tabTo(page, '#shipping-standard');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('#errors:focus').waitFor();
  await press(page, '#errors a');
  await page.locator('#email:focus').waitFor();
  expect(await page.locator('#email').getAttribute('aria-describedby')).toContain('email-error');
  await page.keyboard.press('Control+A');
  await page.keyboard.type(contact.email);
  await page.keyboard.press('Enter');
  await page.waitForURL(HOSTED_PAGE);
  await press(page, `[data-test="test-card-${cards.succeeds}"]`);

  expect(await orderState(page)).toBe('paid');
});
