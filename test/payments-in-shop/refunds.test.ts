import { expect, test } from '@jest/globals';
import type { Fault } from '@tianguis/gateway-tools';
import { findHistory } from '@tianguis/payments/back-office';
import { centavos } from '@tianguis/payments/rules';
import { refundPayment } from '@tianguis/payments/testing';
import { CALLS } from '../../packages/payments/src/gateway/errors.js';
import { LONGEST_STORE_MS } from '../../packages/payments/src/lease-times.js';
import { REFUND_WAITS } from '../../packages/payments/src/refund-payment.js';
import { startWorker } from '../../packages/payments/src/run-worker.js';
import { expireRefundLeases } from '../../packages/payments/src/write-refund-outcome.js';
import type { CheckoutContext } from '../../src/shop/checkout-context.js';
import { addDays, dayOf } from '../../src/shop/rules/mexico-day.js';
import { searchOrders } from '../../src/tables/search-orders.js';
import { attemptStates, DAY, loseCardAnswer, MINUTE, orderStates } from '../checkout/support.js';
import { until } from '../support/crowd.js';
import { Customer, readOrderPage } from '../support/customer.js';
import { allAttempts, dumpDatabase, theOrder } from '../support/inspect.js';
import { openPageOf, payAndReturn } from '../support/purchase.js';
import {
  allRefunds,
  BY_GATEWAY,
  openPaidOrder,
  orderOf,
  receiveRefundEvent,
  record,
  refund,
  refunding,
  refundStates,
  requestOf,
  startNextDay,
} from '../support/refunds.js';
import { createClient } from '../support/replica.js';
import { openSharedShop } from '../support/shared-shop.js';
import { LIMITED, setStock, stockOf, takesOf } from '../support/stock.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';
import { whileOrdersHeld } from './held-orders.js';
import { resolve } from './support.js';

const shop = await openSharedShop({ ...BY_GATEWAY, env: { ...BY_GATEWAY.env, REFUND_PARTIAL: 'on' } });
const { queries } = shop;
const checkout = refunding(shop);
const rewrite = (set: Record<string, unknown>): Fault => ({ kind: 'rewrite', set });
const HALF = centavos(14_450);

const refunded = () => shop.control.refundLedger().map(({ amountMinor }) => amountMinor);
const sentRefunds = () => shop.control.calls('refund');
const severalRefunds = () => shop.control.settings({ refundsPerPayment: 'several' });
/** Returns how often a refund of this order changed its state. */
const countChanges = async ({ orderId }: { readonly orderId: string }) =>
  (await findHistory(queries, orderId)).filter(({ kind }) => kind === 'refund_changed').length;

/** Returns how many orders wait to be shipped. */
async function countToShip(): Promise<number> {
  return (await searchOrders(queries, { filter: { fulfillment: 'to_ship' }, limit: 10 })).length;
}

/** Refunds an attempt so that the answer is lost. */
async function loseAnswer(other: TestShop = shop) {
  const paid = await openPaidOrder(other);
  other.control.fault('refund', { kind: 'drop', when: 'after' }, 1);
  const result = await refund(other, paid.attempt);
  return { ...paid, result };
}

/** Pays a hosted page whose lookup has other members, and returns the attempt. */
async function payHosted(set: Record<string, unknown> = {}, line: { product_id?: string } = {}) {
  const page = await openPageOf(shop, await Customer.withCart(shop, line));
  shop.control.fault('read-session', rewrite(set), 1);
  await payAndReturn(shop, page);
  const [attempt] = await allAttempts(shop);
  if (!attempt) throw new Error('no attempt');
  return attempt;
}

test('a full refund returns the money once, and leaves the order paid and not to be shipped', async () => {
  const { customer, attempt } = await openPaidOrder(shop);
  const toShip = await countToShip();

  const result = await refund(shop, attempt);
  const order = await orderOf(shop, attempt);
  const page = await customer.get(`/orders/${order.token}`);

  expect(result).toMatchObject({ kind: 'done', refund: { state: 'succeeded', by: 'ana' }, order });
  expect(refunded()).toEqual([28_900]);
  expect([order.state, order.reviewReason, await attemptStates(shop)]).toEqual(['paid', null, ['refunded']]);
  expect([toShip, await countToShip()]).toEqual([1, 0]);
  expect(readOrderPage(page.text).state).toBe('paid');
  expect(page.text).toContain('Te reembolsamos $289.00.');
  expect(page.text).toContain('Te devolvimos el pago');
  expect(page.text).not.toContain('Estamos preparando');
  expect(shop.logged.join('')).toContain('refund.changed');
});

test('two admin users or a double click with the same page refund once', async () => {
  severalRefunds();
  const { attempt } = await openPaidOrder(shop);
  const other = await shop.openReplica();
  const request = await requestOf(shop, attempt, { amount: HALF });

  const results = await Promise.all([
    refundPayment(checkout, request),
    refundPayment(refunding(other), { ...request, by: 'eva' }),
    refundPayment(checkout, request),
  ]);

  expect(results.map(({ kind }) => kind).sort()).toEqual(['changed', 'changed', 'done']);
  expect([refunded(), await refundStates(shop)]).toEqual([[HALF], ['succeeded']]);
});

test('a lost answer is unknown, blocks order and further refunds, and no time ends it', async () => {
  const { attempt, result } = await loseAnswer();

  shop.clock.advance(400 * DAY);
  await expireRefundLeases(checkout);
  const again = await refund(shop, attempt);
  const recorded = await record(shop, attempt);

  expect(result).toMatchObject({ kind: 'done', refund: { state: 'unknown' } });
  expect([again, recorded]).toEqual(Array(2).fill({ kind: 'refused', reason: 'in_flight' }));
  expect([await refundStates(shop), sentRefunds().length]).toEqual([['unknown'], 1]);
  expect([await attemptStates(shop), await countToShip()]).toEqual([['paid'], 0]);
  expect(shop.logged.join('')).toContain('refund.outcome_lost');
});

test('a repeated refund has the same key, stays unknown after a refusal, and returns the money once', async () => {
  const { attempt } = await loseAnswer();
  const { control } = shop;
  const refusals = ['Original transaction not found or not refundable', 'Transaction has already been refunded'];
  for (const details of refusals) {
    control.fault('refund', { kind: 'status', status: 400, body: { error: 'x', details } }, 1);
    expect(await resolve(shop, attempt, 'repeat')).toBe('unchanged');
    expect(await refundStates(shop)).toEqual(['unknown']);
  }
  const { version } = await orderOf(shop, attempt);

  const results = await Promise.all([1, 2].map(() => resolve(shop, attempt, 'repeat', { version })));
  const keys = sentRefunds().map(({ headers }) => headers['x-request-id']);

  // The second request comes during the first one, or after its response.
  expect(results.sort()).toEqual([expect.stringMatching(/^(changed|not_open)$/), 'succeeded']);
  expect([refunded(), await refundStates(shop)]).toEqual([[28_900], ['succeeded']]);
  expect([keys.length, new Set(keys).size]).toEqual([4, 1]);
});

test('a process that stops between commit and answer leaves a refund that is unknown after its lease', async () => {
  const { attempt } = await openPaidOrder(shop);
  const stopped = { ...checkout.gateway, refundPayment: () => Promise.reject(new Error('stopped')) };
  await expect(refundPayment({ ...checkout, gateway: stopped }, await requestOf(shop, attempt))).rejects.toThrow(
    'stopped',
  );

  await expireRefundLeases(checkout);
  const before = await refundStates(shop);
  const again = await refund(shop, attempt);
  shop.clock.advance(MINUTE);
  {
    await using _worker = startWorker(checkout);
    await until(async () => (await refundStates(shop))[0] !== 'sending');
  }

  expect([before, await refundStates(shop)]).toEqual([['sending'], ['unknown']]);
  expect(again).toEqual({ kind: 'refused', reason: 'in_flight' });
  expect(sentRefunds()).toHaveLength(0);
  expect(await resolve(shop, attempt, 'repeat')).toBe('succeeded');
});

test('a refund whose answer cannot be stored yet shows so after a while, is ended by no other process, and is stored later', async () => {
  const { attempt } = await openPaidOrder(shop);
  const worker = await shop.openReplica();
  shop.control.fault('refund', { kind: 'hold' }, 1);
  const refunding = refund(shop, attempt, {}, { ...REFUND_WAITS, storeMs: 200 });
  await until(() => sentRefunds().length > 0);
  const [{ createdAt = 0 } = {}] = await allRefunds(shop);
  const storedAt = createdAt + CALLS['refund-payment'].deadlineMs + LONGEST_STORE_MS;

  const [result, expired] = await whileOrdersHeld(shop, async () => {
    shop.control.release();
    const shown = await refunding;
    return [shown, await expireRefundLeases({ ...worker.checkout, clock: { now: () => storedAt } })];
  });
  await until(async () => (await refundStates(shop))[0] !== 'sending');

  expect(result).toMatchObject({ kind: 'done', refund: { state: 'sending' } });
  expect([expired, await refundStates(shop), refunded()]).toEqual([0, ['succeeded'], [28_900]]);
});

test('a webhook before the answer ends the refund, and the answer changes nothing', async () => {
  const { attempt } = await openPaidOrder(shop);
  shop.control.fault('refund', { kind: 'hold' }, 1);

  const refunding = refund(shop, attempt);
  await until(() => refunded().length > 0);
  await receiveRefundEvent(shop);
  const { version } = await orderOf(shop, attempt);
  shop.control.release();
  const result = await refunding;

  expect(result).toMatchObject({ kind: 'done', refund: { state: 'succeeded' }, order: { version } });
  expect(await countChanges(attempt)).toBe(1);
});

test('a pending refund ends by its webhook: succeeded, or refused and then free for another one', async () => {
  const { control } = shop;
  control.settings({ refundStatus: 'Pending' });
  const { attempt } = await openPaidOrder(shop);

  const first = await refund(shop, attempt);
  control.finishRefund(control.refunds()[0]?.id ?? '', 'Failed');
  await receiveRefundEvent(shop);
  const second = await refund(shop, attempt);
  const toShip = await countToShip();
  await receiveRefundEvent(shop, { event: 'refund_Pending' });
  control.finishRefund(control.refunds()[1]?.id ?? '', 'Success');
  await receiveRefundEvent(shop);

  expect([first, second]).toMatchObject(Array(2).fill({ kind: 'done', refund: { state: 'pending' } }));
  expect(toShip).toBe(0);
  expect([await refundStates(shop), refunded()]).toEqual([['refused', 'succeeded'], [28_900]]);
});

const NOT_PROVEN: readonly (readonly [string, object, Fault?])[] = [
  ['an unknown refund', { id: '00000000-0000-4000-8000-000000000000' }],
  ['another payment', { original_transaction_id: 'other' }],
  ['a payment in place of a refund', {}, rewrite({ operation_type: 'payment' })],
  ['a refund of another amount', {}, rewrite({ amount: 1 })],
  ['a refund of another payment', {}, rewrite({ original_transaction_id: 'other' })],
  ['a failed refund with another id', { id: 'other' }, rewrite({ id: 'other', status: 'Failed' })],
  ['a failed refund', {}, rewrite({ status: 'Failed' })],
];

test('a refund with a lost answer stays unknown after events that do not prove its outcome, and the first proof ends it once', async () => {
  const { attempt } = await loseAnswer();
  const { control } = shop;
  for (const [what, event, fault] of NOT_PROVEN) {
    control.clearFaults();
    if (fault) control.fault('read-transaction', fault);
    await receiveRefundEvent(shop, event);
    await queries.deleteFrom('inbox').execute();
    expect([what, await refundStates(shop)]).toEqual([what, ['unknown']]);
    expect(await attemptStates(shop)).toEqual(['paid']);
  }
  control.clearFaults();

  const before = await countChanges(attempt);
  await receiveRefundEvent(shop);
  await receiveRefundEvent(shop, { again: true });

  expect([await refundStates(shop), await attemptStates(shop)]).toEqual([['succeeded'], ['refunded']]);
  expect([before, await countChanges(attempt)]).toEqual([1, 2]);
});

test('an event that is not authenticated causes no lookup of a refund', async () => {
  await using open = await openTestShop({ ...BY_GATEWAY, env: { ...BY_GATEWAY.env, WEBHOOK_AUTH: 'none' } });
  const { attempt } = await loseAnswer(open);
  const lookups = open.control.calls('read-transaction').length;

  // Only events that name an order of the shop are stored.
  await receiveRefundEvent(open, { client_reference: attempt.reference });

  expect(open.control.calls('read-transaction')).toHaveLength(lookups);
  expect(await refundStates(open)).toEqual(['unknown']);
});

test('one refund at the gateway counts for one refund of the shop', async () => {
  severalRefunds();
  const { control } = shop;
  const { attempt } = await openPaidOrder(shop);
  await refund(shop, attempt, { amount: centavos(100) });
  const id = control.refunds()[0]?.id;
  control.fault('refund', rewrite({ id }), 1);
  await refund(shop, attempt, { amount: centavos(100) });
  const other = await openPaidOrder(shop);
  await refund(shop, other.attempt, { amount: HALF });
  control.fault('refund', { kind: 'drop', when: 'before' }, 1);
  await refund(shop, other.attempt, { amount: HALF });

  await receiveRefundEvent(shop);
  const checked = await resolve(shop, other.attempt, 'check', {
    gatewayRefundId: control.refunds().at(-1)?.id,
  });

  expect(checked).toBe('unchanged');
  expect(await refundStates(shop)).toEqual(['succeeded', 'unknown', 'succeeded', 'unknown']);
  expect(refunded()).toEqual([100, 100, HALF]);
});

test('an admin user checks a refund by the id that the gateway shows', async () => {
  const { attempt } = await loseAnswer();
  const [sent] = shop.control.refunds();

  const without = await resolve(shop, attempt, 'check');
  const wrong = await resolve(shop, attempt, 'check', { gatewayRefundId: sent?.originalId });
  const found = await resolve(shop, attempt, 'check', { gatewayRefundId: sent?.id });

  expect([without, wrong, found]).toEqual(['unreachable', 'unchanged', 'succeeded']);
  expect(await allRefunds(shop)).toMatchObject([{ state: 'succeeded', gatewayRefundId: sent?.id }]);
});

test('an admin user answers for an unknown refund once, and nothing changes a final state', async () => {
  const { attempt } = await loseAnswer();
  const { version } = await orderOf(shop, attempt);

  const answers = [
    await resolve(shop, attempt, 'not_refunded', { version: version - 1 }),
    await resolve(shop, attempt, 'not_refunded'),
    await resolve(shop, attempt, 'refunded'),
    await resolve(shop, attempt, 'repeat'),
  ];
  await receiveRefundEvent(shop);

  expect(answers).toEqual(['changed', 'refused', 'not_open', 'not_open']);
  expect([await refundStates(shop), await attemptStates(shop)]).toEqual([['refused'], ['paid']]);
  const changes = (await findHistory(queries, attempt.orderId)).filter(({ kind }) => kind === 'refund_changed');
  const last: unknown = JSON.parse(changes.at(-1)?.detail ?? '');
  expect(last).toMatchObject({ refund: 'refused', source: 'person', by: 'ana' });
});

test.each<[string, object, string, Partial<CheckoutContext['config']>]>([
  ['of nothing', { amount: centavos(0) }, 'amount', {}],
  ['larger than the confirmed amount', { amount: centavos(28_901) }, 'amount', {}],
  ['of a part', { amount: centavos(28_899) }, 'partial', { partialRefunds: false }],
  ['with a reason of 201 characters', { reason: 'x'.repeat(201) }, 'reason', {}],
  ['of another attempt', { attemptId: 'other' }, 'no_payment', {}],
  ['with refunds off', {}, 'not_offered', { refunds: 'off' }],
  ['by the gateway in the mode record', {}, 'not_offered', { refunds: 'record' }],
  ['by another gateway environment', {}, 'not_offered', { environment: 'other' }],
])('a refund %s is refused and changes nothing', async (_what, changes, reason, config) => {
  const { attempt } = await openPaidOrder(shop);
  const context = { ...checkout, config: { ...checkout.config, ...config } };
  const before = await dumpDatabase(shop);

  const result = await refundPayment(context, await requestOf(shop, attempt, changes));

  expect(result).toEqual({ kind: 'refused', reason });
  expect([await dumpDatabase(shop), sentRefunds()]).toEqual([before, []]);
});

test('case 209: partial refunds sum up to the confirmed amount, and after one without the products none returns to stock', async () => {
  severalRefunds();
  await setStock(shop, 3);
  const { customer, attempt } = await openPaidOrder(shop, { product_id: LIMITED });
  const rest = centavos(attempt.amount - HALF);

  const first = await refund(shop, attempt, { amount: HALF });
  const afterFirst = [await attemptStates(shop), await countToShip(), await stockOf(shop)];
  const page = await customer.get(`/orders/${(await theOrder(shop)).token}`);
  const tooMuch = await refund(shop, attempt, { amount: centavos(rest + 1) });
  const early = await refund(shop, attempt, { amount: centavos(rest - 1), returnsGoods: true });
  const all = await refund(shop, attempt, { amount: rest, returnsGoods: true });
  const last = await refund(shop, attempt, { amount: rest });

  expect([first.kind, last.kind, refunded()]).toEqual(['done', 'done', [HALF, rest]]);
  expect([tooMuch, early, all]).toEqual(['amount', 'goods', 'goods'].map((reason) => ({ kind: 'refused', reason })));
  expect(afterFirst).toEqual([['paid'], 1, 2]);
  expect([await attemptStates(shop), await stockOf(shop), await takesOf(shop)]).toEqual([['refunded'], 2, [1]]);
  expect(page.text).toContain('Te reembolsamos $144.50');
});

test('case 209: a refund without the products that the gateway refused does not keep them from returning with the next one', async () => {
  await setStock(shop, 3);
  const { attempt } = await openPaidOrder(shop, { product_id: LIMITED });
  using gateway = createClient('http://127.0.0.1:1');

  const refused = await refundPayment({ ...checkout, gateway }, await requestOf(shop, attempt));
  const next = await refund(shop, attempt, { returnsGoods: true });

  expect([refused, next]).toMatchObject([{ refund: { state: 'refused' } }, { refund: { state: 'succeeded' } }]);
  expect(await stockOf(shop)).toBe(3);
});

test('without a connection to the gateway a refund is refused, and may be tried again', async () => {
  const { attempt } = await openPaidOrder(shop);
  using gateway = createClient('http://127.0.0.1:1');

  const dead = await refundPayment({ ...checkout, gateway }, await requestOf(shop, attempt));
  const again = await refund(shop, attempt);

  expect([dead, again]).toMatchObject([
    { kind: 'done', refund: { state: 'refused', gatewayStatus: 'unreachable' } },
    { kind: 'done', refund: { state: 'succeeded' } },
  ]);
});

test('a hosted payment is recorded with its day and never sent, and its stock returns', async () => {
  startNextDay(shop);
  await setStock(shop, 2);
  const attempt = await payHosted({}, { product_id: LIMITED });
  const today = dayOf(shop.clock.now());

  const sent = await refund(shop, attempt);
  const days = [addDays(today, 1), addDays(today, -1), '2026-02-30', ''];
  const badDays = [];
  for (const refundedOn of days) badDays.push(await record(shop, attempt, { refundedOn }));
  const recorded = await record(shop, attempt, { returnsGoods: true });

  expect(attempt).toMatchObject({ state: 'paid', confirmedAmount: attempt.amount });
  expect(sent).toEqual({ kind: 'refused', reason: 'not_offered' });
  expect(badDays).toEqual(days.map(() => ({ kind: 'refused', reason: 'day' })));
  expect(recorded).toMatchObject({ kind: 'done', refund: { state: 'recorded', refundedOn: today } });
  expect([await attemptStates(shop), await stockOf(shop), sentRefunds()]).toEqual([['refunded'], 2, []]);
});

test('a refund names one of two payments of an order, and ends the review of the second one', async () => {
  const { attempt: first } = await openPaidOrder(shop);
  const second = { ...first, id: `${first.id}-2`, ordinal: 2, gatewayId: 'second' };
  await queries.insertInto('attempts').values(second).execute();
  await queries.updateTable('orders').set({ reviewReason: 'second_payment' }).execute();

  const recorded = await record(shop, second);
  const order = await theOrder(shop);

  expect(recorded).toMatchObject({ kind: 'done', order: { state: 'paid', reviewReason: null } });
  expect([order.paidAttemptId, await attemptStates(shop)]).toEqual([first.id, ['paid', 'refunded']]);
  expect(await countToShip()).toBe(1);
});

test.each<[string, Record<string, unknown>]>([
  ['another currency', { currency: 'USD' }],
  ['another id', { id: 'other' }],
  ['an unclear status', { status: 'completed', transaction_status: 'Pending' }],
])('a lookup with %s confirms no amount, so nothing can be refunded', async (_what, set) => {
  const attempt = await payHosted(set);

  expect(attempt).toMatchObject({ state: 'review', confirmedAmount: null });
  expect(await record(shop, attempt)).toEqual({ kind: 'refused', reason: 'no_payment' });
});

test('a chargeback is recorded, and takes the order off the list to ship', async () => {
  const { customer, attempt } = await openPaidOrder(shop);

  const result = await record(shop, attempt, { way: 'chargeback', amount: HALF });
  const page = await customer.get(`/orders/${(await theOrder(shop)).token}`);

  expect(result).toMatchObject({ kind: 'done', refund: { kind: 'chargeback', state: 'recorded' } });
  expect([await countToShip(), await attemptStates(shop)]).toEqual([0, ['paid']]);
  expect(page.text).not.toContain('Te reembolsamos');
  expect(await refund(shop, attempt)).toEqual({ kind: 'refused', reason: 'amount' });
});

test('the refund of a payment that was found later is no payment of its order', async () => {
  const { attempt } = await openPaidOrder(shop);
  await refund(shop, attempt);
  await loseCardAnswer(shop, 'before');
  const lost = (await allAttempts(shop))[1];

  await receiveRefundEvent(shop, { client_reference: lost?.reference });

  expect(await orderStates(shop)).toEqual(['paid', 'outcome_unknown']);
  expect((await allAttempts(shop))[1]?.gatewayId).toBeNull();
});
