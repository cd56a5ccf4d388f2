/** Every form of an expiry date, and every way to enter and to correct card data. */
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openVisit } from '../../../support/browser.js';
import { openSharedShop } from '../../../support/shared-shop.js';
import {
  cards,
  fillCardPage,
  fillCart,
  reachHostedPage,
  typeHostedCard,
  untilOrderIs,
} from '../../../support/steps.js';
import { autofill, type Entry, pasteInto, SCREENS, SCREENS_OF_THIS_RUN, typeKeys } from '../../../support/typing.js';

const shop = await openSharedShop({ foreignGateway: true });

const NUMBER = '#card-number-input';
const EXPIRY = '#expiry-input';
/** What people type, and what the card page shows when they leave the field. */
const ACCEPTED = [
  ...[
    ['1139', '11/39'],
    ['11/39', '11/39'],
    ['11 / 39', '11/39'],
    ['11-39', '11/39'],
    ['11/2039', '11/39'],
  ],
  ...[
    ['4/39', '04/39'],
    ['439', '04/39'],
    ['112039', '11/39'],
    ['2039-11', '11/39'],
    ['１１／３９', '11/39'],
  ],
] as const;
const REFUSED = ['13/39', '0/39', '11', '11/3', '11/139', '1/1/39'];
const EXPIRIES = [...ACCEPTED.map(([typed]) => typed), ...REFUSED];

async function openScreen(screen: keyof typeof SCREENS) {
  return openVisit(shop, { ...SCREENS[screen], permissions: ['clipboard-read', 'clipboard-write'] });
}

/** Opens the card page with a cart. */
async function openCardPage(page: Page): Promise<void> {
  await fillCart(page);
  await page.goto('/checkout/card');
}

test.each(SCREENS_OF_THIS_RUN)(
  'on a %s the card page accepts each usual form of an expiry date, typed key by key',
  async (screen) => {
    await using visit = await openScreen(screen);
    const { page } = visit;
    await openCardPage(page);
    const shown: string[] = [];
    const refused: string[] = [];

    for (const text of EXPIRIES) {
      await typeKeys(page.locator(EXPIRY), text);
      await page.keyboard.press('Enter');
      if (await page.locator(`${EXPIRY}-error`).isVisible()) refused.push(text);
      else shown.push(await page.locator(EXPIRY).inputValue());
    }

    expect(refused).toEqual(REFUSED);
    expect(shown).toEqual(ACCEPTED.map(([, value]) => value));
  },
);

test('on a phone the hosted page accepts each usual form of an expiry date, typed key by key', async () => {
  await using visit = await openScreen('phone');
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);
  const address = await reachHostedPage(page);
  const held: string[] = [];
  const refused: string[] = [];

  for (const text of EXPIRIES) {
    await typeKeys(page.locator('#expiry'), text);
    const expiry = await page.locator('#expiry').inputValue();
    held.push(expiry);
    // As the button does, without the time of a page.
    const answer = await page.context().request.post(address, { form: { expiry } });
    if ((await answer.text()).includes('id="expiry-error"')) refused.push(text);
  }
  await page.getByTestId('pay').click();
  await page.locator('#expiry-error').waitFor();

  expect(held).toEqual(EXPIRIES);
  expect(refused).toEqual(REFUSED);
});

test.each([
  ['typed on a phone', 'phone', typeKeys],
  ['typed on a desktop', 'desktop', typeKeys],
  ['pasted', 'desktop', pasteInto],
  ['filled in by the browser', 'phone', autofill],
] satisfies [string, keyof typeof SCREENS, Entry][])(
  'card data that is %s pays on the card page and on the hosted page',
  async (_name, screen, enter) => {
    await using visit = await openScreen(screen);
    const { page } = visit;

    await fillCardPage(page, cards.authorized, enter);
    await page.getByTestId('pay-card').click();
    await untilOrderIs(page, 'paid');
    await reachHostedPage(page);
    await typeHostedCard(page, cards.succeeds, enter);
    await page.getByTestId('pay').click();
    await untilOrderIs(page, 'paid');

    expect(shop.control.ledger()).toHaveLength(2);
  },
);

/** Keys that write a field, and the value when the field is left. A single character is typed. */
const EDITS: readonly (readonly [selector: string, keys: string, value: string])[] = [
  // A digit is missing in the middle, and one is wrong.
  [NUMBER, '445654000000063 ArrowLeft ArrowLeft ArrowLeft 0', '4456 5400 0000 0063'],
  [NUMBER, '44560000000063 Home ArrowRight ArrowRight ArrowRight ArrowRight ArrowRight 5 4', '4456 5400 0000 0063'],
  [NUMBER, '4456549 Backspace 0000000063', '4456 5400 0000 0063'],
  // Across the space between two blocks.
  [NUMBER, '44569 Backspace Backspace Backspace 65400', '4456 5400'],
  [NUMBER, '44565400 Home ArrowRight ArrowRight ArrowRight ArrowRight Delete Delete', '4456 400'],
  [NUMBER, '44565400 Home Delete Delete Delete Delete Delete', '5400'],
  [NUMBER, '4456 Control+A Backspace 5400', '5400'],
  [EXPIRY, '11/38 Backspace 9', '11/39'],
  [EXPIRY, '11/39 Backspace Backspace Backspace 239', '11239'],
  [EXPIRY, '1/39 Home ArrowRight 1', '11/39'],
  [EXPIRY, '1239 Home Delete Delete 11', '11/39'],
  [EXPIRY, '11/39 Control+A Delete 4/39', '04/39'],
];

test.each(SCREENS_OF_THIS_RUN)(
  'on a %s card number and expiry date can be corrected anywhere, forwards and backwards',
  async (screen) => {
    await using visit = await openScreen(screen);
    const { page } = visit;
    await openCardPage(page);

    for (const [selector, keys, value] of EDITS) {
      await page.locator(selector).fill('');
      for (const key of keys.split(' ')) {
        if (/^[A-Z]/.test(key)) await page.keyboard.press(key);
        else await page.keyboard.type(key);
      }
      await page.keyboard.press('Tab');

      expect([keys, await page.locator(selector).inputValue()]).toEqual([keys, value]);
    }
  },
);
