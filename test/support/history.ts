/** Back and reload in a browser. The browser posts nothing again and shows no error page of its own. */
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Visit } from './browser.js';
import { HOSTED_PAGE, untilOrderIs } from './steps.js';
import type { TestShop } from './test-shop.js';
import { typeInto } from './typing.js';

const CARD_INPUTS = ['#card-number-input', '#cardholder-input', '#expiry-input', '#cvv-input'];

/** Moves in the history or reloads, and expects that the browser posts nothing and shows a page of the shop or gateway. */
export async function moves({ page, sent }: Visit, move: 'goBack' | 'reload', url?: string): Promise<void> {
  const posts = () => sent.filter((line) => line.startsWith('POST'));
  const before = posts();
  await page[move]({ waitUntil: 'domcontentloaded' });
  if (url !== undefined) await page.waitForURL(url);
  expect([posts(), page.url().startsWith('http')]).toEqual([before, true]);
}

export async function expectFields(page: Page, texts: Readonly<Record<string, string>>): Promise<void> {
  const shown = Object.keys(texts).map(async (name) => [name, await page.locator(`#${name}`).inputValue()]);
  expect(Object.fromEntries(await Promise.all(shown))).toEqual(texts);
}

export async function expectEmptyCard(page: Page): Promise<void> {
  for (const input of CARD_INPUTS) expect([input, await page.locator(input).inputValue()]).toEqual([input, '']);
}

/** Submits the form with a wrong e-mail address, reloads its page and corrects it. */
export async function submitTwice(
  visit: Visit,
  right: Readonly<Record<string, string>> & { readonly email: string },
): Promise<void> {
  const { page } = visit;
  visit.expectTrouble(/^console error: Failed to load resource: .* 422/);
  await typeInto(page.locator('#email'), 'eva.ruiz');
  await page.getByTestId('pay-hosted').click();
  await page.waitForURL('**?answer=1');
  await moves(visit, 'reload');
  await page.locator('#email-error').waitFor();
  await expectFields(page, { ...right, email: 'eva.ruiz' });
  await typeInto(page.locator('#email'), right.email);
  await page.getByTestId('pay-hosted').click();
  await page.waitForURL(HOSTED_PAGE);
}

/** Reloads the order page and goes back two pages. */
export async function expectPaidOnce(visit: Visit, shop: TestShop): Promise<void> {
  const { page } = visit;
  await untilOrderIs(page, 'paid');
  await moves(visit, 'reload');
  await untilOrderIs(page, 'paid');
  for (let back = 0; back < 2; back += 1) await moves(visit, 'goBack');
  expect(shop.control.ledger()).toHaveLength(1);
}
