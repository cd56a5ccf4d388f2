/** Attempts that the gateway has not ended: answers about another payment, races, keys, pages and stock. */
import { expect, test } from '@jest/globals';
import type { AdminDecision } from '@tianguis/payments/rules';
import { paymentsOf, processInbox, receiveWebhook } from '@tianguis/payments/testing';
import {
  attemptStates,
  DAY,
  HOUR,
  loseCardAnswer,
  MINUTE,
  PAY_AGAIN,
  reconcileAfter,
  reconcileAll,
  sentPayments,
  sessionLookups,
} from '../checkout/support.js';
import { until } from '../support/crowd.js';
import { Customer, contact } from '../support/customer.js';
import { allAttempts, allOrders, theOrder } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';
import { leftOf, openLimitedPage, setStock } from '../support/stock.js';
import { withKey } from './support.js';

const shop = await openSharedShop();

const TTL = shop.checkout.config.orderTtlMs;
const NOT_FOUND = { kind: 'status', status: 404 } as const;
const lastPayment = () => shop.control.payments().at(-1)?.id ?? '';

async function decide(decision: AdminDecision, context = shop.checkout, gatewayId?: string) {
  const { id: orderId, version } = await theOrder(shop);
  return paymentsOf(context).decide({ orderId, version, decision, by: 'ana', note: '', gatewayId });
}

async function receive(event: object, context = shop.checkout): Promise<void> {
  await receiveWebhook(context, JSON.stringify(event));
  await processInbox(context);
}

async function loseSession(): Promise<{ readonly customer: Customer; readonly session: string }> {
  shop.control.fault('create-session', { kind: 'drop', when: 'after' }, 1);
  shop.control.fault('create-session', { kind: 'status', status: 422 }, 1);
  const customer = await Customer.withCart(shop);
  await customer.payHosted();
  return { customer, session: shop.control.sessions()[0]?.id ?? '' };
}

test.each<[string, object]>([
  ['amount', { amount_total: 1 }],
  ['currency', { currency: 'USD' }],
  ['reference', { external_id: 'TG-2222-3333' }],
])('an answer with another %s that says `expired` does not end the attempt', async (_what, other) => {
  const page = await openHostedPage(shop);
  const set = { status: 'expired', transaction_status: 'Expired', ...other };
  shop.control.fault('read-session', { kind: 'rewrite', set }, 1);
  await reconcileAfter(shop, MINUTE);
  shop.control.clearFaults();
  shop.control.paySession(page.session);
  await reconcileAfter(shop, HOUR);

  const { state, reviewReason } = await theOrder(shop);
  expect(state === 'paid' || reviewReason !== null).toBe(true);
});

test.each<[string, Record<string, unknown>]>([
  ['id', { id: 'cs_other' }],
  ['amount', { amount_total: 1 }],
  ['reference', { external_id: 'TG-2222-3333' }],
])('no attempt starts beside a watched one whose answer has another %s', async (_what, set) => {
  const page = await openHostedPage(shop);
  await reconcileAfter(shop, TTL + 3 * MINUTE);
  shop.clock.advance(40 * MINUTE);
  shop.control.fault('read-session', { kind: 'rewrite', set });

  await payByCard(shop, page.customer, CARDS.paid, PAY_AGAIN);

  expect(sentPayments(shop)).toHaveLength(0);
});

test('a refund decision with a new key leaves an open page of the old key watched, and its payment is found', async () => {
  const page = await openHostedPage(shop);
  shop.clock.advance(MINUTE);
  shop.control.fault('read-transaction', { kind: 'rewrite', set: { amount: 1 } });
  await payByCard(shop, page.customer, CARDS.paid, PAY_AGAIN);
  const before = [(await theOrder(shop)).reviewReason, await attemptStates(shop)];
  const context = { ...withKey(shop, 'new'), config: { ...withKey(shop, 'new').config, refunds: 'off' as const } };
  const result = await decide('refund', context);
  shop.control.paySession(page.session);
  shop.clock.advance(10 * MINUTE);
  await reconcileAll(context);
  const { state, reviewReason } = await theOrder(shop);

  expect([before, result]).toEqual([['other_amount', ['superseded', 'review']], 'done']);
  expect(await attemptStates(shop)).not.toEqual(['refunded', 'refunded']);
  expect(state === 'paid' || reviewReason !== null).toBe(true);
});

test('a linked session that no customer saw does not keep the customer from paying', async () => {
  const { customer, session } = await loseSession();
  await receive({ action: 'session.created', data: { id: session } });
  const states = await attemptStates(shop);
  shop.clock.advance(MINUTE);

  const again = await customer.payHosted();
  const { text } = await customer.get(`/orders/${(await theOrder(shop)).token}`);

  expect(states).toEqual(['superseded', 'failed']);
  expect(again.status === 302 || text.includes('puedes pagar otra vez a partir de')).toBe(true);
});

test('a submit that starts no attempt after the offer reserves no stock', async () => {
  await setStock(shop, 5);
  const page = await openLimitedPage(shop);
  await reconcileAfter(shop, TTL + 3 * MINUTE);
  const released = await leftOf(shop);

  const early = await page.customer.payHosted(PAY_AGAIN);

  expect([released, early.status, await leftOf(shop)]).toEqual([5, 303, 5]);
});

test('an order is not expired while an earlier hosted page of it is offered', async () => {
  const expires_at = Math.floor(shop.clock.now() / 1000) + 5 * 3600;
  shop.control.fault('create-session', { kind: 'rewrite', set: { expires_at } }, 1);
  const page = await openHostedPage(shop);
  shop.clock.advance(MINUTE);
  await payByCard(shop, page.customer, CARDS.challenged, PAY_AGAIN);
  await reconcileAfter(shop, TTL + 3 * MINUTE);

  const again = await page.customer.payHosted();
  expect([again.status, await attemptStates(shop)]).toEqual([302, ['superseded', 'superseded']]);
  expect((await theOrder(shop)).state).not.toBe('expired');
});

test('the page of a pending order says that an earlier attempt may still be paid', async () => {
  const page = await openHostedPage(shop);
  await reconcileAfter(shop, TTL + 3 * MINUTE);
  shop.clock.advance(31 * MINUTE);
  await page.customer.payHosted(PAY_AGAIN);
  const states = [(await theOrder(shop)).state, await attemptStates(shop)];

  const { text } = await page.customer.get(page.orderPath);

  expect(states).toEqual(['pending', ['superseded', 'open']]);
  expect(text).toMatch(/todavía puede llegar|pago anterior/);
});

test('an event without authentication that names five orders causes lookups of two', async () => {
  for (let count = 0; count < 5; count += 1) await openHostedPage(shop);
  const notes = (await allOrders(shop)).map(({ number }) => ({ note: number }));
  shop.clock.advance(MINUTE);
  const context = { ...shop.checkout, config: { ...shop.checkout.config, webhooksAuthenticated: false } };

  await receive({ payload: { items: notes } }, context);

  expect(sessionLookups(shop)).toHaveLength(2);
});

test('at most 3 unknown ids of an event are looked up for an attempt whose answer was lost', async () => {
  await loseCardAnswer(shop, 'after');
  const { number } = await theOrder(shop);
  const items = Array.from({ length: 40 }, (_, index) => ({ id: `item-${index}` }));

  await receive({ client_reference: number, items });

  expect(shop.control.calls('read-transaction').length).toBeLessThanOrEqual(3);
});

// F11: a lookup that started before a decision.
test('a lookup that was sent before a candidate was closed does not put the order into review again', async () => {
  await loseCardAnswer(shop, 'after');
  const set = { client_reference: undefined };
  shop.control.fault('read-transaction', { kind: 'rewrite', set }, 2);
  await decide('confirm', shop.checkout, lastPayment());
  shop.control.clearFaults();
  const before = shop.control.calls('read-transaction').length;
  shop.control.fault('read-transaction', { kind: 'hold' }, 1);
  const { id } = await theOrder(shop);
  shop.clock.advance(MINUTE);
  const late = shop.checkout.payments.verify(id, 'merchant');
  await until(async () => shop.control.calls('read-transaction').length > before);
  const closed = await decide('close');
  shop.control.release();
  await late;

  expect(closed).toBe('done');
  const [attempt] = await allAttempts(shop);
  expect([(await theOrder(shop)).state, attempt?.state, attempt?.confirmedAmount]).toEqual([
    'cancelled',
    'cancelled',
    null,
  ]);
});

test('an unended attempt of another key is on the merchant’s list, also if the order is paid', async () => {
  const page = await openHostedPage(shop);
  shop.clock.advance(MINUTE);
  await payByCard(shop, page.customer, CARDS.paid, PAY_AGAIN);
  const context = withKey(shop, 'new');
  await context.gateway.accessToken();
  shop.control.fault('read-session', NOT_FOUND);
  for (let day = 0; day < 10; day += 1) {
    shop.clock.advance(DAY);
    await reconcileAll(context);
  }

  const states = await attemptStates(shop);
  expect(states[0] !== 'superseded' || (await theOrder(shop)).reviewReason !== null).toBe(true);
});

// F16: a fault instead of an objection.
test('a corrected e-mail address is no way around the warning while a hosted page is offered', async () => {
  const page = await openHostedPage(shop);
  shop.clock.advance(MINUTE);

  const unwarned = await payByCard(shop, page.customer, CARDS.paid, { ...contact, email: 'other@example.com' });

  expect([unwarned.status, sentPayments(shop).length]).toEqual([409, 0]);
});

test('a pending answer that arrives after the payment was proven changes nothing on the paid attempt', async () => {
  const page = await openHostedPage(shop);
  shop.clock.advance(MINUTE);
  shop.control.fault('read-session', { kind: 'hold' }, 1);
  const other = { ...shop.checkout, lookups: new Map() };
  const late = paymentsOf(other).verify(page.orderId, 'return');
  await until(async () => sessionLookups(shop).length > 0);
  shop.control.paySession(page.session);
  await shop.checkout.payments.verify(page.orderId, 'return');
  const [proven] = await allAttempts(shop);
  shop.control.release();
  await late;

  expect((await allAttempts(shop))[0]).toEqual(proven);
});

test('an attempt that goes into review on the third day is still looked up, and its payment pays the order', async () => {
  const page = await openHostedPage(shop);
  await reconcileAfter(shop, TTL + 3 * MINUTE);
  shop.control.fault('read-session', { kind: 'rewrite', set: { transaction_status: 'Verifying' } }, 1);
  await reconcileAfter(shop, 3 * DAY);
  const during = (await theOrder(shop)).reviewReason;
  shop.control.paySession(page.session);
  for (let hour = 0; hour < 12; hour += 1) await reconcileAfter(shop, HOUR);

  expect(during).toBe('overdue');
  expect((await theOrder(shop)).state).toBe('paid');
});

test('the page of a declined order names the time of the next attempt while an ended page keeps the customer waiting', async () => {
  const page = await openHostedPage(shop);
  await reconcileAfter(shop, TTL + 3 * MINUTE);
  shop.control.fault('read-session', { kind: 'rewrite', set: { transaction_status: 'Declined' } });
  await payByCard(shop, page.customer, CARDS.declined, PAY_AGAIN);
  shop.control.clearFaults();
  shop.clock.advance(MINUTE);
  const again = await payByCard(shop, page.customer, CARDS.paid, PAY_AGAIN);

  const { text } = await page.customer.get(page.orderPath);

  expect([(await theOrder(shop)).state, await attemptStates(shop)]).toEqual(['declined', ['superseded', 'declined']]);
  expect([again.status, again.headers['location']]).toEqual([303, page.orderPath]);
  expect(text).toContain('puedes pagar otra vez a partir de');
});

test('a refused access token does not keep an unknown payment of another key off the merchant’s list', async () => {
  const page = await openHostedPage(shop);
  const context = withKey(shop, 'new');
  shop.control.fault('tokenization-auth', { kind: 'status', status: 403 });
  await context.gateway.accessToken().catch(() => {});
  await context.gateway.lookUp('hosted', page.session);
  shop.control.fault('read-session', NOT_FOUND);
  for (let day = 0; day < 3; day += 1) {
    shop.clock.advance(DAY);
    await reconcileAll(context);
  }

  expect((await theOrder(shop)).reviewReason).toBe('other_environment');
});
