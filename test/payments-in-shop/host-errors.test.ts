/** A host of the payments that throws, writes half, breaks the transaction or does not answer. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ReturnedMoney } from '@tianguis/payments';
import type { AdminDecision } from '@tianguis/payments/rules';
import { centavos } from '@tianguis/payments/rules';
import type { FullHost } from '@tianguis/payments/testing';
import { paymentsOf, TRANSACTION_LIMITS } from '@tianguis/payments/testing';
import { sql } from 'kysely';
import type { CheckoutContext } from '../../src/shop/checkout-context.js';
import { attemptStates, loseCardAnswer, orderStates, reconcileAfter } from '../checkout/support.js';
import { openBackOffice } from '../support/admin.js';
import { Customer } from '../support/customer.js';
import { allAttempts, allFulfillments, allOrders, cartContents, theOrder } from '../support/inspect.js';
import { CARDS, openPageOf, payAndReturn, payByCard } from '../support/purchase.js';
import { BY_GATEWAY, openPaidOrder, record, refund, refundStates } from '../support/refunds.js';
import { openSharedShop } from '../support/shared-shop.js';
import { LIMITED, openLimitedPage, oversell, setStock, stockOf } from '../support/stock.js';

const shop = await openSharedShop({ ...BY_GATEWAY, env: { ...BY_GATEWAY.env, REFUND_PARTIAL: 'on' } });
const { db } = shop.checkout;
const host = { ...shop.checkout.host };
const { transaction } = db;

const breakHost = (broken: Partial<FullHost>) => Object.assign(shop.checkout.host, broken);

const repairHost = () => {
  Object.assign(shop.checkout.host, host);
  Object.assign(db, { transaction });
};

beforeEach(() => setStock(shop, 3));
afterEach(repairHost);

const error = () => Promise.reject(new Error('a bug'));
const isLogged = (event: string) => shop.logged.some((line) => line.includes(event));

async function decide(decision: AdminDecision, context: CheckoutContext = shop.checkout) {
  const { id: orderId, version } = await theOrder(shop);
  return paymentsOf(context).decide({ orderId, version, decision, by: 'ana', note: '' });
}

/** Returns what the shop wrote for its paid orders. */
async function written() {
  const jobs = await shop.queries.selectFrom('outbox').select('job').orderBy('job').execute();
  const [fulfillments, cart] = [await allFulfillments(shop), await cartContents(shop)];
  return {
    jobs: jobs.map(({ job }) => job),
    taken: fulfillments.map(({ stockTaken }) => stockTaken),
    stock: await stockOf(shop),
    inCart: cart[LIMITED],
  };
}
const NOTHING = { jobs: [], taken: [], stock: 3, inCart: 1 };
const ALL = { jobs: ['on_paid', 'receipt'], taken: [1], stock: 2, inCart: undefined };

/** Ends each part of a transaction at once, so that a host that hangs costs no time. */
function limitParts() {
  const limits = { ...TRANSACTION_LIMITS, partMs: 10 };
  Object.assign(db, { transaction: ((work) => transaction(work, limits)) as typeof transaction });
}

const FAULTS: readonly [string, () => Partial<FullHost>][] = [
  ['throws in lockBefore', () => ({ lockBefore: error })],
  ['throws in lockGoods', () => ({ lockGoods: error })],
  ['throws in applyChange', () => ({ applyChange: error })],
  [
    'throws without a promise',
    () => ({
      applyChange() {
        throw new Error('a bug');
      },
    }),
  ],
  ['throws after all was written', () => ({ applyChange: (tx, change) => host.applyChange(tx, change).then(error) })],
  [
    'throws after the goods were taken',
    () => ({
      async lockGoods(tx, order) {
        const goods = await host.lockGoods(tx, order);
        return { ...goods, take: () => goods.take().then(error) };
      },
    }),
  ],
  [
    'has a failed statement',
    () => ({ applyChange: (tx) => sql`select * from no_such_table`.execute(tx).then(() => {}) }),
  ],
  [
    'catches a failed statement and throws',
    () => ({
      applyChange: (tx) => sql`select * from no_such_table`.execute(tx).then(error, error),
    }),
  ],
  [
    'calls an unreachable service',
    () => ({
      applyChange: () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })),
    }),
  ],
  ['uses the database outside of the transaction', () => ({ applyChange: async () => void (await allOrders(shop)) })],
  [
    'does not answer',
    () => {
      limitParts();
      return { applyChange: () => new Promise<never>(() => {}) };
    },
  ],
];

test.each(FAULTS)(
  'case 189: an order becomes paid although the host %s, and the manager applies it again',
  async (_how, fault) => {
    const page = await openLimitedPage(shop);
    breakHost(fault());

    const returned = await payAndReturn(shop, page);
    const [paid, states, nothing] = [await theOrder(shop), await attemptStates(shop), await written()];
    const refused = await decide('apply_again');
    const unchanged = await theOrder(shop);
    repairHost();
    const repaired = await decide('apply_again');
    const again = await decide('apply_again');

    expect(returned.status).toBe(303);
    expect(paid).toMatchObject({ state: 'paid', reviewReason: 'host_failed', payableUntil: null });
    expect([states, nothing]).toEqual([['paid'], NOTHING]);
    expect(isLogged('host.change_failed')).toBe(true);
    expect([refused, unchanged]).toEqual(['host_failed', paid]);
    expect([repaired, again]).toEqual(['done', 'not_open']);
    expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
    expect(await written()).toEqual(ALL);
  },
);

test('case 189: the page of an order that the host did not apply offers to apply it again', async () => {
  const page = await openLimitedPage(shop);
  breakHost({ applyChange: error });
  await payAndReturn(shop, page);
  const merchant = await openBackOffice(shop);
  const { number, version } = await theOrder(shop);
  const path = `/admin/orders/${number}`;
  const { text } = await merchant.get(path);
  const fields = { decision: 'apply_again', version: String(version), decision_note: 'corregido' };
  const failed = await merchant.post(`${path}/decision`, fields);
  repairHost();

  const done = await merchant.post(`${path}/decision`, fields);
  const answered = await merchant.get(done.headers['location'] ?? '');

  expect(text).toContain('value="apply_again"');
  const results = [failed, done].map(({ headers }) => headers['location']);
  expect(results).toEqual([`${path}?result=host_failed`, `${path}?result=done`]);
  expect(answered.text).not.toContain('value="apply_again"');
  expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
});

test('case 189: products that were sold meanwhile make an order oversold when its change is applied again', async () => {
  const page = await openLimitedPage(shop);
  breakHost({ applyChange: error });
  await payAndReturn(shop, page);
  repairHost();
  await setStock(shop, 0);

  const result = await decide('apply_again');
  await setStock(shop, 1);
  const arrived = await decide('stock_arrived');

  expect([result, arrived]).toEqual(['done', 'done']);
  expect(await written()).toEqual({ ...ALL, stock: 0 });
});

test('case 189: a second payment is shown first, and its refund leaves the order to be applied again', async () => {
  const page = await openLimitedPage(shop);
  breakHost({ applyChange: error });
  await payAndReturn(shop, page);
  const order = await theOrder(shop);
  await shop.queries.updateTable('orders').set({ reviewReason: 'second_payment' }).execute();

  const { text } = await (await openBackOffice(shop)).get(`/admin/orders/${order.number}`);
  await decide('refund', { ...shop.checkout, config: { ...shop.checkout.config, refunds: 'off' } });

  expect(text).not.toContain('value="apply_again"');
  expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: 'host_failed' });
});

test.each(['40001', 'SQLITE_BUSY'])(
  'case 189: the fault %s of the database inside of the host repeats the whole transaction',
  async (code) => {
    const page = await openLimitedPage(shop);
    const busy = Object.assign(new Error('busy'), { code });
    breakHost({ applyChange: (tx, change) => host.applyChange(tx, change).then(() => Promise.reject(busy)) });
    await payAndReturn(shop, page);
    const before = [await theOrder(shop), await written()];
    repairHost();

    await payAndReturn(shop, page);

    expect(before).toMatchObject([{ state: 'pending', reviewReason: null }, NOTHING]);
    expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
    expect(await written()).toEqual(ALL);
  },
);

const ANSWERS: readonly [string, () => Promise<unknown>, object][] = [
  ['an opened page', () => openLimitedPage(shop), { order: 'pending', attempt: 'open', reason: 'host_failed' }],
  [
    'an accepted card payment',
    async () => payByCard(shop, await Customer.withCart(shop), CARDS.challenged),
    { order: 'pending', attempt: 'open', reason: 'host_failed' },
  ],
  [
    'a lost answer',
    () => loseCardAnswer(shop, 'after'),
    { order: 'outcome_unknown', attempt: 'unknown', reason: null },
  ],
];

test.each(ANSWERS)(
  'case 189: %s is stored although the host throws or does not answer',
  async (_name, pay, expected) => {
    const stored: unknown[] = [];
    for (const applyChange of [error, () => new Promise<never>(() => {})]) {
      await shop.reset();
      limitParts();
      breakHost({ applyChange, ignoredEvents: [] });
      await pay();
      const [{ state: order, reviewReason: reason }, [attempt]] = [await theOrder(shop), await allAttempts(shop)];
      stored.push({ order, attempt: attempt?.state, reason, hasId: attempt?.gatewayId !== null });
      repairHost();
    }

    expect(stored).toEqual(
      stored.map(() => ({ ...expected, hasId: (expected as { order: string }).order === 'pending' })),
    );
    expect(isLogged('host.change_failed')).toBe(true);
  },
);

test('case 189: an answer is given to the host in a transaction of its own after it was stored', async () => {
  const calls: string[] = [];
  breakHost({
    ignoredEvents: [],
    async lockBefore(tx, ids) {
      const attempts = await tx.selectFrom('attempts').select('state').where('orderId', 'in', ids).execute();
      calls.push(attempts.map(({ state }) => state).join());
      return host.lockBefore(tx, ids);
    },
    async applyChange(_tx, { cause }) {
      calls.push(cause);
    },
  });
  await openLimitedPage(shop);

  expect(calls).toEqual(['', 'open', 'opened']);
});

test('case 189: a limit that throws ends the attempt without a call, and the customer may try again', async () => {
  const customer = await Customer.withCart(shop);
  breakHost({ admit: error });

  const refused = await payByCard(shop, customer);
  const states = [await orderStates(shop), await attemptStates(shop)];
  repairHost();
  await payByCard(shop, customer);

  expect(refused.status).toBe(500);
  expect(states).toEqual([['created'], ['failed']]);
  expect(shop.control.calls('process')).toHaveLength(1);
  expect(await orderStates(shop)).toEqual(['paid']);
});

test.each(['lockBefore', 'prepareStart', 'describe'] as const)(
  'case 189: an error of the host in %s starts no payment, and the same form pays later',
  async (name) => {
    const customer = await Customer.withCart(shop);
    breakHost({ [name]: error });

    const refused = await customer.payHosted();
    const attempts = await allAttempts(shop);
    repairHost();
    await payAndReturn(shop, await openPageOf(shop, customer));

    expect([refused.status, attempts]).toEqual([500, []]);
    expect(await theOrder(shop)).toMatchObject({ state: 'paid', reviewReason: null });
  },
);

test('case 189: an oversold order stays so while the host cannot count what arrived', async () => {
  const { orderId } = await oversell(shop);
  const order = async () => (await allOrders(shop)).find(({ id }) => id === orderId);
  const before = await order();
  breakHost({ lockGoods: error, lacksGoods: error });

  const result = await shop.checkout.payments.decide({
    orderId,
    version: before?.version ?? 0,
    decision: 'stock_arrived',
    by: 'ana',
    note: '',
  });

  expect([result, await order()]).toEqual(['goods_missing', before]);
  expect(isLogged('host.change_failed')).toBe(true);
});

test('case 189: an end that the host failed to apply is in review, and the manager applies it again', async () => {
  const page = await openLimitedPage(shop);
  const reservedUntil = async () =>
    (await shop.queries.selectFrom('reservations').select('expiresAt').execute())[0]?.expiresAt;
  const before = await reservedUntil();
  breakHost({ applyChange: error });
  shop.control.cancelSession(page.session);
  await reconcileAfter(shop, 60_000);
  const failed = [await theOrder(shop), await reservedUntil()];
  repairHost();

  const result = await decide('apply_again');

  expect(failed).toMatchObject([{ state: 'cancelled', reviewReason: 'host_failed' }, before]);
  expect(result).toBe('done');
  expect(await theOrder(shop)).toMatchObject({ state: 'cancelled', reviewReason: null });
  expect(await reservedUntil()).toBeLessThan(before ?? 0);
});

/** Repairs the host. Returns the list of the refunds that it gets from then on. */
function watchRefunds(): readonly ReturnedMoney[] {
  repairHost();
  const returned: ReturnedMoney[] = [];
  breakHost({
    moneyReturned(tx, order, refunded) {
      returned.push(refunded);
      return host.moneyReturned(tx, order, refunded);
    },
  });
  return returned;
}

const RETURNS: readonly [string, typeof refund, string][] = [
  ["a gateway's answer about a refund", refund, 'succeeded'],
  ['a recorded refund', record, 'recorded'],
];

test.each(RETURNS)(
  'case 189: %s is stored although the host throws, and the manager applies it again',
  async (_name, returnMoney, state) => {
    const { attempt } = await openPaidOrder(shop, { product_id: LIMITED });
    breakHost({ moneyReturned: error });
    await returnMoney(shop, attempt, { returnsGoods: true });
    const stored = [await refundStates(shop), await attemptStates(shop), await theOrder(shop)];
    const refused = await decide('apply_again');
    const unchanged = await theOrder(shop);
    const [stock, given] = [await stockOf(shop), watchRefunds()];

    const results = [await decide('apply_again'), await decide('apply_again')];

    const order = { state: 'paid', reviewReason: 'host_failed' };
    expect(stored).toMatchObject([[state], ['refunded'], order]);
    expect([refused, unchanged]).toEqual(['host_failed', stored[2]]);
    expect(isLogged('host.change_failed')).toBe(true);
    expect(results).toEqual(['done', 'not_open']);
    expect(given).toMatchObject([{ isFull: true, returnsGoods: true, paidTheOrder: true }]);
    expect([stock, await stockOf(shop)]).toEqual([2, 3]);
    expect(await theOrder(shop)).toMatchObject({ ...order, reviewReason: null });
  },
);

test('case 189: two parts of a refund that the host missed are applied in their order', async () => {
  shop.control.settings({ refundsPerPayment: 'several' });
  const { attempt } = await openPaidOrder(shop);
  breakHost({ moneyReturned: error });
  await refund(shop, attempt, { amount: centavos(100) });
  await refund(shop, attempt, { amount: centavos((attempt.confirmedAmount ?? 0) - 100) });
  const given = watchRefunds();

  expect(await decide('apply_again')).toBe('done');
  expect(given).toMatchObject([{ isFull: false }, { isFull: true }]);
});

test('case 189: a full refund of an order that the host did not apply queues no receipt', async () => {
  breakHost({ applyChange: error, moneyReturned: error });
  const { attempt } = await openPaidOrder(shop, { product_id: LIMITED });
  await record(shop, attempt);
  const [states, order] = [await attemptStates(shop), await theOrder(shop)];
  const given = watchRefunds();

  const result = await decide('apply_again');

  expect([states, order.reviewReason, result]).toEqual([['refunded'], 'host_failed', 'done']);
  expect(await written()).toMatchObject({ jobs: expect.not.arrayContaining(['receipt', 'on_paid']), taken: [] });
  expect([given.length, (await theOrder(shop)).reviewReason]).toEqual([1, null]);
});

test('case 189: a refund and a payment that the host missed are applied together', async () => {
  breakHost({ applyChange: error, moneyReturned: error });
  const { attempt } = await openPaidOrder(shop, { product_id: LIMITED });
  await record(shop, attempt, { amount: centavos(100) });
  const given = watchRefunds();

  const result = await decide('apply_again');

  expect([result, given.length]).toEqual(['done', 1]);
  expect(await written()).toMatchObject({ jobs: expect.arrayContaining(['receipt', 'on_paid']), taken: [1], stock: 2 });
});

test('case 189: a refund that the host missed beside another review reason is applied after that review', async () => {
  const { attempt } = await openPaidOrder(shop, { product_id: LIMITED });
  await shop.queries.updateTable('orders').set({ reviewReason: 'not_found' }).execute();
  breakHost({ moneyReturned: error });
  await record(shop, attempt, { amount: centavos(100) });
  const { reviewReason } = await theOrder(shop);
  const given = watchRefunds();

  const closed = await decide('close');
  const behind = await theOrder(shop);
  const applied = await decide('apply_again');

  expect([reviewReason, closed, behind.reviewReason, applied]).toEqual(['not_found', 'done', 'host_failed', 'done']);
  expect([given.length, (await theOrder(shop)).reviewReason]).toEqual([1, null]);
});

test('case 189: a declined card leads to the order although the host fails to count it', async () => {
  breakHost({ noteDecline: error });

  const answer = await payByCard(shop, await Customer.withCart(shop), CARDS.declined);

  expect(answer.status).toBe(303);
  expect(await orderStates(shop)).toEqual(['declined']);
  expect(isLogged('host.change_failed')).toBe(true);
});

test('a card payment whose process froze before its call is never sent, and the customer may try again', async () => {
  const customer = await Customer.withCart(shop);
  breakHost({
    // The clock of the process goes on while it is frozen.
    async admit(...start) {
      const { now } = performance;
      Object.assign(performance, { now: () => now.call(performance) + 11_000 });
      setImmediate(() => Object.assign(performance, { now }));
      return host.admit(...start);
    },
  });

  const answer = await payByCard(shop, customer);

  expect([answer.status, shop.control.calls('process').length]).toEqual([503, 0]);
  expect(await attemptStates(shop)).toEqual(['failed']);
});

test('the host learns of a lost card answer although the connection broke when its commit was confirmed', async () => {
  const changes: string[] = [];
  breakHost({
    applyChange(tx, change) {
      changes.push(change.after.state);
      return host.applyChange(tx, change);
    },
  });
  let isLost = false;
  const losing = async (...input: Parameters<typeof transaction>) => {
    const result = await transaction(...input);
    if (isLost || shop.control.calls('process').length === 0) return result;
    isLost = true;
    throw Object.assign(new Error('lost'), { code: 'ECONNRESET' });
  };
  Object.assign(db, { transaction: losing });

  await loseCardAnswer(shop, 'after');

  expect([isLost, await orderStates(shop), changes]).toEqual([true, ['outcome_unknown'], ['outcome_unknown']]);
});
