/** Every way to change the cart and to leave it: what a customer typed is what is bought, or the page asks. */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { LOCALES } from '../../src/shop/rules/locales.js';
import { openVisit } from '../support/browser.js';
import {
  checkOut,
  goToCheckout,
  holdFirstSave,
  isAtCheckout,
  OTHER,
  openOnlyCart,
  quantityOf,
} from '../support/cart-steps.js';
import { MUG } from '../support/catalog.js';
import { until } from '../support/crowd.js';
import { cartContents } from '../support/inspect.js';
import { openFileShop } from '../support/shared-shop.js';
import { LIMITED, setStock } from '../support/stock.js';
import { SCREENS, SCREENS_OF_THIS_RUN, typeInto } from '../support/typing.js';

const shop = await openFileShop({ foreignGateway: true });

type Way = readonly [way: string, cart: Record<string, number>, act: (page: Page) => Promise<unknown>];

const CHANGES_LANGUAGE: Way = [
  'changes the language',
  { [MUG]: 5, [OTHER]: 1 },
  async (page) => {
    await typeInto(quantityOf(page), '5');
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Your cart' }).waitFor();
    expect(await quantityOf(page).inputValue()).toBe('5');
  },
];

/** Ways to change the cart and to leave it at once, with the cart that follows. */
const WAYS: readonly Way[] = [
  ...(LOCALES.length > 1 ? [CHANGES_LANGUAGE] : []),
  [
    'types a quantity and pays',
    { [MUG]: 5, [OTHER]: 1 },
    async (page) => {
      await typeInto(quantityOf(page), '5');
      await checkOut(page);
    },
  ],
  [
    'changes two lines and pays',
    { [MUG]: 5, [OTHER]: 3 },
    async (page) => {
      await typeInto(quantityOf(page), '5');
      await typeInto(quantityOf(page, OTHER), '3');
      await checkOut(page);
    },
  ],
  [
    'presses + three times and pays',
    { [MUG]: 4, [OTHER]: 1 },
    async (page) => {
      for (let presses = 0; presses < 3; presses += 1) await page.locator(`#more-${MUG}`).click();
      await checkOut(page);
    },
  ],
  [
    'changes a line and removes the other',
    { [MUG]: 5 },
    async (page) => {
      await typeInto(quantityOf(page), '5');
      await page.locator(`#remove-${OTHER}`).click();
      await quantityOf(page, OTHER).waitFor({ state: 'detached' });
    },
  ],
  [
    'types zero and pays',
    { [OTHER]: 1 },
    async (page) => {
      await typeInto(quantityOf(page), '0');
      await checkOut(page);
    },
  ],
  [
    'continues shopping',
    { [MUG]: 5, [OTHER]: 1 },
    async (page) => {
      await typeInto(quantityOf(page), '5');
      await page.getByRole('link', { name: 'Seguir comprando' }).click();
      await page.waitForURL((url) => url.pathname === '/');
      expect(await page.getByTestId('cart-count').textContent()).toBe('6');
    },
  ],
  [
    'follows a link of the header',
    { [MUG]: 5, [OTHER]: 1 },
    async (page) => {
      await typeInto(quantityOf(page), '5');
      await page.locator('.brand').click();
      await page.waitForURL((url) => url.pathname === '/');
    },
  ],
  [
    'goes back',
    { [MUG]: 5, [OTHER]: 1 },
    async (page) => {
      await typeInto(quantityOf(page), '5');
      await page.goBack();
    },
  ],
  [
    'closes the page',
    { [MUG]: 5, [OTHER]: 1 },
    async (page) => {
      await typeInto(quantityOf(page), '5');
      await page.close();
    },
  ],
];

test.each(SCREENS_OF_THIS_RUN)(
  'on a %s a quantity that was just typed in the cart is stored, however the customer leaves the page',
  async (screen) => {
    for (const [way, cart, act] of WAYS) {
      await using visit = await openVisit(shop, SCREENS[screen]);
      await visit.page.goto('/');
      await openOnlyCart(shop, visit.page, OTHER);

      await act(visit.page);

      const isStored = async () => isDeepStrictEqual(await cartContents(shop), cart);
      await until(isStored).catch(async () => expect([way, await cartContents(shop)]).toEqual([way, cart]));
    }
  },
);

test.each([
  ['types another quantity and pays', '5', goToCheckout, isAtCheckout],
  ['types the former quantity and pays', '1', goToCheckout, isAtCheckout],
  [
    'types another quantity and continues shopping',
    '5',
    (page: Page) => page.getByRole('link', { name: 'Seguir comprando' }).click(),
    (page: Page) => page.waitForURL((url) => url.pathname === '/'),
  ],
])(
  'on a slow network a customer whose first change is still on its way %s: the last one counts',
  async (_what, typed, leave, arrive) => {
    await using visit = await openVisit(shop, SCREENS.phone);
    const { page } = visit;
    await openOnlyCart(shop, page);
    const { held, release } = await holdFirstSave(visit);

    await typeInto(quantityOf(page), '3');
    await page.keyboard.press('Tab');
    await held;
    await typeInto(quantityOf(page), typed);
    await leave(page);
    release();
    await arrive(page);

    expect(await cartContents(shop)).toEqual({ [MUG]: Number(typed) });
  },
);

test.each([
  ['pays', goToCheckout],
  ['continues shopping', (page: Page) => page.getByRole('link', { name: 'Seguir comprando' }).click()],
])('a customer who types an impossible quantity and %s is asked, and other lines are stored', async (_what, leave) => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);
  await openOnlyCart(shop, page, OTHER);

  await typeInto(quantityOf(page, OTHER), '3');
  await typeInto(quantityOf(page), '100');
  await leave(page);
  await page.locator(`#quantity-${MUG}-error`).waitFor();

  expect(await quantityOf(page).inputValue()).toBe('100');
  expect(await cartContents(shop)).toEqual({ [MUG]: 1, [OTHER]: 3 });
  await typeInto(quantityOf(page), '2');
  await checkOut(page);
  expect(await cartContents(shop)).toEqual({ [MUG]: 2, [OTHER]: 3 });
});

test.each([true, false])(
  'a sold-out line is removed by its button (with JavaScript: %s)',
  async (javaScriptEnabled) => {
    await using visit = await openVisit(shop, { javaScriptEnabled });
    const { page } = visit;
    await setStock(shop, 1);
    await openOnlyCart(shop, page, LIMITED);
    await setStock(shop, 0);
    await page.goto('/cart');

    await page.locator(`#remove-${LIMITED}`).click();
    await page.locator(`#remove-${LIMITED}`).waitFor({ state: 'detached' });

    expect(await cartContents(shop)).toEqual({ [MUG]: 1 });
  },
);

test('Back from an emptied cart shows no pieces in the header', async () => {
  await using visit = await openVisit(shop);
  const { page } = visit;
  await page.goto('/');
  await openOnlyCart(shop, page);
  await page.locator(`#remove-${MUG}`).click();
  await page.getByRole('heading', { name: 'Tu carrito está vacío' }).waitFor();

  await page.goBack();

  await page.locator('.count-empty').waitFor();
  expect(await page.getByTestId('cart-count').textContent()).toBe('0');
});

test.each([
  ['the one button', (page: Page) => page.getByTestId('update').click()],
  ['the Enter key', (page: Page) => page.keyboard.press('Enter')],
  ['the payment button', goToCheckout],
])('without JavaScript %s saves all lines', async (_what, save) => {
  await using visit = await openVisit(shop, { javaScriptEnabled: false });
  const { page } = visit;
  await openOnlyCart(shop, page, OTHER);

  await typeInto(quantityOf(page), '5');
  await typeInto(quantityOf(page, OTHER), '3');
  await Promise.all([page.waitForEvent('domcontentloaded'), save(page)]);

  expect(await cartContents(shop)).toEqual({ [MUG]: 5, [OTHER]: 3 });
});

test.each(['/cart', '/products/taza-de-talavera'])('on %s the mouse wheel changes no quantity', async (path) => {
  await using visit = await openVisit(shop, { viewport: { width: 1280, height: 400 } });
  const { page } = visit;
  await openOnlyCart(shop, page);
  await page.goto(path);
  const quantity = page.locator('.quantity');
  await typeInto(quantity, '5');

  await quantity.hover();
  await page.mouse.wheel(0, 120);
  await until(() => page.evaluate<boolean>('scrollY > 0'));

  expect(await quantity.inputValue()).toBe('5');
});
