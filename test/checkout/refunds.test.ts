import { expect, test } from '@jest/globals';
import type { RefundedOrder } from '../../src/checkout/context.js';
import { processOutbox } from '../../src/checkout/process-outbox.js';
import { refundPayment } from '../../src/checkout/refund-payment.js';
import { expireRefundLeases } from '../../src/checkout/settle-refund.js';
import { searchOrders } from '../../src/db/search-orders.js';
import { addDays, dayOf } from '../../src/domain/mexico-day.js';
import { centavos } from '../../src/domain/money.js';
import type { Fault } from '../../tools/simulator/faults.js';
import { createClient } from '../gateway/support.js';
import { Customer, readOrderPage } from '../support/customer.js';
import { allAttempts, allOrders, dumpDatabase, theOrder } from '../support/inspect.js';
import { receiveMails } from '../support/mailbox.js';
import { openHostedPage, payByCard } from '../support/purchase.js';
import {
  allRefunds,
  BY_GATEWAY,
  openPaidOrder,
  orderOf,
  receiveRefundEvent,
  record,
  refund,
  refundStates,
  requestOf,
  resolve,
} from '../support/refunds.js';
import { LIMITED, setStock, stockOf, takesOf } from '../support/stock.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';
import { DAY, MINUTE } from './support.js';

const LOST: Fault = { kind: 'drop', when: 'after' };
const PARTIAL = { ...BY_GATEWAY, env: { ...BY_GATEWAY.env, REFUND_PARTIAL: 'on' } };
const HALF = centavos(14_450);

const refunded = (shop: TestShop) =>
  shop.simulator.control.refundLedger().map(({ amountMinor }) => amountMinor);
const sentRefunds = (shop: TestShop) => shop.simulator.control.calls('refund');
const attemptStates = async (shop: TestShop) => (await allAttempts(shop)).map(({ state }) => state);
const severalRefunds = (shop: TestShop) => shop.simulator.control.settings({ refundsPerPayment: 'several' });

/** Returns how many orders wait to be shipped. */
async function countToShip({ context }: TestShop): Promise<number> {
  return (await searchOrders(context.checkout.db.queries, { filter: { toShip: true }, most: 10 })).length;
}

/** Refunds an attempt so that the answer is lost. */
async function loseAnswer(shop: TestShop, fault: Fault = LOST) {
  const paid = await openPaidOrder(shop);
  shop.simulator.control.fault('refund', fault, 1);
  const result = await refund(shop, paid.attempt);
  return { ...paid, result };
}

test('a full refund returns the money once, the order stays paid and is not shipped, and customer and hook learn it', async () => {
  await using shop = await openTestShop(BY_GATEWAY);
  const { customer, attempt } = await openPaidOrder(shop);
  const toShip = await countToShip(shop);

  const result = await refund(shop, attempt);
  const order = await orderOf(shop, attempt);
  const page = await customer.get(`/orders/${order.token}`);
  const seen: RefundedOrder[] = [];
  const onRefunded = (each: RefundedOrder) => Promise.resolve(void seen.push(each));
  await processOutbox({ ...shop.context.checkout, onRefunded });
  const mails = await receiveMails(shop);

  expect(result).toMatchObject({ kind: 'done', refund: { state: 'succeeded', by: 'ana' }, order });
  expect(refunded(shop)).toEqual([28_900]);
  expect([order.state, order.reviewReason, await attemptStates(shop)]).toEqual(['paid', null, ['refunded']]);
  expect([toShip, await countToShip(shop)]).toEqual([1, 0]);
  expect(readOrderPage(page.text).state).toBe('paid');
  expect(page.text).toContain('Te reembolsamos $289.00.');
  expect(page.text).toContain('Te devolvimos el pago');
  expect(page.text).not.toContain('Estamos preparando');
  expect(mails.filter(({ text }) => text.includes('Te reembolsamos $289.00 de tu pedido'))).toHaveLength(1);
  expect(seen).toMatchObject([{ isFull: true, isPaymentOfOrder: true, refund: { amount: 28_900 } }]);
  expect(shop.logged.join('')).toContain('refund.changed');
});

test('two admin users or a double click with the same page refund once', async () => {
  await using shop = await openTestShop(PARTIAL);
  severalRefunds(shop);
  const { attempt } = await openPaidOrder(shop);
  const other = await shop.openReplica();
  const request = await requestOf(shop, attempt, { amount: HALF });

  const results = await Promise.all([
    refundPayment(shop.context.checkout, request),
    refundPayment(other.checkout, { ...request, by: 'eva' }),
    refundPayment(shop.context.checkout, request),
  ]);

  expect(results.map(({ kind }) => kind).sort()).toEqual(['changed', 'changed', 'done']);
  expect([refunded(shop), await refundStates(shop)]).toEqual([[HALF], ['succeeded']]);
});

test('a lost answer is unknown, blocks order and further refunds, and no time ends it', async () => {
  await using shop = await openTestShop(BY_GATEWAY);
  const { attempt, result } = await loseAnswer(shop);

  shop.clock.advance(400 * DAY);
  await expireRefundLeases(shop.context.checkout);
  const again = await refund(shop, attempt);
  const recorded = await record(shop, attempt);

  expect(result).toMatchObject({ kind: 'done', refund: { state: 'unknown' } });
  expect([again, recorded]).toEqual(Array(2).fill({ kind: 'refused', reason: 'in_flight' }));
  expect([await refundStates(shop), sentRefunds(shop).length]).toEqual([['unknown'], 1]);
  expect([await attemptStates(shop), await countToShip(shop)]).toEqual([['paid'], 0]);
  expect(shop.logged.join('')).toContain('refund.outcome_lost');
});

test('the webhook of a refund with a lost answer causes a lookup, which ends it once', async () => {
  await using shop = await openTestShop(BY_GATEWAY);
  await loseAnswer(shop);

  await receiveRefundEvent(shop);
  await receiveRefundEvent(shop, { again: true });
  const mails = await receiveMails(shop);

  expect([await refundStates(shop), await attemptStates(shop)]).toEqual([['succeeded'], ['refunded']]);
  expect(mails.filter(({ subject }) => subject.includes('Reembolso'))).toHaveLength(1);
});

test('a repeated refund has the same key, and returns the money once', async () => {
  await using shop = await openTestShop(BY_GATEWAY);
  const { attempt } = await loseAnswer(shop);
  const { version } = await orderOf(shop, attempt);

  const results = await Promise.all([
    resolve(shop, attempt, 'repeat', { version }),
    resolve(shop, attempt, 'repeat', { version }),
  ]);
  const [first, second] = sentRefunds(shop).map(({ headers }) => headers['x-request-id']);

  expect(results.map(({ kind }) => kind).sort()).toEqual(['changed', 'done']);
  expect([refunded(shop), await refundStates(shop)]).toEqual([[28_900], ['succeeded']]);
  expect([sentRefunds(shop).length, second]).toEqual([2, first]);
});

test.each([
  ['that it cannot be refunded', 'Original transaction not found or not refundable'],
  ['that it was refunded', 'Transaction has already been refunded'],
])('a repeated refund stays unknown if the gateway answers %s', async (_what, details) => {
  await using shop = await openTestShop(BY_GATEWAY);
  const { attempt } = await loseAnswer(shop);
  shop.simulator.control.fault('refund', { kind: 'status', status: 400, body: { error: 'x', details } });

  expect(await resolve(shop, attempt, 'repeat')).toMatchObject({ kind: 'unchanged' });
  expect(await refundStates(shop)).toEqual(['unknown']);
});

test('a process that stops between commit and answer leaves a refund that is unknown after its lease', async () => {
  await using shop = await openTestShop(BY_GATEWAY);
  const { attempt } = await openPaidOrder(shop);
  const { checkout } = shop.context;
  const stopped = { ...checkout.gateway, refundPayment: () => Promise.reject(new Error('stopped')) };
  await expect(
    refundPayment({ ...checkout, gateway: stopped }, await requestOf(shop, attempt)),
  ).rejects.toThrow('stopped');

  await expireRefundLeases(checkout);
  const before = await refundStates(shop);
  const again = await refund(shop, attempt);
  shop.clock.advance(MINUTE);
  await expireRefundLeases(checkout);

  expect([before, await refundStates(shop)]).toEqual([['sending'], ['unknown']]);
  expect(again).toEqual({ kind: 'refused', reason: 'in_flight' });
  expect(sentRefunds(shop)).toHaveLength(0);
  expect(await resolve(shop, attempt, 'repeat')).toMatchObject({
    kind: 'done',
    refund: { state: 'succeeded' },
  });
});

test('a webhook before the answer ends the refund, and the answer changes nothing', async () => {
  await using shop = await openTestShop(BY_GATEWAY);
  const { attempt } = await openPaidOrder(shop);
  shop.simulator.control.fault('refund', { kind: 'hold' }, 1);

  const refunding = refund(shop, attempt);
  while (refunded(shop).length === 0) await new Promise(setImmediate);
  await receiveRefundEvent(shop);
  const { version } = await orderOf(shop, attempt);
  shop.simulator.control.release();
  const result = await refunding;

  expect(result).toMatchObject({ kind: 'done', refund: { state: 'succeeded' }, order: { version } });
  const mails = await receiveMails(shop);
  expect(mails.filter(({ subject }) => subject.includes('Reembolso'))).toHaveLength(1);
});

test('a pending refund ends by its webhook: succeeded, or refused and then free for another one', async () => {
  await using shop = await openTestShop(BY_GATEWAY);
  const { control } = shop.simulator;
  control.settings({ refundStatus: 'Pending' });
  const { attempt } = await openPaidOrder(shop);

  const first = await refund(shop, attempt);
  control.finishRefund(control.refunds()[0]?.id ?? '', 'Failed');
  await receiveRefundEvent(shop);
  const second = await refund(shop, attempt);
  const toShip = await countToShip(shop);
  await receiveRefundEvent(shop, { event: 'refund_Pending' });
  control.finishRefund(control.refunds()[1]?.id ?? '', 'Success');
  await receiveRefundEvent(shop);

  expect([first, second]).toMatchObject(Array(2).fill({ kind: 'done', refund: { state: 'pending' } }));
  expect(toShip).toBe(0);
  expect([await refundStates(shop), refunded(shop)]).toEqual([['refused', 'succeeded'], [28_900]]);
});

test('a failed refund elsewhere does not prove that a refund with a lost answer returned nothing', async () => {
  await using shop = await openTestShop(BY_GATEWAY);
  await loseAnswer(shop);
  const { control } = shop.simulator;
  const [sent] = control.refunds();
  control.fault('read-transaction', { kind: 'rewrite', set: { id: 'other', status: 'Failed' } });

  await receiveRefundEvent(shop, { id: 'other', original_transaction_id: sent?.originalId });
  control.fault('read-transaction', { kind: 'rewrite', set: { status: 'Failed' } });
  await receiveRefundEvent(shop);

  expect(await refundStates(shop)).toEqual(['unknown']);
});

test.each<[string, object, Fault | undefined]>([
  ['an unknown refund', { id: '00000000-0000-4000-8000-000000000000' }, undefined],
  ['another payment', { original_transaction_id: 'other' }, undefined],
  ['a payment in place of a refund', {}, { kind: 'rewrite', set: { operation_type: 'payment' } }],
  ['a refund of another amount', {}, { kind: 'rewrite', set: { amount: 1 } }],
  ['a refund of another payment', {}, { kind: 'rewrite', set: { original_transaction_id: 'other' } }],
])('an authenticated event about %s changes no refund', async (_what, event, fault) => {
  await using shop = await openTestShop(BY_GATEWAY);
  await loseAnswer(shop);
  if (fault) shop.simulator.control.fault('read-transaction', fault);

  await receiveRefundEvent(shop, event);

  expect([await refundStates(shop), await attemptStates(shop)]).toEqual([['unknown'], ['paid']]);
});

test('an event that is not authenticated causes no lookup of a refund', async () => {
  const env = { ...BY_GATEWAY.env, WEBHOOK_AUTH: 'none' };
  await using shop = await openTestShop({ ...BY_GATEWAY, env });
  const { attempt } = await loseAnswer(shop);
  const lookups = shop.simulator.control.calls('read-transaction').length;

  // Only events that name an order of the shop are stored.
  await receiveRefundEvent(shop, { client_reference: attempt.reference });

  expect(shop.simulator.control.calls('read-transaction')).toHaveLength(lookups);
  expect(await refundStates(shop)).toEqual(['unknown']);
});

test('one refund at the gateway counts for one refund of the shop', async () => {
  await using shop = await openTestShop(PARTIAL);
  severalRefunds(shop);
  const { attempt } = await openPaidOrder(shop);
  await refund(shop, attempt, { amount: HALF });
  shop.simulator.control.fault('refund', { kind: 'drop', when: 'before' }, 1);
  await refund(shop, attempt, { amount: HALF });

  await receiveRefundEvent(shop);
  const checked = await resolve(shop, attempt, 'check', {
    gatewayRefundId: shop.simulator.control.refunds()[0]?.id,
  });

  expect(checked).toMatchObject({ kind: 'unchanged' });
  expect([await refundStates(shop), refunded(shop)]).toEqual([['succeeded', 'unknown'], [HALF]]);
});

test('an answer with the id of another refund is unknown', async () => {
  await using shop = await openTestShop(PARTIAL);
  severalRefunds(shop);
  const { attempt } = await openPaidOrder(shop);
  await refund(shop, attempt, { amount: HALF });
  const [first] = shop.simulator.control.refunds();
  shop.simulator.control.fault('refund', { kind: 'rewrite', set: { id: first?.id } });

  await refund(shop, attempt, { amount: HALF });

  expect(await refundStates(shop)).toEqual(['succeeded', 'unknown']);
});

test('an admin user checks a refund by the id that the gateway shows', async () => {
  await using shop = await openTestShop(BY_GATEWAY);
  const { attempt } = await loseAnswer(shop);
  const [sent] = shop.simulator.control.refunds();

  const without = await resolve(shop, attempt, 'check');
  const wrong = await resolve(shop, attempt, 'check', { gatewayRefundId: sent?.originalId });
  const found = await resolve(shop, attempt, 'check', { gatewayRefundId: sent?.id });

  expect([without.kind, wrong.kind, found.kind]).toEqual(['unreachable', 'unchanged', 'done']);
  expect(await allRefunds(shop)).toMatchObject([{ state: 'succeeded', gatewayRefundId: sent?.id }]);
});

test('an admin user answers for an unknown refund once, and nothing changes a final state', async () => {
  await using shop = await openTestShop(BY_GATEWAY);
  const { attempt } = await loseAnswer(shop);
  const { version } = await orderOf(shop, attempt);

  const answers = [
    await resolve(shop, attempt, 'not_refunded', { version: version - 1 }),
    await resolve(shop, attempt, 'not_refunded'),
    await resolve(shop, attempt, 'refunded'),
    await resolve(shop, attempt, 'repeat'),
  ];
  await receiveRefundEvent(shop);

  expect(answers.map(({ kind }) => kind)).toEqual(['changed', 'done', 'not_open', 'not_open']);
  expect([await refundStates(shop), await attemptStates(shop)]).toEqual([['refused'], ['paid']]);
  const { queries } = shop.context.checkout.db;
  const events = await queries.selectFrom('orderEvents').selectAll().orderBy('id').execute();
  const details = events
    .filter(({ kind }) => kind === 'refund_changed')
    .map(({ detail }) => JSON.parse(detail));
  expect(details.at(-1)).toMatchObject({ refund: 'refused', source: 'person', by: 'ana' });
});

test.each<[string, object, string, object]>([
  ['of nothing', { amount: centavos(0) }, 'amount', {}],
  ['larger than the confirmed amount', { amount: centavos(28_901) }, 'amount', { REFUND_PARTIAL: 'on' }],
  ['of a part', { amount: centavos(28_899) }, 'partial', {}],
  ['with a reason of 201 characters', { reason: 'x'.repeat(201) }, 'reason', {}],
  ['of another attempt', { attemptId: 'other' }, 'no_payment', {}],
  ['with refunds off', {}, 'not_offered', { REFUNDS: 'off' }],
  ['by the gateway in the mode record', {}, 'not_offered', { REFUNDS: 'record' }],
])('a refund %s is refused and changes nothing', async (_what, changes, reason, env) => {
  await using shop = await openTestShop({ ...BY_GATEWAY, env: { ...BY_GATEWAY.env, ...env } });
  const { attempt } = await openPaidOrder(shop);
  const before = await dumpDatabase(shop);

  expect(await refund(shop, attempt, changes)).toEqual({ kind: 'refused', reason });
  expect([await dumpDatabase(shop), sentRefunds(shop)]).toEqual([before, []]);
});

test('a refunded payment is not refunded again, also if the refund was only decided', async () => {
  await using shop = await openTestShop(BY_GATEWAY);
  const { attempt } = await openPaidOrder(shop);
  await refund(shop, attempt);

  expect(await refund(shop, attempt)).toEqual({ kind: 'refused', reason: 'no_payment' });
  expect(await record(shop, attempt)).toEqual({ kind: 'refused', reason: 'no_payment' });
  expect(sentRefunds(shop)).toHaveLength(1);
});

test('partial refunds sum up to the confirmed amount, and only the last one returns the products to stock', async () => {
  await using shop = await openTestShop(PARTIAL);
  severalRefunds(shop);
  await setStock(shop, 3);
  const { attempt } = await openPaidOrder(shop, { product_id: LIMITED });
  const part = centavos(Math.floor(attempt.amount / 2));
  const rest = centavos(attempt.amount - part);

  const first = await refund(shop, attempt, { amount: part });
  const [afterFirst, shippable] = [await attemptStates(shop), await countToShip(shop)];
  const tooMuch = await refund(shop, attempt, { amount: centavos(rest + 1) });
  const early = await refund(shop, attempt, { amount: centavos(rest - 1), returnsStock: true });
  const last = await refund(shop, attempt, { amount: rest, returnsStock: true });

  expect([first.kind, last.kind, refunded(shop)]).toEqual(['done', 'done', [part, rest]]);
  expect([tooMuch, early]).toEqual(['amount', 'stock'].map((reason) => ({ kind: 'refused', reason })));
  expect([afterFirst, shippable, await attemptStates(shop)]).toEqual([['paid'], 1, ['refunded']]);
  expect([await stockOf(shop), await takesOf(shop)]).toEqual([3, [0]]);
});

test('a full refund leaves the stock as it is unless the admin user returns the products', async () => {
  await using shop = await openTestShop(BY_GATEWAY);
  await setStock(shop, 3);
  const { attempt } = await openPaidOrder(shop, { product_id: LIMITED });

  await refund(shop, attempt);

  expect([await stockOf(shop), await takesOf(shop)]).toEqual([2, [1]]);
});

test('a customer sees on the page what was refunded of an order that is still sent', async () => {
  await using shop = await openTestShop(PARTIAL);
  const { customer, attempt } = await openPaidOrder(shop);
  await refund(shop, attempt, { amount: HALF });

  const page = await customer.get(`/orders/${(await theOrder(shop)).token}`);
  const mails = await receiveMails(shop);

  expect(page.text).toContain('Te reembolsamos $144.50.');
  expect(page.text).toContain('Estamos preparando tu pedido.');
  expect(mails.at(-1)?.text).toMatch(/Te reembolsamos \$144\.50 .*\nEs una parte de lo que pagaste\./);
});

test('without a connection to the gateway a refund is refused, and may be tried again', async () => {
  await using shop = await openTestShop(BY_GATEWAY);
  const { attempt } = await openPaidOrder(shop);
  using gateway = createClient('http://127.0.0.1:1');

  const dead = await refundPayment({ ...shop.context.checkout, gateway }, await requestOf(shop, attempt));
  const again = await refund(shop, attempt);

  expect([dead, again]).toMatchObject([
    { kind: 'done', refund: { state: 'refused', gatewayStatus: 'unreachable' } },
    { kind: 'done', refund: { state: 'succeeded' } },
  ]);
});

test('a hosted payment is recorded with its day and never sent, and its stock returns', async () => {
  await using shop = await openTestShop(BY_GATEWAY);
  await setStock(shop, 2);
  const customer = await Customer.withCart(shop, { product_id: LIMITED });
  await customer.payHosted();
  const [session] = shop.simulator.control.sessions();
  shop.simulator.control.paySession(session?.id ?? '');
  await customer.get(new URL(session?.request.return_url ?? '').pathname);
  const [attempt] = await allAttempts(shop);
  if (!attempt) throw new Error('no attempt');
  const today = dayOf(shop.clock.now());

  const sent = await refund(shop, attempt);
  const days = [addDays(today, 1), addDays(today, -1), '2026-02-30', ''];
  const badDays = [];
  for (const refundedOn of days) badDays.push(await record(shop, attempt, { refundedOn }));
  const recorded = await record(shop, attempt, { returnsStock: true });

  expect(attempt).toMatchObject({ state: 'paid', confirmedAmount: attempt.amount });
  expect(sent).toEqual({ kind: 'refused', reason: 'not_offered' });
  expect(badDays).toEqual(days.map(() => ({ kind: 'refused', reason: 'day' })));
  expect(recorded).toMatchObject({ kind: 'done', refund: { state: 'recorded', refundedOn: today } });
  expect([await attemptStates(shop), await stockOf(shop), sentRefunds(shop)]).toEqual([['refunded'], 2, []]);
  const mails = await receiveMails(shop);
  expect(mails.filter(({ subject }) => subject.includes('Reembolso'))).toHaveLength(1);
});

test('a refund names one of two payments of an order, and ends the review of the second one', async () => {
  await using shop = await openTestShop(BY_GATEWAY);
  const { attempt: first } = await openPaidOrder(shop);
  const { queries } = shop.context.checkout.db;
  const second = { ...first, id: `${first.id}-2`, ordinal: 2, gatewayId: 'second' };
  await queries.insertInto('attempts').values(second).execute();
  await queries.updateTable('orders').set({ reviewReason: 'second_payment' }).execute();

  const recorded = await record(shop, second);
  const order = await theOrder(shop);
  const mails = await receiveMails(shop);

  expect(recorded).toMatchObject({ kind: 'done', order: { state: 'paid', reviewReason: null } });
  expect([order.paidAttemptId, await attemptStates(shop)]).toEqual([first.id, ['paid', 'refunded']]);
  expect(await countToShip(shop)).toBe(1);
  expect(mails.at(-1)?.text).toContain('te devolvimos el que sobraba');
});

test('a refund of an order in review cancels it', async () => {
  await using shop = await openTestShop(BY_GATEWAY);
  const { session, customer, returnPath } = await openHostedPage(shop);
  shop.simulator.control.paySession(session);
  shop.simulator.control.fault('read-session', { kind: 'rewrite', set: { amount_total: 20_000 } });
  await customer.get(returnPath);
  const [attempt] = await allAttempts(shop);
  if (!attempt) throw new Error('no attempt');

  const result = await record(shop, attempt);

  expect(attempt).toMatchObject({ state: 'review', confirmedAmount: 20_000 });
  expect(result).toMatchObject({ kind: 'done', order: { state: 'cancelled', reviewReason: null } });
  expect(await attemptStates(shop)).toEqual(['refunded']);
});

test.each<[string, object]>([
  ['another currency', { currency: 'USD' }],
  ['another id', { id: 'other' }],
  ['an unclear status', { status: 'completed', transaction_status: 'Pending' }],
])('a lookup with %s confirms no amount, so nothing can be refunded', async (_what, set) => {
  await using shop = await openTestShop(BY_GATEWAY);
  const { session, customer, returnPath } = await openHostedPage(shop);
  shop.simulator.control.paySession(session);
  shop.simulator.control.fault('read-session', { kind: 'rewrite', set: { ...set } });
  await customer.get(returnPath);
  const [attempt] = await allAttempts(shop);
  if (!attempt) throw new Error('no attempt');

  expect(attempt).toMatchObject({ state: 'review', confirmedAmount: null });
  expect(await record(shop, attempt)).toEqual({ kind: 'refused', reason: 'no_payment' });
});

test('a chargeback is recorded, takes the order off the list to ship, and sends no mail', async () => {
  await using shop = await openTestShop(BY_GATEWAY);
  const { customer, attempt } = await openPaidOrder(shop);
  await receiveMails(shop);

  const result = await record(shop, attempt, { way: 'chargeback', amount: HALF });
  const page = await customer.get(`/orders/${(await theOrder(shop)).token}`);

  expect(result).toMatchObject({ kind: 'done', refund: { kind: 'chargeback', state: 'recorded' } });
  expect([await countToShip(shop), await attemptStates(shop)]).toEqual([0, ['paid']]);
  expect((await receiveMails(shop)).filter(({ subject }) => subject.includes('Reembolso'))).toHaveLength(0);
  expect(page.text).not.toContain('Te reembolsamos');
  expect(await refund(shop, attempt)).toEqual({ kind: 'refused', reason: 'amount' });
});

test('a card payment of another gateway environment is recorded and never sent', async () => {
  await using shop = await openTestShop(BY_GATEWAY);
  const { attempt } = await openPaidOrder(shop);
  const { checkout } = shop.context;
  const context = { ...checkout, policy: { ...checkout.policy, environment: 'other' } };

  expect(await refundPayment(context, await requestOf(shop, attempt))).toEqual({
    kind: 'refused',
    reason: 'not_offered',
  });
  expect(sentRefunds(shop)).toHaveLength(0);
});

test('the refund of a payment that was found later is no payment of its order', async () => {
  await using shop = await openTestShop(BY_GATEWAY);
  const { attempt } = await openPaidOrder(shop);
  await refund(shop, attempt);
  const customer = await Customer.withCart(shop);
  shop.simulator.control.fault('process', { kind: 'drop', when: 'before' }, 1);
  await payByCard(shop, customer);
  const lost = (await allAttempts(shop))[1];

  await receiveRefundEvent(shop, { client_reference: lost?.reference });

  expect((await allOrders(shop)).map(({ state }) => state)).toEqual(['paid', 'outcome_unknown']);
  expect((await allAttempts(shop))[1]?.gatewayId).toBeNull();
});
