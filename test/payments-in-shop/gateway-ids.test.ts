/** How the gateway's id of a payment becomes known, and what it proves. */
import { expect, test } from '@jest/globals';
import type { AdminDecision } from '@tianguis/payments/rules';
import { processInbox, receiveWebhook } from '@tianguis/payments/testing';
import { attemptStates, DAY, loseCardAnswer, MINUTE, reconcileAfter, sentPayments } from '../checkout/support.js';
import { Customer } from '../support/customer.js';
import { allAttempts, theOrder } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';

const shop = await openSharedShop();

const WITHOUT_REFERENCE = { kind: 'rewrite', set: { client_reference: undefined } } as const;
const attempt = async () => (await allAttempts(shop))[0];
const lastPayment = () => shop.control.payments().at(-1)?.id ?? '';

async function decide(decision: AdminDecision, gatewayId?: string) {
  const { id: orderId, version } = await theOrder(shop);
  return shop.checkout.payments.decide({ orderId, version, decision, by: 'ana', note: '', gatewayId });
}

async function receive(event: object): Promise<void> {
  await receiveWebhook(shop.checkout, JSON.stringify(event));
  await processInbox(shop.checkout);
}

test('a card payment is paid without a reference if the answer to its own request named the id', async () => {
  shop.control.fault('process', WITHOUT_REFERENCE, 1);
  shop.control.fault('read-transaction', WITHOUT_REFERENCE);

  await payByCard(shop, await Customer.withCart(shop));

  expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
  expect((await attempt())?.idSource).toBe('answer');
});

test.each<[string, unknown]>([
  ['amount', 289.01],
  ['amount', 'x'],
  ['currency', 'USD'],
  ['currency', null],
  ['client_reference', 'TG-2222-3333'],
  ['client_reference', null],
  ['merchant_reference', 'TG-2222-3333'],
  ['operation_type', 'refund'],
  ['operation_type', 'withdrawal'],
  ['operation_type', null],
])('an answer to a card payment whose %s is %j binds no id, and the outcome is unknown', async (member, value) => {
  shop.control.fault('process', { kind: 'rewrite', set: { [member]: value } }, 1);

  await payByCard(shop, await Customer.withCart(shop));

  expect((await theOrder(shop)).state).toBe('outcome_unknown');
  expect((await attempt())?.gatewayId).toBeNull();
  expect(sentPayments(shop)).toHaveLength(1);
});

test.each(['PAYMENT', undefined])('an answer with the operation type %j binds its id', async (operation_type) => {
  shop.control.fault('process', { kind: 'rewrite', set: { operation_type } }, 1);

  await payByCard(shop, await Customer.withCart(shop));

  expect((await theOrder(shop)).state).toBe('paid');
});

test('a payment that a webhook named is paid only while its lookups have the reference', async () => {
  await loseCardAnswer(shop, 'after', { card: CARDS.challenged });
  await receive({ id: lastPayment() });
  const found = [await attemptStates(shop), (await attempt())?.idSource];
  shop.control.approve(lastPayment());
  shop.control.fault('read-transaction', WITHOUT_REFERENCE);
  await reconcileAfter(shop, MINUTE);
  const unproven = await theOrder(shop);
  shop.control.clearFaults();
  await reconcileAfter(shop, 10 * MINUTE);

  expect(found).toEqual([['open'], 'found']);
  expect(unproven).toMatchObject({ state: 'review', reviewReason: 'other_reference' });
  expect((await theOrder(shop)).state).toBe('paid');
});

test('a named payment without a reference is a candidate, which no lookup makes paid, also with a reference', async () => {
  await loseCardAnswer(shop, 'after');
  shop.control.fault('read-transaction', WITHOUT_REFERENCE);

  const result = await decide('confirm', lastPayment());
  const named = await attempt();
  const review = await theOrder(shop);
  const again = await decide('confirm');
  shop.control.clearFaults();
  await reconcileAfter(shop, DAY);

  expect([result, again]).toEqual(['candidate', 'not_open']);
  expect(named).toMatchObject({ state: 'review', idSource: 'candidate', confirmedAmount: review.total });
  expect(review).toMatchObject({ state: 'review', reviewReason: 'candidate' });
  expect(await theOrder(shop)).toMatchObject({ state: 'review', reviewReason: 'candidate' });
});

test('a closed candidate leaves no id, so that a webhook can still find the payment', async () => {
  await loseCardAnswer(shop, 'after');
  shop.control.fault('read-transaction', WITHOUT_REFERENCE);
  await decide('confirm', lastPayment());

  const closed = await decide('close');
  const after = await attempt();
  shop.control.clearFaults();
  shop.clock.advance(5_000);
  await receive({ id: lastPayment() });

  expect(closed).toBe('done');
  expect(after).toMatchObject({ state: 'cancelled', gatewayId: null, idSource: null, confirmedAmount: null });
  expect((await theOrder(shop)).state).toBe('paid');
});

test.each<[string, object]>([
  ['another amount', { amount: 1 }],
  ['another currency', { currency: 'USD' }],
  ['another reference', { client_reference: 'TG-2222-3333' }],
  ['a pending status', { status: 'Pending' }],
])('a named payment with %s is no candidate', async (_what, set) => {
  await loseCardAnswer(shop, 'after');
  shop.control.fault('read-transaction', { kind: 'rewrite', set: { client_reference: undefined, ...set } });

  const result = await decide('confirm', lastPayment());

  expect(result).toBe('not_confirmed');
  expect((await attempt())?.gatewayId).toBeNull();
  expect((await theOrder(shop)).state).toBe('outcome_unknown');
});

test('the payment of another attempt is no candidate', async () => {
  await payByCard(shop, await Customer.withCart(shop));
  const taken = lastPayment();
  await loseCardAnswer(shop, 'before');
  shop.control.fault('read-transaction', WITHOUT_REFERENCE);
  const orders = await shop.queries.selectFrom('orders').selectAll().where('state', '=', 'outcome_unknown').execute();
  const { id: orderId = '', version = 0 } = orders[0] ?? {};

  const request = { orderId, version, decision: 'confirm', by: 'ana', note: '', gatewayId: taken } as const;
  const result = await shop.checkout.payments.decide(request);

  expect(result).toBe('not_confirmed');
});

/** Creates a session whose answer is lost. The second try is refused. */
async function loseSession(): Promise<string> {
  shop.control.fault('create-session', { kind: 'drop', when: 'after' }, 1);
  shop.control.fault('create-session', { kind: 'status', status: 422 }, 1);
  await (await Customer.withCart(shop)).payHosted();
  return shop.control.sessions()[0]?.id ?? '';
}

test.each<[string, (id: string) => object]>([
  ['data.id', (id) => ({ action: 'session.completed', data: { id } })],
  ['data.object.id', (id) => ({ type: 'event', data: { object: { id } } })],
  ['session_id', (id) => ({ session_id: id })],
])(
  'a webhook that names the session of a lost answer in %s links it, and its payment pays the order',
  async (_place, event) => {
    const session = await loseSession();
    const before = await attemptStates(shop);
    shop.control.paySession(session);

    await receive(event(session));

    expect(before).toEqual(['failed', 'failed']);
    expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
    expect(await attemptStates(shop)).toEqual(['paid', 'failed']);
  },
);

test('a late payment of a session whose answer was lost is a second payment if the order is paid', async () => {
  const session = await loseSession();
  const { id } = await theOrder(shop);
  const customer = await Customer.withCart(shop);
  await shop.queries.updateTable('orders').set({ state: 'paid' }).where('id', '=', id).execute();
  shop.control.paySession(session);
  await customer.get('/');

  await receive({ data: { id: session } });

  expect((await theOrder(shop)).reviewReason).toBe('second_payment');
});

test('an event that names an order number in any member verifies all attempts of the order', async () => {
  const page = await openHostedPage(shop);
  shop.control.paySession(page.session);
  const { number } = await theOrder(shop);
  shop.clock.advance(MINUTE);

  await receive({ payload: { items: [{ note: number }] } });

  expect((await theOrder(shop)).state).toBe('paid');
});

test('the numbers of the gateway are stored until the payment is proven, and then kept', async () => {
  const page = await openHostedPage(shop);
  const set = { transaction_id: 77, payment_id: '900', provider: 'tonder' };
  shop.control.fault('read-session', { kind: 'rewrite', set }, 1);
  await page.customer.get(page.orderPath);
  const pending = await attempt();
  shop.control.paySession(page.session);
  shop.clock.advance(MINUTE);
  const paidAt = shop.clock.now() - 30_000;
  const proof = { transaction_id: { x: 1 }, payment_id: 901, provider: null, paid_at: paidAt };
  shop.control.fault('read-session', { kind: 'rewrite', set: proof }, 1);
  await page.customer.get(page.returnPath);

  expect(pending).toMatchObject({ transactionId: '77', paymentId: '900', provider: 'tonder' });
  expect(await attempt()).toMatchObject({ state: 'paid', transactionId: '77', paymentId: '901', provider: 'tonder' });
  const order = await theOrder(shop);
  expect(order.paidAt).toBe(paidAt);
  expect(order.confirmedAt).toBeGreaterThan(paidAt);
});

test.each([
  ['before the attempt', -DAY],
  ['in the future', DAY],
])('a time of payment %s is clamped', async (_what, shift) => {
  const page = await openHostedPage(shop);
  shop.control.paySession(page.session);
  shop.clock.advance(MINUTE);
  shop.control.fault('read-session', { kind: 'rewrite', set: { paid_at: shop.clock.now() + shift } }, 1);
  await page.customer.get(page.returnPath);

  const { paidAt, confirmedAt } = await theOrder(shop);
  expect(paidAt).toBe(shift < 0 ? (await attempt())?.createdAt : confirmedAt);
});
