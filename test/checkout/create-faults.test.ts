import { describe, expect, test } from '@jest/globals';
import type { Fault } from '../../tools/simulator/faults.js';
import { Customer, contact, readOrderPage } from '../support/customer.js';
import { allAttempts, allOrders, cartContents, theOrder, until } from '../support/inspect.js';
import { impatient, openDoor } from '../support/replica.js';
import { openTestShop } from '../support/test-shop.js';

const FAULTS: readonly (readonly [string, number, Fault])[] = [
  ['breaks the connection before it acts', 503, { kind: 'drop', when: 'before' }],
  ['breaks the connection after it acted', 503, { kind: 'drop', when: 'after' }],
  ['answers 500', 503, { kind: 'status', status: 500 }],
  ['answers 503', 503, { kind: 'status', status: 503 }],
  ['does not know the key', 503, { kind: 'status', status: 401 }],
  ['refuses the order', 502, { kind: 'status', status: 422, body: { error: { code: 'x' } } }],
  ['answers with a page', 502, { kind: 'raw', status: 201, body: '<h1>hi</h1>', contentType: 'text/html' }],
  ['answers with half a text', 502, { kind: 'raw', status: 201, body: '{"id":"cs_1","url":"htt' }],
  ['answers with nothing', 502, { kind: 'raw', status: 201, body: '' }],
  ['answers 200 instead of 201', 502, { kind: 'raw', status: 200, body: '{"id":"cs_1","status":"pending"}' }],
  ['leads elsewhere', 502, { kind: 'redirect', location: 'https://evil.example/' }],
  ['pours out a megabyte', 502, { kind: 'huge', bytes: 1_000_000 }],
  ['tells another amount', 502, { kind: 'rewrite', set: { amount_total: 28_901 } }],
  ['tells the amount in pesos', 502, { kind: 'rewrite', set: { amount_total: 289 } }],
  ['tells another currency', 502, { kind: 'rewrite', set: { currency: 'USD' } }],
  ['tells another order', 502, { kind: 'rewrite', set: { external_id: 'TG-OTHER' } }],
  ['tells no order', 502, { kind: 'rewrite', set: {}, remove: ['external_id'] }],
  ['tells no id', 502, { kind: 'rewrite', set: {}, remove: ['id'] }],
  ['tells no address', 502, { kind: 'rewrite', set: {}, remove: ['url'] }],
  [
    'says it is paid already',
    502,
    { kind: 'rewrite', set: { status: 'completed', transaction_status: 'Success' } },
  ],
  ...[
    'javascript:alert(1)',
    'http://evil.example/checkout/x',
    'https://evil.example/checkout/x',
    'https://localhost@evil.example/',
  ].map((url): readonly [string, number, Fault] => [
    `hands out ${url.slice(0, 40)}`,
    502,
    { kind: 'rewrite', set: { url } },
  ]),
];

describe('opening the hosted page, when the gateway', () => {
  test.each(FAULTS)(
    '%s, answers %i with the form as it was, and the next try works',
    async (_name, status, fault) => {
      await using shop = await openTestShop();
      const customer = await Customer.withCart(shop, { quantity: '2' });
      shop.simulator.control.fault('create-session', fault);

      const failed = await customer.payHosted();
      const [order] = await allOrders(shop);
      const cart = await cartContents(shop);
      shop.simulator.control.clearFaults();
      const next = await customer.payHosted();

      expect(failed.status).toBe(status);
      expect(failed.text).toContain(`value="${contact.email}"`);
      expect(failed.text).toContain('class="notice"');
      expect(failed.headers['location']).toBeUndefined();
      expect(failed.headers['retry-after']).toBe(status === 503 ? '5' : undefined);
      expect(order?.state).toBe('created');
      expect(cart).toEqual({ 'taza-talavera': 2 });
      expect(next.status).toBe(302);
      expect((await allAttempts(shop)).map(({ state }) => state)).toEqual(['failed', 'open']);
      expect((await theOrder(shop)).id).toBe(order?.id);
    },
  );

  test('hangs, is cut off at the deadline, and the customer may try again', async () => {
    await using shop = await openTestShop();
    await using door = await openDoor(impatient(shop, { createSession: 200 }).web);
    const customer = await Customer.withCart(door);
    shop.simulator.control.fault('create-session', { kind: 'hang', apply: true });

    const failed = await customer.payHosted();
    shop.simulator.control.clearFaults();
    // So short a deadline may end a good call too, on a machine that stands still for a moment.
    await until(async () => (await customer.payHosted()).status === 302);

    expect(failed.status).toBe(503);
    expect(failed.text).toContain(`value="${contact.email}"`);
    expect(await allOrders(shop)).toHaveLength(1);
  });

  test('drips its answer, is cut off at the same deadline', async () => {
    await using shop = await openTestShop();
    await using door = await openDoor(impatient(shop, { createSession: 300 }).web);
    const customer = await Customer.withCart(door);
    shop.simulator.control.fault('create-session', { kind: 'drip', bytesPerSecond: 20 });

    const failed = await customer.payHosted();

    expect(failed.status).toBe(503);
  });

  test('stumbles once, is asked again with the same key, and the customer notices nothing', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    shop.simulator.control.fault('create-session', { kind: 'drop', when: 'after' }, 1);

    const answer = await customer.payHosted();

    const keys = shop.simulator.control
      .calls('create-session')
      .map(({ headers }) => headers['x-idempotency-key']);
    expect(answer.status).toBe(302);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(await allAttempts(shop)).toHaveLength(1);
  });

  test('names a session that belongs to another order, shows no page of it, and the next try works', async () => {
    await using shop = await openTestShop();
    const first = await Customer.withCart(shop);
    await first.payHosted();
    const [{ gatewayId } = { gatewayId: null }] = await allAttempts(shop);
    const second = await Customer.withCart(shop);
    shop.simulator.control.fault('create-session', { kind: 'rewrite', set: { id: gatewayId } }, 1);

    const refused = await second.payHosted();
    const next = await second.payHosted();

    expect(refused.headers['location']).toMatch(/^\/orders\//);
    expect(next.status).toBe(302);
    expect((await allAttempts(shop)).map(({ state }) => state)).toEqual(['open', 'failed', 'open']);
  });

  test('fails, the order’s own page says that nothing was charged and the link shows no more', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    shop.simulator.control.fault('create-session', { kind: 'status', status: 422 });
    await customer.payHosted();
    const { token } = await theOrder(shop);

    const page = await new Customer(shop).get(`/orders/${token}`);

    expect(readOrderPage(page.text)).toMatchObject({ state: 'created', detail: false });
  });
});
