/** An order is paid by card from its link in a second browser, which has none of the cookies of the first one. */
import { test } from '@jest/globals';
import { openVisit } from '../../../../support/browser.js';
import { expectEmptyCard, expectFields, expectPaidOnce, moves, submitTwice } from '../../../../support/history.js';
import { theOrder } from '../../../../support/inspect.js';
import { openSharedShop } from '../../../../support/shared-shop.js';
import { cards, reachHostedPage, typeCard } from '../../../../support/steps.js';
import { enterForm } from '../../../../support/typing.js';

const shop = await openSharedShop({ foreignGateway: true });
const BANK = '**/bank/*';
const ERROR_409 = /^console error: Failed to load resource: .* 409/;
const payer = { first_name: 'Luz', last_name: 'Soto', email: 'luz.soto@example.com' };

/** Leaves an order with an open hosted page in the first browser. Returns its payment link. */
async function leaveOrder(): Promise<string> {
  await reachHostedPage((await openVisit(shop)).page);
  return `/orders/${(await theOrder(shop)).token}/pay`;
}

test('on a payment link Back and reload post nothing, keep the fields of another person, and charge once', async () => {
  const path = await leaveOrder();
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
