/** The shop as the host of the payments: answers of the gateway that are lost, late or repeated. */
import { expect, test } from '@jest/globals';
import { processInbox } from '@tianguis/payments/testing';
import { loseCardAnswer, MINUTE, reconcileAll, sentPayments, sessionLookups } from '../checkout/support.js';
import { numbers } from '../support/crowd.js';
import { readOrderPage } from '../support/customer.js';
import { allFulfillments, theOrder } from '../support/inspect.js';
import { violationsOf } from '../support/invariants.js';
import { CARDS, openPaidPage, payByCard } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';
import { passTime } from '../support/steps.js';
import { leftOf, openLimitedPage, setStock, stockOf } from '../support/stock.js';
import { paymentEvent, postWebhook, sessionCompleted, storedEvents } from '../support/webhooks.js';

const shop = await openSharedShop();

test('a card payment whose answer was lost is paid after a webhook names it', async () => {
  const customer = await loseCardAnswer(shop, 'after', { card: CARDS.authorized });
  const before = (await theOrder(shop)).state;
  const again = await payByCard(shop, customer);

  await postWebhook(shop, paymentEvent(shop));
  await processInbox(shop.checkout);

  const { state, token } = await theOrder(shop);
  expect(before).toBe('outcome_unknown');
  expect([again.status, again.headers['location']]).toEqual([303, `/orders/${token}`]);
  expect(state).toBe('paid');
  const logged = shop.logged.map((line) => JSON.parse(line)).filter(({ trigger }) => trigger === 'webhook');
  expect(logged.map(({ msg, to }) => [msg, to])).toEqual([
    ['attempt.changed', 'open'],
    ['order.changed', 'pending'],
    ['attempt.changed', 'paid'],
    ['order.changed', 'paid'],
  ]);
  expect(sentPayments(shop)).toHaveLength(1);
  expect(await violationsOf(shop)).toEqual([]);
});

test('a payment that arrives after its order expired and released its pieces pays the order and takes them', async () => {
  await setStock(shop, 2);
  const { customer, session, orderPath } = await openLimitedPage(shop);
  passTime(shop, 70 * MINUTE);
  await reconcileAll(shop.checkout);
  const before = [(await theOrder(shop)).state, await leftOf(shop)];

  passTime(shop, MINUTE);
  shop.control.completeSession(session);
  await postWebhook(shop, sessionCompleted(session));
  await processInbox(shop.checkout);
  const page = await customer.get(orderPath);

  expect(before).toEqual(['expired', 2]);
  expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
  expect(readOrderPage(page.text).state).toBe('paid');
  expect([await stockOf(shop), await leftOf(shop)]).toEqual([1, 1]);
  expect(await violationsOf(shop)).toEqual([]);
});

test('a webhook that arrives a hundred times is one row, at most two lookups and one fulfillment', async () => {
  const { session } = await openPaidPage(shop);

  const answers = await Promise.all(numbers(100).map(() => postWebhook(shop, sessionCompleted(session))));
  await Promise.all([processInbox(shop.checkout), processInbox(shop.checkout)]);

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await storedEvents(shop)).toMatchObject([{ copies: 100, state: 'done' }]);
  const stored = shop.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'webhook.stored');
  expect(stored.map(({ copies }) => copies).sort((a, b) => a - b)).toEqual(numbers(101).slice(1));
  expect(sessionLookups(shop).length).toBeLessThanOrEqual(2);
  expect(await allFulfillments(shop)).toHaveLength(1);
  expect(await violationsOf(shop)).toEqual([]);
});
