import { expect, test } from 'vitest';
import { settlePayment } from '../../src/checkout/settle-payment.js';
import { Customer, mugPickup, readOrderPage, sessionIdOf } from '../support/customer.js';
import { allAttempts, allFulfillments, allOrders, theOrder } from '../support/inspect.js';
import { CARDS, openHostedPage, openPaidPage, payByCard } from '../support/purchase.js';
import { openDoor } from '../support/replica.js';
import { openSharedShop } from '../support/shared-shop.js';
import { attemptStates, HOUR, MINUTE, orderStates, sentPayments, sessionLookups } from './support.js';

const shop = await openSharedShop();

/** Returns the cookies of a customer, for a request to another address. */
async function cookieOf(customer: Customer): Promise<string> {
  const { request } = await customer.get('/healthz');
  return String(request.cookies);
}

test('six submits at two replicas at once lead to one order, one session and one URL', async () => {
  const replica = await shop.openReplica();
  await using door = await openDoor(replica.web);
  const customer = await Customer.withCart(shop);
  const cookie = await cookieOf(customer);
  const { agent } = new Customer(door);
  const submitToReplica = () =>
    agent.post('/checkout/hosted').set('Cookie', cookie).type('form').redirects(0).send(mugPickup);

  const answers = await Promise.all([1, 2, 3].flatMap(() => [customer.payHosted(), submitToReplica()]));

  const { redirectUrl } = (await allAttempts(shop))[0] ?? {};
  expect(answers.map(({ status, headers }) => [status, headers['location']])).toEqual(
    answers.map(() => [302, redirectUrl]),
  );
  expect(shop.simulator.control.sessions()).toHaveLength(1);
  expect(await allOrders(shop)).toHaveLength(1);
});

test('the same form sent again a minute later leads to the open hosted page', async () => {
  const { customer, session } = await openHostedPage(shop);
  shop.clock.advance(MINUTE);

  const again = await customer.payHosted();

  expect(again.headers['location']).toContain(session);
  expect(shop.simulator.control.sessions()).toHaveLength(1);
});

test.each([true, false])(
  'after the hosted page is paid, both forms lead to the paid order (customer returned: %j)',
  async (hasReturned) => {
    const { customer, returnPath, orderPath } = await openPaidPage(shop);
    if (hasReturned) await customer.get(returnPath);
    shop.clock.advance(10_000);

    const card = await payByCard(shop, customer);
    const hosted = await customer.payHosted();
    const page = await customer.get(orderPath);

    for (const answer of [card, hosted])
      expect([answer.status, answer.headers['location']]).toEqual([303, orderPath]);
    expect(readOrderPage(page.text).state).toBe('paid');
    expect(shop.simulator.control.sessions()).toHaveLength(1);
    expect(sentPayments(shop)).toHaveLength(0);
    expect(shop.simulator.control.ledger()).toHaveLength(1);
  },
);

test('no card is charged while the lookup of an open hosted page fails', async () => {
  const { customer, orderPath } = await openPaidPage(shop);
  shop.simulator.control.fault('read-session', { kind: 'status', status: 500 });
  shop.clock.advance(10_000);
  await customer.get(orderPath);

  const card = await payByCard(shop, customer);

  expect(card.status).toBe(503);
  expect(sentPayments(shop)).toHaveLength(0);
  expect(shop.simulator.control.ledger()).toHaveLength(1);
});

test('an expired hosted page is not offered again, and the same order gets a new one', async () => {
  const { customer, session } = await openHostedPage(shop);
  shop.clock.advance(HOUR + MINUTE);
  shop.simulator.control.fault('read-session', { kind: 'status', status: 500 });
  const duringFault = await customer.payHosted();
  shop.simulator.control.clearFaults();
  shop.simulator.control.advanceClock(HOUR + MINUTE);
  shop.clock.advance(MINUTE);

  const again = await customer.payHosted();

  expect([duringFault.status, again.status]).toEqual([503, 302]);
  expect(again.headers['location']).not.toContain(session);
  expect(await allOrders(shop)).toHaveLength(1);
  expect(await attemptStates(shop)).toEqual(['expired', 'open']);
});

test('a card declined on the hosted page leaves the page open, and another card pays it', async () => {
  const { customer, session, returnPath, orderPath } = await openHostedPage(shop);
  shop.simulator.control.paySession(session, CARDS.declined);
  await customer.get(returnPath);
  const declined = await customer.get(orderPath);

  shop.simulator.control.paySession(session);
  shop.clock.advance(5_000);
  const paid = await customer.get(orderPath);

  expect(readOrderPage(declined.text).state).toBe('pending');
  expect(declined.text).toContain(session);
  expect(readOrderPage(paid.text).state).toBe('paid');
});

/** Pays the sessions of new orders and settles none. Returns the ids of the orders. */
async function payOrders(count: number): Promise<readonly string[]> {
  for (let made = 0; made < count; made += 1) {
    const redirect = await (await Customer.withCart(shop)).payHosted();
    shop.simulator.control.paySession(sessionIdOf(redirect.headers['location']));
  }
  return (await allOrders(shop)).map(({ id }) => id);
}

test('six orders settled four times at once by two processes are each fulfilled once', async () => {
  const replica = await shop.openReplica();
  const ids = await payOrders(6);

  await Promise.all(
    ids.flatMap((id) => [
      settlePayment(shop.context.checkout, id, 'return'),
      settlePayment(replica.checkout, id, 'webhook'),
      settlePayment(shop.context.checkout, id, 'order_page'),
      settlePayment(replica.checkout, id, 'checkout'),
    ]),
  );

  expect(await orderStates(shop)).toEqual(ids.map(() => 'paid'));
  const fulfilled = (await allFulfillments(shop)).map(({ orderId }) => orderId);
  expect(fulfilled).toHaveLength(ids.length);
  expect(new Set(fulfilled)).toEqual(new Set(ids));
});

test('one order settled by a hundred callers at once asks the gateway once and is fulfilled once', async () => {
  const [id = ''] = await payOrders(1);

  const settled = await Promise.all(
    Array.from({ length: 100 }, () => settlePayment(shop.context.checkout, id, 'return')),
  );

  expect(new Set(settled.map(({ order }) => order.state))).toEqual(new Set(['paid']));
  expect(sessionLookups(shop)).toHaveLength(1);
  expect(await allFulfillments(shop)).toHaveLength(1);
});

test('a lookup that reports an expired session after the payment leaves the order paid', async () => {
  const [id = ''] = await payOrders(1);
  await settlePayment(shop.context.checkout, id, 'return');
  shop.simulator.control.fault('read-session', {
    kind: 'rewrite',
    set: { status: 'expired', transaction_status: 'Declined' },
  });
  shop.clock.advance(MINUTE);

  const { order } = await settlePayment(shop.context.checkout, id, 'checkout');

  expect(order).toMatchObject({ state: 'paid', reviewReason: null });
});

test('a settlement whose fulfillment cannot be stored changes nothing, and the next one is complete', async () => {
  const [id = ''] = await payOrders(1);
  const { schema } = shop.context.checkout.db.queries;
  await schema.alterTable('fulfillments').renameTo('fulfillments_elsewhere').execute();

  await expect(settlePayment(shop.context.checkout, id, 'return')).rejects.toThrow();
  const between = await theOrder(shop);
  await schema.alterTable('fulfillments_elsewhere').renameTo('fulfillments').execute();
  shop.clock.advance(5_000);
  await settlePayment(shop.context.checkout, id, 'return');

  expect(between.state).toBe('pending');
  expect((await theOrder(shop)).state).toBe('paid');
  expect(await allFulfillments(shop)).toHaveLength(1);
});
