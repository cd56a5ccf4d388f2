import { expect, test } from '@jest/globals';
import { attemptRow, insertAttempt } from '@tianguis/payments/testing';
import { attemptStates, HOUR, MINUTE, orderStates, sentPayments, sessionLookups } from '../checkout/support.js';
import { changeCheckout } from '../support/change-checkout.js';
import { until } from '../support/crowd.js';
import { Customer, contact, mugOrder, readOrderPage, sessionIdOf } from '../support/customer.js';
import { allAttempts, allFulfillments, allOrders, theOrder } from '../support/inspect.js';
import { CARDS, openHostedPage, openPaidPage, payByCard, placePaidOrder } from '../support/purchase.js';
import { openDoor } from '../support/replica.js';
import { openSharedShop } from '../support/shared-shop.js';

const shop = await openSharedShop();

test.each([true, false])('both forms lead to a paid order (customer returned: %j)', async (hasReturned) => {
  const { customer, returnPath, orderPath } = await openPaidPage(shop);
  if (hasReturned) await customer.get(returnPath);
  shop.clock.advance(10_000);

  const card = await payByCard(shop, customer);
  const hosted = await customer.payHosted();
  const page = await customer.get(orderPath);

  for (const answer of [card, hosted]) expect([answer.status, answer.headers['location']]).toEqual([303, orderPath]);
  expect(readOrderPage(page.text).state).toBe('paid');
  expect(shop.control.sessions()).toHaveLength(1);
  expect(sentPayments(shop)).toHaveLength(0);
  expect(shop.control.ledger()).toHaveLength(1);
});

test('no card is charged while the lookup of an open hosted page fails', async () => {
  const { customer, orderPath } = await openPaidPage(shop);
  shop.control.fault('read-session', { kind: 'status', status: 500 });
  shop.clock.advance(10_000);
  await customer.get(orderPath);

  const card = await payByCard(shop, customer);

  expect([card.status, card.headers['location']]).toEqual([303, orderPath]);
  expect(sentPayments(shop)).toHaveLength(0);
  expect(shop.control.ledger()).toHaveLength(1);
});

test('another customer of a shared cart gets the form again, without a word about money, while the earlier order cannot be looked up', async () => {
  const customer = await Customer.withCart(shop);
  const cookie = String((await customer.get('/healthz')).request.cookies);
  await customer.payHosted();
  shop.clock.advance(10_000);
  shop.control.fault('read-session', { kind: 'status', status: 401 });
  // The session from before the order keeps the cart, and does not own the order.
  const other = new Customer(shop);
  other.agent.set('Cookie', cookie);
  await other.post('/cart/items/taza-talavera', { quantity: '2' });

  const answer = await other.payHosted({ ...contact, first_name: 'Luz', email: 'luz.soto@example.com' });

  expect(answer.status).toBe(503);
  expect(answer.text).toContain('Un pago anterior de esta compra sigue sin respuesta');
  expect(answer.text).not.toMatch(/cobró|cobrado/);
});

test('no card is charged when the lookup finds the hosted page paid while another tab adds the same product', async () => {
  const { customer, orderPath } = await openPaidPage(shop);
  shop.clock.advance(10_000);
  const { shipping_option, seen } = await customer.readDelivery();
  const tokens = shop.control.tokenizeCard(CARDS.paid);
  shop.control.fault('read-session', { kind: 'hold' });

  const submitted = customer.post('/checkout/card', { ...contact, ...tokens, shipping_option, seen });
  await until(() => sessionLookups(shop).length > 0);
  await customer.add();
  shop.control.clearFaults();
  shop.control.release();
  const answer = await submitted;

  expect([answer.status, answer.headers['location']]).toEqual([303, orderPath]);
  expect(await orderStates(shop)).toEqual(['paid']);
  expect(shop.control.ledger()).toHaveLength(1);
});

test('no second page opens when the lookup of a paid page fails while another tab changes the cart', async () => {
  const { customer, session } = await openPaidPage(shop);
  const cookie = String((await customer.get('/healthz')).request.cookies);
  shop.clock.advance(10_000);
  shop.control.fault('read-session', { kind: 'status', status: 500 });
  // Just before the lookup is sent.
  const take = async () => {
    for (const quantity of ['2', '1']) await customer.post('/cart/items/taza-talavera', { quantity });
    return true;
  };
  const { web } = shop.context;
  await using door = await openDoor({ ...web, checkout: changeCheckout(web.checkout, { lookupBudget: { take } }) });

  const submitted = new Customer(door).agent.post('/checkout/hosted').set('Cookie', cookie).type('form').redirects(0);
  const answer = await submitted.send(mugOrder);

  expect([answer.status, sessionIdOf(answer.headers['location'])]).toEqual([302, session]);
  expect(shop.control.sessions()).toHaveLength(1);
});

test('a submit redirects to an order in review at once, also while a new attempt is created', async () => {
  const { customer, orderPath } = await openHostedPage(shop);
  const { queries } = shop;
  const [attempt] = await allAttempts(shop);
  if (!attempt) throw new Error('no attempt');
  await queries.updateTable('attempts').set({ state: 'review', live: null }).execute();
  await queries.updateTable('orders').set({ state: 'review', reviewReason: 'unclear_status' }).execute();
  const creating = { ordinal: 2, state: 'creating', leasedUntil: shop.clock.now() + HOUR } as const;
  await insertAttempt(queries, attemptRow(attempt.orderId, creating));

  const answer = await customer.payHosted();

  expect([answer.status, answer.headers['location']]).toEqual([303, orderPath]);
});

test('an expired hosted page is not offered again, and the same order gets a new one', async () => {
  const { customer, session, orderPath } = await openHostedPage(shop);
  shop.clock.advance(HOUR + MINUTE);
  shop.control.fault('read-session', { kind: 'status', status: 500 });
  const duringFault = await customer.payHosted();
  shop.control.clearFaults();
  shop.control.advanceClock(HOUR + MINUTE);
  shop.clock.advance(MINUTE);

  const again = await customer.payHosted();

  expect([duringFault.status, duringFault.headers['location'], again.status]).toEqual([303, orderPath, 302]);
  expect(again.headers['location']).not.toContain(session);
  expect(await allOrders(shop)).toHaveLength(1);
  expect(await attemptStates(shop)).toEqual(['expired', 'open']);
});

test('a card declined on the hosted page leaves the page open, and another card pays it', async () => {
  const { customer, session, returnPath, orderPath } = await openHostedPage(shop);
  shop.control.paySession(session, CARDS.declined);
  await customer.get(returnPath);
  const declined = await customer.get(orderPath);

  shop.control.paySession(session);
  shop.clock.advance(5_000);
  const paid = await customer.get(orderPath);

  expect(readOrderPage(declined.text).state).toBe('pending');
  expect(declined.text).toContain(session);
  expect(readOrderPage(paid.text).state).toBe('paid');
});

test('a lookup that reports an expired session after the payment leaves the order paid', async () => {
  const { orderId } = await placePaidOrder(shop);
  const set = { status: 'expired', transaction_status: 'Declined' };
  shop.control.fault('read-session', { kind: 'rewrite', set });
  shop.clock.advance(MINUTE);

  const { order } = await shop.checkout.payments.verify(orderId, 'checkout');

  expect(order).toMatchObject({ state: 'paid', reviewReason: null });
});

test('a payment whose fulfillment cannot be stored is kept for review, and a manager completes it', async () => {
  const { orderId: id } = await openPaidPage(shop);
  const { schema } = shop.queries;
  await schema.alterTable('fulfillments').renameTo('fulfillments_elsewhere').execute();

  const { order: kept } = await shop.checkout.payments
    .verify(id, 'return')
    .finally(() => schema.alterTable('fulfillments_elsewhere').renameTo('fulfillments').execute());
  const { version } = kept;
  const decision = { orderId: id, version, decision: 'apply_again', by: 'ana', note: '' } as const;
  const result = await shop.checkout.payments.decide(decision);

  expect([kept.state, kept.reviewReason, result]).toEqual(['paid', 'host_failed', 'done']);
  expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
  expect(await allFulfillments(shop)).toHaveLength(1);
});

test('a customer who corrects the name while another attempt starts slowly gets the same hosted page', async () => {
  const { customer, session, orderPath } = await openHostedPage(shop);
  shop.control.cancelSession(session);
  await customer.get(orderPath);
  shop.control.fault('create-session', { kind: 'hold' }, 1);
  const first = customer.payHosted();
  await until(() => shop.control.calls('create-session').length > 1);
  const corrected = customer.payHosted({ ...contact, last_name: 'Nava' });
  await until(() => shop.received.filter((request) => request === 'POST /checkout/hosted').length > 2);
  shop.clock.advance(4_000);
  shop.control.release();

  const answers = await Promise.all([first, corrected]);

  expect(answers.map(({ status }) => status)).toEqual([302, 302]);
  expect(new Set(answers.map(({ headers }) => headers['location'])).size).toBe(1);
  expect((await allOrders(shop)).map(({ lastName }) => lastName)).toEqual(['Nava']);
});
