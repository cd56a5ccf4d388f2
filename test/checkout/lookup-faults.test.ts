import { expect, test } from '@jest/globals';
import type { Fault } from '../../tools/simulator/faults.js';
import { Customer, readOrderPage } from '../support/customer.js';
import { allFulfillments, theOrder, until } from '../support/inspect.js';
import { openHostedPage, payByCard } from '../support/purchase.js';
import { impatient, openDoor } from '../support/replica.js';
import { openTestShop } from '../support/test-shop.js';
import { sentPayments } from './support.js';

const ADVICE = {
  pending: 'Si ya pagaste, no pagues otra vez',
  review: 'Por favor no pagues otra vez',
} as const;

const rewrite = (set: Record<string, unknown>): Fault => ({ kind: 'rewrite', set });

/** Lookups of a paid session. `test/gateway/answers.test.ts` evaluates all other answers. */
const ANSWERS: readonly (readonly [string, keyof typeof ADVICE, Fault])[] = [
  ['an answer of 500', 'pending', { kind: 'status', status: 500 }],
  ['an answer of 401', 'pending', { kind: 'status', status: 401 }],
  ['a pending session', 'pending', rewrite({ status: 'pending', transaction_status: 'Declined' })],
  ['completed and declined', 'review', rewrite({ transaction_status: 'Declined' })],
  ['one centavo less', 'review', rewrite({ amount_total: 28_899 })],
  ['the number of another order', 'review', rewrite({ external_id: 'TG-2222-3333' })],
  ['another id', 'review', rewrite({ id: 'cs_other' })],
];

test.each(ANSWERS)(
  'a paid session reported with %s leaves the order %s until a lookup reports it correctly',
  async (_name, state, fault) => {
    await using shop = await openTestShop();
    const { customer, session, returnPath, orderPath } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);
    shop.simulator.control.fault('read-session', fault);

    const back = await customer.get(`${returnPath}?session_id=${session}`);
    const page = await customer.get(orderPath);
    const before = await allFulfillments(shop);
    shop.simulator.control.clearFaults();
    shop.clock.advance(5_000);
    const settled = await customer.get(orderPath);

    expect(back.status).toBe(303);
    expect(readOrderPage(page.text).state).toBe(state);
    expect(page.text).toContain(ADVICE[state]);
    expect(page.text).toContain('http-equiv="refresh"');
    expect(before).toHaveLength(0);
    expect(readOrderPage(settled.text).state).toBe('paid');
    expect(await allFulfillments(shop)).toHaveLength(1);
  },
);

test('a lookup that hangs or drips ends at its deadline, and the order stays pending', async () => {
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

test.each<[string, string, Fault]>([
  ['one centavo less', 'review', rewrite({ amount: 288.99 })],
  ['another reference', 'review', rewrite({ client_reference: 'TG-2222-3333' })],
  ['dollars', 'review', rewrite({ currency: 'USD' })],
  ['an unknown status', 'review', rewrite({ status: 'refunded' })],
  ['an answer of 404', 'pending', { kind: 'status', status: 404 }],
  ['the amount as decimal text', 'paid', rewrite({ amount: '289.0000' })],
])(
  'a charged card reported with %s makes the order %s and is not sent again',
  async (_name, state, fault) => {
    await using shop = await openTestShop();
    shop.simulator.control.fault('read-transaction', fault);
    const customer = await Customer.withCart(shop);

    const answer = await payByCard(shop, customer);
    const again = await payByCard(shop, customer);

    expect([answer.status, again.status]).toEqual([303, 303]);
    expect((await theOrder(shop)).state).toBe(state);
    expect(sentPayments(shop)).toHaveLength(1);
    expect(await allFulfillments(shop)).toHaveLength(state === 'paid' ? 1 : 0);
  },
);
