/** An order is paid from its link in a second browser, which has none of the cookies of the first one. */
import { expect, test } from '@jest/globals';
import { openVisit } from '../../../../test/support/browser.js';
import { payer } from '../../../../test/support/customer.js';
import { theOrder } from '../../../../test/support/inspect.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { cards, HOSTED_PAGE, payWith, reachHostedPage, untilOrderIs } from '../../../../test/support/steps.js';
import { enterForm } from '../../../../test/support/typing.js';

const shop = await openSharedShop({ foreignGateway: true });

test('an order is paid on the hosted page in a second browser without JavaScript, from the page of its mailed link', async () => {
  await reachHostedPage((await openVisit(shop)).page);
  const path = `/orders/${(await theOrder(shop)).token}`;
  const { page } = await openVisit(shop, { javaScriptEnabled: false });

  await page.goto(path);
  await page.locator(`a[href="${path}/pay"]`).click();
  await enterForm(page, payer);
  await page.getByTestId('pay-hosted').click();
  await page.waitForURL(HOSTED_PAGE, { waitUntil: 'commit' });
  await payWith(page, cards.succeeds);
  await untilOrderIs(page, 'paid');

  expect(shop.control.sessions()).toHaveLength(1);
  expect(shop.control.ledger()).toHaveLength(1);
});
