import { test } from '@jest/globals';
import { expectCookieHint } from '../../../../test/support/cookies.js';
import { openHostedPage } from '../../../../test/support/purchase.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';

const shop = await openSharedShop();

test('a browser without cookies learns on the page of a payment link why its form is empty', async () => {
  const { orderPath } = await openHostedPage(shop);
  await expectCookieHint(shop, `${orderPath}/pay/hosted`, `${orderPath}/pay`);
});
