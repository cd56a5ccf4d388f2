/** An order is paid by card from its link in a second browser, which has none of the cookies of the first one. */
import { test } from '@jest/globals';
import { openVisit } from '../../../../../../test/support/browser.js';
import { payer } from '../../../../../../test/support/customer.js';
import {
  expectEmptyCard,
  expectFields,
  expectPaidOnce,
  moves,
  submitTwice,
} from '../../../../../../test/support/history.js';
import { openSharedShop } from '../../../../../../test/support/shared-shop.js';
import { cards, typeCard } from '../../../../../../test/support/steps.js';
import { enterForm } from '../../../../../../test/support/typing.js';
import { BANK, ERROR_409, leaveOrder } from '../left-order.js';

const shop = await openSharedShop({ foreignGateway: true });
test('on a payment link Back and reload post nothing, keep the fields of another person, and charge once', async () => {
  const path = await leaveOrder(shop);
  const visit = await openVisit(shop);
  const { page } = visit;

  await page.goto(path);
  await enterForm(page, payer);
  await submitTwice(visit, payer);
  await moves(visit, 'goBack', '**/pay?answer=1');
  await expectFields(page, payer);
  shop.clock.advance(60_000);
  visit.expectTrouble(ERROR_409);
  await page.getByTestId('choose-card').click();
  await page.waitForURL('**/pay/card');
  await expectFields(page, payer);
  await typeCard(page, cards.challenged);
  await page.getByTestId('pay-card').click();
  await page.waitForURL('**/pay/card?pay_again=1&answer=1');
  await moves(visit, 'reload');
  await expectFields(page, payer);
  await expectEmptyCard(page);
  await typeCard(page, cards.challenged);
  await page.getByTestId('pay-card').click();
  await page.waitForURL(BANK);
  await moves(visit, 'goBack', '**/pay/card?pay_again=1&answer=1');
  await moves(visit, 'reload');
  await expectEmptyCard(page);
  await page.goForward();
  await page.waitForURL(BANK);
  await page.getByTestId('approve').click();

  await expectPaidOnce(visit, shop);
});
