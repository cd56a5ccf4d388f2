/** A new API key while orders are open. */
import { expect, test } from '@jest/globals';
import type { CheckoutContext } from '../../src/shop/checkout-context.js';
import { attemptStates, DAY, MINUTE, reconcileAll } from '../checkout/support.js';
import { Customer } from '../support/customer.js';
import { allAttempts, theOrder } from '../support/inspect.js';
import { CARDS, openHostedPage, openPaidPage, payByCard } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';
import { API_KEY } from '../support/test-shop.js';
import { withKey } from './support.js';

const shop = await openSharedShop();

const NOT_FOUND = { kind: 'status', status: 404 } as const;
const kinds = async () =>
  (await shop.queries.selectFrom('orderEvents').select('kind').orderBy('id').execute()).map(({ kind }) => kind);

async function reconcileWith(context: CheckoutContext, ms: number): Promise<void> {
  shop.clock.advance(ms);
  await reconcileAll(context);
}

test('an open payment is verified with a new key, which is adopted without an entry in the history', async () => {
  const page = await openHostedPage(shop);
  const before = await kinds();
  const context = withKey(shop, 'new');

  await reconcileWith(context, MINUTE);
  const adopted = (await allAttempts(shop))[0];
  const after = await kinds();
  shop.control.paySession(page.session);
  await reconcileWith(context, 10 * MINUTE);

  expect(adopted).toMatchObject({ state: 'open', keyFingerprint: 'new' });
  expect(after.filter((kind) => kind !== 'lookup_answered')).toEqual(before);
  expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
});

test('while the gateway refuses the new key, no attempt ends and no order needs review', async () => {
  await openPaidPage(shop);
  await payByCard(shop, await Customer.withCart(shop), CARDS.challenged);
  const context = withKey(shop, 'new');
  for (const call of ['read-session', 'read-transaction'] as const)
    shop.control.fault(call, { kind: 'status', status: 401 });

  await reconcileWith(context, MINUTE);
  await reconcileWith(context, DAY);
  const states = await attemptStates(shop);
  shop.control.clearFaults();
  await reconcileWith(context, 2 * DAY);

  expect(states).toEqual(['open', 'open']);
  const orders = await shop.queries.selectFrom('orders').select(['state', 'reviewReason']).execute();
  expect(orders.map(({ reviewReason }) => reviewReason)).toEqual([null, null]);
  expect(orders.map(({ state }) => state)).toContain('paid');
});

test('an unknown payment is of another environment only after a call succeeded with the new key', async () => {
  await openHostedPage(shop);
  const context = withKey(shop, 'new');
  shop.control.fault('read-session', NOT_FOUND);

  await reconcileWith(context, 3 * DAY);
  const untested = await theOrder(shop);
  await context.gateway.accessToken();
  await reconcileWith(context, DAY);
  const other = await theOrder(shop);
  shop.control.clearFaults();
  await reconcileWith(shop.checkout, DAY);

  expect([untested.state, untested.reviewReason]).toEqual(['pending', null]);
  expect([other.state, other.reviewReason]).toEqual(['pending', 'other_environment']);
  expect((await theOrder(shop)).reviewReason).toBeNull();
  expect(await attemptStates(shop)).toEqual(['superseded']);
});

test('two processes with two valid keys verify the same payment without a review', async () => {
  const page = await openHostedPage(shop);
  for (const key of ['one', 'two', 'one', 'two']) await reconcileWith(withKey(shop, key), 6 * MINUTE);
  shop.control.paySession(page.session);
  await Promise.all([reconcileWith(withKey(shop, 'one'), 6 * MINUTE), reconcileWith(withKey(shop, 'two'), 0)]);

  expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
});

test('the settings that the use cases get do not hold the key', () => {
  const text = JSON.stringify(shop.checkout.payments.context.config);

  expect([text.includes(shop.url), text.includes(API_KEY)]).toEqual([true, false]);
});
