import { expect, test } from '@jest/globals';
import type { Fault } from '../../tools/simulator/faults.js';
import { Customer, contact, readOrderPage } from '../support/customer.js';
import { allAttempts, allOrders, cartContents, theOrder, until } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { impatient, openDoor } from '../support/replica.js';
import { openTestShop } from '../support/test-shop.js';
import { attemptStates, orderPath } from './support.js';

/** `test/gateway` shows which other answers are faults. */
const FAULTS: readonly (readonly [string, number, Fault])[] = [
  ['breaks the connection after it created the session', 503, { kind: 'drop', when: 'after' }],
  ['answers 401', 503, { kind: 'status', status: 401 }],
  ['answers 422', 502, { kind: 'status', status: 422, body: { error: { code: 'x' } } }],
  ['answers 200 instead of 201', 502, { kind: 'raw', status: 200, body: '{"id":"cs_1","status":"pending"}' }],
  ['names another amount', 502, { kind: 'rewrite', set: { amount_total: 28_901 } }],
];

test.each(FAULTS)(
  'when the gateway %s, the form is shown again with %i, and the next submit opens the page',
  async (_name, status, fault) => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop, { quantity: '2' });
    shop.simulator.control.fault('create-session', fault);

    const failed = await customer.payHosted();
    const order = await theOrder(shop);
    const page = await new Customer(shop).get(await orderPath(shop));
    const cart = await cartContents(shop);
    shop.simulator.control.clearFaults();
    const next = await customer.payHosted();

    expect(failed.status).toBe(status);
    expect(failed.text).toContain(`value="${contact.email}"`);
    expect(failed.text).toContain('class="notice"');
    expect(failed.headers['location']).toBeUndefined();
    expect(failed.headers['retry-after']).toBe(status === 503 ? '5' : undefined);
    expect(readOrderPage(page.text)).toMatchObject({ state: 'created', detail: false });
    expect(cart).toEqual({ 'taza-talavera': 2 });
    expect(next.status).toBe(302);
    expect(await attemptStates(shop)).toEqual(['failed', 'open']);
    expect((await theOrder(shop)).id).toBe(order.id);
  },
);

test.each<Fault>([
  { kind: 'hang', apply: true },
  { kind: 'drip', bytesPerSecond: 20 },
])(
  'a session call with the fault %j ends at its deadline, and the next submit opens the page',
  async (fault) => {
    await using shop = await openTestShop();
    await using door = await openDoor(impatient(shop, { createSession: 250 }).web);
    const customer = await Customer.withCart(door);
    shop.simulator.control.fault('create-session', fault);

    const failed = await customer.payHosted();
    shop.simulator.control.clearFaults();
    // A slow machine can exceed the short deadline in a healthy call.
    await until(async () => (await customer.payHosted()).status === 302);

    expect(failed.status).toBe(503);
    expect(failed.text).toContain(`value="${contact.email}"`);
    expect(await allOrders(shop)).toHaveLength(1);
  },
);

test('a lost answer to the session call is retried with the same idempotency key', async () => {
  await using shop = await openTestShop();
  const customer = await Customer.withCart(shop);
  shop.simulator.control.fault('create-session', { kind: 'drop', when: 'after' }, 1);

  const answer = await customer.payHosted();

  const calls = shop.simulator.control.calls('create-session');
  const keys = calls.map(({ headers }) => headers['x-idempotency-key']);
  expect(answer.status).toBe(302);
  expect(keys).toEqual([keys[0], keys[0]]);
  expect(await allAttempts(shop)).toHaveLength(1);
});

test('a session that belongs to another order is not shown, and the next submit opens a page', async () => {
  await using shop = await openTestShop();
  const { session } = await openHostedPage(shop);
  const second = await Customer.withCart(shop);
  shop.simulator.control.fault('create-session', { kind: 'rewrite', set: { id: session } }, 1);

  const refused = await second.payHosted();
  const next = await second.payHosted();

  expect(refused.headers['location']).toMatch(/^\/orders\//);
  expect(next.status).toBe(302);
  expect(await attemptStates(shop)).toEqual(['open', 'failed', 'open']);
});
