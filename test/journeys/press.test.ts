/** Pages that change while a press is under way: the press counts. */
import { expect, test } from '@jest/globals';
import { DEFAULT_TABLE } from '../../src/shop/rules/default-table.js';
import { openVisit } from '../support/browser.js';
import { MUG, SHIPPED } from '../support/catalog.js';
import { allOrders } from '../support/inspect.js';
import { aimAt } from '../support/press.js';
import { openSharedShop } from '../support/shared-shop.js';
import { storeSettings } from '../support/shop-settings.js';
import { fillCart, fillCheckout, HOSTED_PAGE } from '../support/steps.js';
import { SCREENS, typeInto } from '../support/typing.js';

const shop = await openSharedShop({ foreignGateway: true });
const TYPO = 'ana@gmial.com';
const emailOf = async () => (await allOrders(shop)).map(({ email }) => email);

test.each(['phone', 'desktop'] as const)(
  'on a %s the first press of the payment button beside a mistyped address asks, and the second pays',
  async (screen) => {
    const { page } = await openVisit(shop, SCREENS[screen]);
    const pay = page.getByTestId('pay-hosted');
    await fillCheckout(page);
    await typeInto(page.locator('#email'), TYPO);

    await (await aimAt(page, pay))();
    await page.locator('[data-test="use-email"]:focus').waitFor();
    const orders = await emailOf();
    await (await aimAt(page, pay))();
    await page.waitForURL(HOSTED_PAGE, { waitUntil: 'commit' });

    expect(orders).toEqual([]);
    expect(await emailOf()).toEqual([TYPO]);
  },
);

test.each(['phone', 'desktop'] as const)(
  'on a %s a press of a shipping option counts although the question about the address opens, and the option stays in place',
  async (screen) => {
    const { page } = await openVisit(shop, SCREENS[screen]);
    const { width } = page.viewportSize() ?? { width: 0 };
    // So low that the page can scroll in a shop with few fields too.
    await page.setViewportSize({ width, height: 500 });
    const pickup = page.locator('#shipping-pickup');
    await fillCheckout(page, SHIPPED);
    await typeInto(page.locator('#email'), TYPO);
    const press = await aimAt(page, pickup);
    const before = await pickup.boundingBox();

    await press();
    await page.getByTestId('use-email').waitFor();

    expect(await pickup.isChecked()).toBe(true);
    // The browser scrolls by whole pixels.
    expect((await pickup.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, -0.5);
  },
);

test('a press of a shipping option counts although the answer to the address arrives meanwhile', async () => {
  const [zone] = DEFAULT_TABLE.zones;
  const states = zone?.states.filter((state) => state !== 'ROO');
  const undelivered = { name: 'Quintana Roo', states: ['ROO'], postalCodes: [], delivery: null };
  await storeSettings(shop.queries, {
    shipping: { ...DEFAULT_TABLE, pickup: true, zones: [{ ...zone, states }, undelivered] },
  });
  shop.clock.advance(5_000);
  const { page } = await openVisit(shop, SCREENS.desktop);
  const pickup = page.locator('#shipping-pickup');
  await fillCheckout(page, SHIPPED);
  let answer = () => {};
  await page.route('**/checkout/quotes?*postal_code=77500*', (route) => {
    answer = () => void route.continue();
  });
  const answered = page.waitForResponse('**/checkout/quotes?*postal_code=77500*');
  const asked = page.waitForRequest('**/checkout/quotes?*postal_code=77500*');
  await typeInto(page.locator('#postal_code'), '77500');
  await asked;

  await (
    await aimAt(page, pickup, async () => {
      answer();
      await answered;
    })
  )();
  await page.locator('[data-quotes] [role="status"]:not(:empty)').waitFor();

  expect(await pickup.isChecked()).toBe(true);
});

test('a press of the button for one piece more counts although the answer to an earlier one arrives meanwhile', async () => {
  const { page } = await openVisit(shop, SCREENS.desktop);
  await fillCart(page);
  await page.goto('/cart');
  const more = page.locator(`#more-${MUG}`);
  const answered = page.waitForResponse((answer) => answer.request().method() === 'POST');
  const press = await aimAt(page, more, async () => void (await answered));

  await more.click();
  await press();
  await page.getByRole('status').filter({ hasText: '3 artículos' }).waitFor();
});
