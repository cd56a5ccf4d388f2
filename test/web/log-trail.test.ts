import { describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { processInbox } from '../../src/checkout/process-inbox.js';
import { processOutbox } from '../../src/checkout/process-outbox.js';
import { reconcile } from '../../src/checkout/reconcile.js';
import { Customer } from '../support/customer.js';
import { theOrder, until } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../support/purchase.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

type Line = Readonly<Record<string, unknown>>;

function linesOf(shop: TestShop): readonly Line[] {
  return shop.logged.map((line) => JSON.parse(line) as Line);
}

/** What was logged with this value in this field, event by event. */
function trail(shop: TestShop, field: string, value: unknown): readonly unknown[] {
  return linesOf(shop).flatMap((line) => (line[field] === value ? [line['msg']] : []));
}

/** The request's own line comes when its answer has gone. */
async function untilLogged(shop: TestShop, route: string): Promise<Line> {
  const find = () =>
    linesOf(shop).find((line) => line['msg'] === 'request.completed' && line['route'] === route);
  await until(() => find() !== undefined);
  return find() ?? {};
}

describe('the log', () => {
  test.each([
    ['0', 1],
    ['1', 0],
  ])(
    'with TRUST_PROXY=%s, has %i warnings after three requests with X-Forwarded-For',
    async (hops, warnings) => {
      await using shop = await openTestShop({ env: { TRUST_PROXY: hops } });

      const found = () => linesOf(shop).filter((line) => line['msg'] === 'proxy.header_ignored');

      await supertest(shop.url).get('/');
      expect(found()).toHaveLength(0);
      for (const path of ['/a', '/b', '/c'])
        await supertest(shop.url).get(path).set('X-Forwarded-For', '203.0.113.9');

      expect(found()).toHaveLength(warnings);
      expect(JSON.stringify(found())).not.toContain('203.0.113.9');
    },
  );

  test('tells an order’s whole way by its number: shop, message and worker', async () => {
    await using shop = await openTestShop({ webhooks: true });
    const { session, customer, orderPath } = await openHostedPage(shop);

    shop.simulator.control.paySession(session);
    await until(() => linesOf(shop).some((line) => line['event'] === 'session.completed'));
    await processInbox(shop.context.checkout);
    await processOutbox(shop.context.checkout);
    await customer.get(orderPath);
    const seen = await untilLogged(shop, '/orders/:token');
    const order = await theOrder(shop);

    const events = trail(shop, 'order', order.number);
    expect(events).toEqual(
      expect.arrayContaining([
        'order.placed',
        'attempt.changed',
        'webhook.processed',
        'order.changed',
        'job.completed',
        'request.completed',
      ]),
    );
    expect(seen['order']).toBe(order.number);
    expect(events.indexOf('order.placed')).toBeLessThan(events.indexOf('order.changed'));
    const token = orderPath.split('/').at(-1) ?? '';
    expect(token).toBe(order.token);
    expect(shop.logged.join('')).not.toContain(token);
  });

  test('leads from a message that was kept to the order that it moved', async () => {
    await using shop = await openTestShop({ webhooks: true });
    const { session } = await openHostedPage(shop);

    shop.simulator.control.paySession(session);
    const isKept = (line: Line) => line['msg'] === 'webhook.stored' && line['event'] === 'session.completed';
    await until(() => linesOf(shop).some(isKept));
    const kept = linesOf(shop).find(isKept);
    await processInbox(shop.context.checkout);
    await untilLogged(shop, '/webhooks/payments');

    const { number } = await theOrder(shop);
    const read = linesOf(shop).find(
      (line) => line['msg'] === 'webhook.processed' && line['webhook'] === kept?.['webhook'],
    );
    expect(read).toMatchObject({ order: number, to: 'done' });
    expect(trail(shop, 'requestId', kept?.['requestId'])).toEqual(['webhook.stored', 'request.completed']);
  });

  test('tells what the worker found by the order’s number, also of a second card', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    await payByCard(shop, customer, CARDS.declined);
    await payByCard(shop, customer, CARDS.challenged);
    shop.simulator.control.fault('read-transaction', { kind: 'status', status: 401, body: {} });

    shop.clock.advance(30_000);
    await reconcile(shop.context.checkout);

    const { number } = await theOrder(shop);
    const failed = linesOf(shop).filter((line) => line['trigger'] === 'worker');
    expect(failed).toEqual([
      expect.objectContaining({ msg: 'lookup.failed', order: number, code: 'unauthorized' }),
    ]);
  });

  test('names one request in each of its lines, by an id of the shop’s own, which the answer tells', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);

    const answer = await payByCard(shop, customer);
    const line = await untilLogged(shop, '/checkout/card');

    const { number } = await theOrder(shop);
    expect(answer.headers['x-request-id']).toBe(line['requestId']);
    expect(line['order']).toBe(number);
    expect(trail(shop, 'requestId', line['requestId'])).toEqual([
      'order.placed',
      'attempt.changed',
      'order.changed',
      'attempt.changed',
      'order.changed',
      'request.completed',
    ]);
  });

  test('takes no id from outside', async () => {
    await using shop = await openTestShop();
    const given = 'b5a1c6de-0000-4000-8000-00000000feed';

    const answer = await supertest(shop.url).get('/').set('X-Request-Id', given);
    await untilLogged(shop, '/');

    expect(answer.headers['x-request-id']).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(answer.headers['x-request-id']).not.toBe(given);
    expect(shop.logged.join('')).not.toContain(given);
  });
});
