import { expect, test } from '@jest/globals';
import { expectAccessible } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { allOrders } from '../support/inspect.js';
import { openSharedShop } from '../support/shared-shop.js';
import { fillCheckout, HOSTED_PAGE } from '../support/steps.js';
import { SCREENS, typeInto } from '../support/typing.js';

const shop = await openSharedShop({ foreignGateway: true });
const TYPO = 'ana@gmial.com';
const emailOf = async () => (await allOrders(shop)).map(({ email }) => email);

test('on a phone a mistyped address is asked about when the customer leaves the field, and a tap corrects it', async () => {
  const { page } = await openVisit(shop, SCREENS.phone);
  await fillCheckout(page);

  await typeInto(page.locator('#email'), TYPO);
  await page.locator('#email').blur();
  await page.getByTestId('use-email').waitFor();
  await expectAccessible(page);
  await page.getByTestId('use-email').tap();
  const isShown = await page.getByTestId('use-email').isVisible();
  await page.getByTestId('pay-hosted').tap();
  await page.waitForURL(HOSTED_PAGE, { waitUntil: 'commit' });

  expect(isShown).toBe(false);
  expect(await emailOf()).toEqual(['ana@gmail.com']);
});

test('without JavaScript the page asks about a mistyped address once, and the next click pays', async () => {
  const { page } = await openVisit(shop, { ...SCREENS.phone, javaScriptEnabled: false });
  await fillCheckout(page);
  await typeInto(page.locator('#email'), TYPO);

  await page.getByTestId('pay-hosted').click();
  await page.getByText('¿Quisiste escribir este correo?').waitFor();
  const orders = await emailOf();
  const hasButton = await page.getByTestId('use-email').isVisible();
  await page.getByTestId('pay-hosted').click();
  await page.waitForURL(HOSTED_PAGE, { waitUntil: 'commit' });

  expect([orders, hasButton]).toEqual([[], false]);
  expect(await emailOf()).toEqual([TYPO]);
});
