import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Fault } from '../../tools/simulator/faults.js';
import { Customer, readOrderPage } from '../support/customer.js';
import { allFulfilments, orderOfSession, theOrder, until } from '../support/inspect.js';
import { openHostedPage, payByCard } from '../support/purchase.js';
import { impatient, openDoor } from '../support/replica.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const SAFE_WORDS = {
  pending: 'Si ya pagaste, no pagues otra vez',
  review: 'Por favor no pagues otra vez',
} as const;

const rewrite = (set: Record<string, unknown>, remove: readonly string[] = []): Fault => ({
  kind: 'rewrite',
  set,
  remove,
});

/** Each with what the order of a session that was in truth paid comes to. */
const ANSWERS: readonly (readonly [string, keyof typeof SAFE_WORDS, Fault])[] = [
  ['an answer of 500', 'pending', { kind: 'status', status: 500 }],
  ['an answer of 404', 'pending', { kind: 'status', status: 404 }],
  ['an answer of 401', 'pending', { kind: 'status', status: 401 }],
  ['a broken connection', 'pending', { kind: 'drop', when: 'before' }],
  ['a page', 'pending', { kind: 'raw', body: '<h1>paid</h1>', contentType: 'text/html' }],
  ['nothing', 'pending', { kind: 'raw', body: '' }],
  ['null', 'pending', { kind: 'raw', body: 'null' }],
  ['a list', 'pending', { kind: 'raw', body: '[{"status":"completed"}]' }],
  ['garbage behind JSON', 'pending', { kind: 'raw', body: '{"status":"completed"} x' }],
  ['a status that is a list', 'pending', rewrite({ status: ['completed'] })],
  ['a status that is true', 'pending', rewrite({ status: true })],
  ['no status', 'pending', rewrite({}, ['status'])],
  ['a transaction status of another type', 'pending', rewrite({ transaction_status: { Success: true } })],
  ['a page that is still open', 'pending', rewrite({ status: 'pending', transaction_status: 'Declined' })],
  ['a word nobody knows', 'review', rewrite({ status: 'settled' })],
  ['a status that ends in NUL', 'review', rewrite({ status: 'completed\u0000' })],
  ['an id that ends in NUL', 'pending', rewrite({ id: 'cs_1\u0000' })],
  ['a word with a blank', 'review', rewrite({ status: ' completed' })],
  ['completed and declined', 'review', rewrite({ transaction_status: 'Declined' })],
  ['completed and nothing', 'review', rewrite({}, ['transaction_status'])],
  ['pending and success', 'review', rewrite({ status: 'pending' })],
  ['one centavo less', 'review', rewrite({ amount_total: 28_899 })],
  ['one centavo more', 'review', rewrite({ amount_total: 28_901 })],
  ['the amount in pesos', 'review', rewrite({ amount_total: 289 })],
  ['the amount as text', 'review', rewrite({ amount_total: '28900' })],
  ['the amount with a fraction', 'review', rewrite({ amount_total: 28_900.0001 })],
  ['a negative amount', 'review', rewrite({ amount_total: -28_900 })],
  ['no amount', 'review', rewrite({}, ['amount_total'])],
  ['dollars', 'review', rewrite({ currency: 'USD' })],
  ['a currency in small letters', 'review', rewrite({ currency: 'mxn' })],
  ['no currency', 'review', rewrite({}, ['currency'])],
  ['the number of another order', 'review', rewrite({ external_id: 'TG-2222-3333' })],
  ['no number', 'review', rewrite({}, ['external_id'])],
  ['the number in a list', 'review', rewrite({ external_id: ['TG'] })],
  ['another id', 'review', rewrite({ id: 'cs_other' })],
];

describe('a paid session that the gateway reports with', () => {
  // Each test has an order of its own, so one shop serves all.
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop();
  });
  afterAll(async () => {
    await shop[Symbol.asyncDispose]();
  });

  test.each(ANSWERS)(
    '%s leaves the order %s and says so truly, until the gateway tells the truth',
    async (_name, state, fault) => {
      const { customer, session, returnPath, orderPath } = await openHostedPage(shop);
      shop.simulator.control.paySession(session);
      shop.simulator.control.fault('read-session', fault);

      const back = await customer.get(`${returnPath}?session_id=${session}`);
      const page = await customer.get(orderPath);
      const before = await fulfillmentsOf(shop, session);
      shop.simulator.control.clearFaults();
      shop.clock.advance(5_000);
      const healed = await customer.get(orderPath);

      expect(back.status).toBe(303);
      expect(readOrderPage(page.text).state).toBe(state);
      expect(page.text).toContain(SAFE_WORDS[state]);
      expect(page.text).toContain('http-equiv="refresh"');
      expect(before).toHaveLength(0);
      expect(readOrderPage(healed.text).state).toBe('paid');
      expect(await fulfillmentsOf(shop, session)).toHaveLength(1);
    },
  );
});

async function fulfillmentsOf(shop: TestShop, session: string) {
  const { id } = await orderOfSession(shop, session);
  return (await allFulfilments(shop)).filter(({ orderId }) => orderId === id);
}

describe('a gateway that', () => {
  test('asks to be left alone is left alone, and the order waits', async () => {
    await using shop = await openTestShop();
    const { customer, session, returnPath, orderPath } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);
    shop.simulator.control.rateLimit('read-session', 60, 1);

    await customer.get(returnPath);
    shop.clock.advance(5_000);
    const page = await customer.get(orderPath);

    expect(readOrderPage(page.text).state).toBe('pending');
    expect(shop.simulator.control.calls('read-session')).toHaveLength(1);
  });

  test('is silent or drips slowly is cut off at the deadline, and the customer is told to wait', async () => {
    await using shop = await openTestShop();
    await using door = await openDoor(impatient(shop, { read: 250 }).web);
    const { session, returnPath, orderPath } = await openHostedPage(shop);
    const customer = new Customer(door);
    shop.simulator.control.paySession(session);

    for (const fault of [{ kind: 'hang' }, { kind: 'drip', bytesPerSecond: 50 }] as const) {
      shop.simulator.control.fault('read-session', fault);
      shop.clock.advance(5_000);
      const back = await customer.get(returnPath);
      shop.simulator.control.clearFaults();

      expect([back.status, (await theOrder(shop)).state]).toEqual([303, 'pending']);
    }
    await until(async () => {
      shop.clock.advance(5_000);
      await customer.get(orderPath);
      return (await theOrder(shop)).state === 'paid';
    });
  });
});

const CARD_ANSWERS: readonly (readonly [string, string, Fault])[] = [
  ['one centavo less', 'review', rewrite({ amount: 288.99 })],
  ['a third decimal', 'review', rewrite({ amount: '289.001' })],
  ['centavos', 'review', rewrite({ amount: 28_900 })],
  ['another reference', 'review', rewrite({ client_reference: 'TG-2222-3333' })],
  ['no reference', 'review', rewrite({}, ['client_reference'])],
  ['dollars', 'review', rewrite({ currency: 'USD' })],
  ['another id', 'review', rewrite({ id: '00000000-0000-4000-8000-000000000000' })],
  ['a word nobody knows', 'review', rewrite({ status: 'refunded' })],
  ['a status that ends in NUL', 'review', rewrite({ status: 'Success\u0000' })],
  ['an id that ends in NUL', 'pending', rewrite({ id: 'x\u0000' })],
  ['the word pending', 'pending', rewrite({ status: 'pending' })],
  ['an answer of 404', 'pending', { kind: 'status', status: 404 }],
  ['the amount as decimal text', 'paid', rewrite({ amount: '289.0000' })],
];

describe('a charged card that the gateway reports with', () => {
  test.each(CARD_ANSWERS)('%s makes the order %s', async (_name, state, fault) => {
    await using shop = await openTestShop();
    shop.simulator.control.fault('read-transaction', fault);
    const customer = await Customer.withCart(shop);

    const answer = await payByCard(shop, customer);
    const again = await payByCard(shop, customer);

    expect([answer.status, again.status]).toEqual([303, 303]);
    expect((await theOrder(shop)).state).toBe(state);
    expect(shop.simulator.control.calls('process')).toHaveLength(1);
    expect(await allFulfilments(shop)).toHaveLength(state === 'paid' ? 1 : 0);
  });
});
