import { expect, test } from '@jest/globals';
import type { Fault } from '@tianguis/gateway-tools';
import { startWorker } from '../../packages/payments/src/run-worker.js';
import type { CheckoutContext } from '../../src/shop/checkout-context.js';
import {
  attemptStates,
  DAY,
  HOUR,
  MINUTE,
  reconcileAfter,
  reconcileAll,
  sentPayments,
  sessionLookups,
} from '../checkout/support.js';
import { until } from '../support/crowd.js';
import { Customer, readOrderPage } from '../support/customer.js';
import { allFulfillments, allOrders, theOrder } from '../support/inspect.js';
import { CARDS, openHostedPage, openPageOf, openPaidPage, payAndReturn, payByCard } from '../support/purchase.js';
import { impatient, openDoor } from '../support/replica.js';
import { openSharedShop } from '../support/shared-shop.js';

const shop = await openSharedShop();

const NOT_FOUND = { kind: 'status', status: 404 } as const;
const OTHER = 'https://other.example';

/** Returns the shop's services after a change of a gateway address or of the key. */
function withOtherEnvironment(): CheckoutContext {
  return { ...shop.checkout, config: { ...shop.checkout.config, environment: OTHER } };
}

test('a session that was read before and is not found after its time has expired', async () => {
  const { customer, orderPath } = await openHostedPage(shop);
  await customer.get(orderPath);
  shop.control.fault('read-session', NOT_FOUND);

  const states: string[] = [];
  for (const minutes of [30, 35, 9, 6]) {
    await reconcileAfter(shop, minutes * MINUTE);
    states.push((await theOrder(shop)).state);
  }

  // The second answer must be 10 min younger than the first one after the offer.
  expect(states).toEqual(['pending', 'pending', 'pending', 'expired']);
});

test('a session that was never read goes to review after its time, and is paid when it is found', async () => {
  await openPaidPage(shop);
  shop.control.fault('read-session', NOT_FOUND);

  await reconcileAfter(shop, 65 * MINUTE);
  const unknown = await theOrder(shop);
  shop.control.clearFaults();
  await reconcileAfter(shop, 10 * MINUTE);

  expect(unknown).toMatchObject({ state: 'review', reviewReason: 'not_found' });
  expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
});

test('a session that is not found before its time is not offered, and no other one is created', async () => {
  const { customer, orderPath } = await openHostedPage(shop);
  shop.control.fault('read-session', NOT_FOUND);
  shop.clock.advance(5_000);

  const again = await customer.payHosted();

  expect([again.status, again.headers['location']]).toEqual([303, orderPath]);
  expect(await attemptStates(shop)).toEqual(['open']);
});

test('lookups without a usable answer are spaced out, and go to review eight days after the offer', async () => {
  await openHostedPage(shop);
  shop.control.fault('read-session', { kind: 'status', status: 401, body: {} });

  await reconcileAll(shop.checkout);
  expect(sessionLookups(shop)).toEqual([]);
  for (let count = 0; count < 60; count += 1) await reconcileAfter(shop, 20_000);
  const lookups = sessionLookups(shop).length;
  await reconcileAfter(shop, 8 * DAY);
  const before = (await theOrder(shop)).state;
  await reconcileAfter(shop, 7 * HOUR);

  expect(lookups).toBeLessThanOrEqual(42);
  expect(before).toBe('pending');
  expect(await theOrder(shop)).toMatchObject({ state: 'review', reviewReason: 'no_answer' });
});

test('an attempt of another environment is flagged without a lookup, and verified after the setting is corrected', async () => {
  await openPaidPage(shop);

  shop.clock.advance(MINUTE);
  await reconcileAll(withOtherEnvironment());
  const flagged = await theOrder(shop);
  const lookups = sessionLookups(shop).length;
  await using _worker = startWorker(shop.checkout);
  await until(async () => (await theOrder(shop)).state === 'paid');

  expect(flagged).toMatchObject({ state: 'pending', reviewReason: 'other_environment' });
  expect(lookups).toBe(0);
  expect((await theOrder(shop)).reviewReason).toBeNull();
  expect(shop.logged.filter((line) => line.includes('attempt.environment_mismatched'))).toHaveLength(1);
});

test.each(['hosted', 'card'])('a %s attempt of another environment blocks no new payment', async (flow) => {
  const customer = await Customer.withCart(shop);
  if (flow === 'hosted') await customer.payHosted();
  else await payByCard(shop, customer, CARDS.challenged);
  await shop.queries.updateTable('attempts').set({ environment: OTHER }).execute();

  const again = await customer.payHosted();
  const [order] = await allOrders(shop);
  await customer.add({ product_id: 'alebrije-jaguar' });
  const changed = await customer.payHosted();

  expect([again.status, changed.status]).toEqual([302, 302]);
  expect(order?.state).toBe('pending');
});

test('an order paid while an attempt of another environment is open needs review, until the merchant closes it', async () => {
  const first = await openPaidPage(shop);
  const { environment } = shop.checkout.config;
  const attempts = shop.queries.updateTable('attempts').where('gatewayId', '=', first.session);
  await attempts.set({ environment: OTHER }).execute();
  await payAndReturn(shop, await openPageOf(shop, first.customer));
  const paid = await theOrder(shop);

  const { id: orderId, version } = paid;
  const request = { orderId, decision: 'close', by: 'ana', version, note: '' } as const;
  const closed = await shop.checkout.payments.decide(request);
  const { reviewReason } = await theOrder(shop);
  await attempts.set({ environment }).execute();
  await reconcileAfter(shop, HOUR);

  expect(paid).toMatchObject({ state: 'paid', reviewReason: 'other_environment' });
  expect([closed, reviewReason]).toEqual(['done', null]);
  expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: 'second_payment' });
});

const ADVICE = {
  pending: 'Si ya pagaste, no pagues otra vez',
  review: 'Por favor no pagues otra vez',
} as const;

const rewrite = (set: Record<string, unknown>): Fault => ({ kind: 'rewrite', set });

/** Lookups of a paid session. `packages/payments/test/gateway/answers.test.ts` evaluates all other answers. */
test.each<[string, keyof typeof ADVICE, Fault]>([
  ['an answer of 500', 'pending', { kind: 'status', status: 500 }],
  ['an answer of 401', 'pending', { kind: 'status', status: 401 }],
  ['a pending session', 'pending', rewrite({ status: 'pending', transaction_status: 'Declined' })],
  ['completed and declined', 'review', rewrite({ transaction_status: 'Declined' })],
  ['one centavo less', 'review', rewrite({ amount_total: 28_899 })],
  ['dollars', 'review', rewrite({ currency: 'USD' })],
  ['the number of another order', 'review', rewrite({ external_id: 'TG-2222-3333' })],
  ['another id', 'review', rewrite({ id: 'cs_other' })],
])('a paid session with %s leaves the order %s until a correct lookup', async (_name, state, fault) => {
  const { customer, session, returnPath, orderPath } = await openPaidPage(shop);
  shop.control.fault('read-session', fault);

  const back = await customer.get(`${returnPath}?session_id=${session}`);
  const page = await customer.get(orderPath);
  const before = await allFulfillments(shop);
  shop.control.clearFaults();
  shop.clock.advance(5_000);
  const verified = await customer.get(orderPath);

  expect(back.status).toBe(303);
  expect(readOrderPage(page.text).state).toBe(state);
  expect(page.text).toContain(ADVICE[state]);
  expect(page.text).toContain('http-equiv="refresh"');
  expect(before).toHaveLength(0);
  expect(readOrderPage(verified.text).state).toBe('paid');
  expect(await allFulfillments(shop)).toHaveLength(1);
});

test('a lookup that hangs or drips ends at its deadline, and the order stays pending', async () => {
  await using door = await openDoor(impatient(shop, { 'read-session': 250, 'read-transaction': 250 }).web);
  const { returnPath, orderPath } = await openPaidPage(shop);
  const customer = new Customer(door);

  for (const fault of [{ kind: 'hang' }, { kind: 'drip', bytesPerSecond: 50 }] as const) {
    shop.control.fault('read-session', fault);
    shop.clock.advance(5_000);
    const back = await customer.get(returnPath);
    shop.control.clearFaults();

    expect([back.status, (await theOrder(shop)).state]).toEqual([303, 'pending']);
  }
  await until(async () => {
    shop.clock.advance(5_000);
    await customer.get(orderPath);
    return (await theOrder(shop)).state === 'paid';
  });
});

test.each<[string, string, Fault]>([
  ['one centavo less', 'review', rewrite({ amount: 288.99 })],
  ['another reference', 'review', rewrite({ client_reference: 'TG-2222-3333' })],
  ['an unknown status', 'review', rewrite({ status: 'refunded' })],
  ['an answer of 404', 'pending', { kind: 'status', status: 404 }],
  ['the amount as decimal text', 'paid', rewrite({ amount: '289.0000' })],
])('a charged card with %s makes the order %s and is not sent again', async (_name, state, fault) => {
  shop.control.fault('read-transaction', fault);
  const customer = await Customer.withCart(shop);

  const answer = await payByCard(shop, customer);
  const again = await payByCard(shop, customer);

  expect([answer.status, again.status]).toEqual([303, 303]);
  expect((await theOrder(shop)).state).toBe(state);
  expect(sentPayments(shop)).toHaveLength(1);
  expect(await allFulfillments(shop)).toHaveLength(state === 'paid' ? 1 : 0);
});
