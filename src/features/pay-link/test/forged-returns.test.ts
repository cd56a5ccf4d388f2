import { expect, test } from '@jest/globals';
import { attemptStates, MINUTE, openBankPage, PAY_AGAIN } from '../../../../test/checkout/support.js';
import { Customer } from '../../../../test/support/customer.js';
import { theOrder } from '../../../../test/support/inspect.js';
import { CARDS, payByCard } from '../../../../test/support/purchase.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';

const shop = await openSharedShop();

test('a forged return by other persons with the order link does not keep the customer from cancelling', async () => {
  const { customer, returnPath, orderPath } = await openBankPage(shop);
  const other = new Customer(shop);
  for (const query of ['', '?attempt=1', '?attempt=01999999-0000-7000-8000-000000000000', '?tndr_payment_id=1'])
    for (const answer of [await other.get(returnPath + query), await other.post(returnPath + query, {})])
      expect(answer.headers['location']).toBe(orderPath);
  shop.clock.advance(9 * MINUTE);

  const again = await payByCard(shop, customer, CARDS.declined, PAY_AGAIN);
  const { version } = await theOrder(shop);
  await customer.post(`${orderPath}/cancel`, { version });

  expect([again.status, await attemptStates(shop)]).toEqual([303, ['superseded', 'declined']]);
  expect((await theOrder(shop)).state).toBe('cancelled');
});
