/** An order is paid by card from its link in a second browser, which has none of the cookies of the first one. */
import { expect, test } from '@jest/globals';
import { expectAccessible, expectAccessibleInAll } from '../../../../../test/support/audit.js';
import { openVisit } from '../../../../../test/support/browser.js';
import { payer } from '../../../../../test/support/customer.js';
import { openSharedShop } from '../../../../../test/support/shared-shop.js';
import { cards, typeCard, untilOrderIs } from '../../../../../test/support/steps.js';
import { enterForm } from '../../../../../test/support/typing.js';
import { BANK, ERROR_409, leaveOrder } from './left-order.js';

const shop = await openSharedShop({ foreignGateway: true });
test('an order is paid by card with 3D Secure in a second browser after the warning, which meets WCAG 2.2 AA', async () => {
  const path = await leaveOrder(shop);
  shop.clock.advance(60_000);
  const visit = await openVisit(shop);
  const { page } = visit;
  visit.expectTrouble(ERROR_409);

  await page.goto(path);
  await page.getByTestId('choose-card').click();
  await enterForm(page, payer);
  await typeCard(page, cards.challenged);
  await page.getByTestId('pay-card').click();
  await page.locator('.notice').waitFor();
  await expectAccessible(page);
  await typeCard(page, cards.challenged);
  await page.getByTestId('pay-card').click();
  await page.waitForURL(BANK, { waitUntil: 'commit' });
  await page.locator('button').first().click();

  await untilOrderIs(page, 'paid');
  await expectAccessibleInAll(page);
  expect(shop.control.ledger()).toHaveLength(1);
  expect(await page.getByTestId('person').count()).toBe(0);
});
