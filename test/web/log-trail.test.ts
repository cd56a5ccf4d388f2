import { describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { processInbox } from '../../src/checkout/process-inbox.js';
import { processOutbox } from '../../src/checkout/process-outbox.js';
import { reconcile } from '../../src/checkout/reconcile.js';
import { theOrder, until } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../support/purchase.js';
import { Shopper } from '../support/shopper.js';
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
  const find = () => linesOf(shop).find((line) => line['msg'] === 'request' && line['route'] === route);
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

      const found = () => linesOf(shop).filter((line) => line['msg'] === 'forwarded_for_ignored');

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
    const { session, shopper, orderPath } = await openHostedPage(shop);

    shop.simulator.control.paySession(session);
    await until(() => linesOf(shop).some((line) => line['kind'] === 'session.completed'));
    await processInbox(shop.services.checkout);
    await processOutbox(shop.services.checkout);
    await shopper.get(orderPath);
    const seen = await untilLogged(shop, '/orders/:token');
    const order = await theOrder(shop);

    const events = trail(shop, 'order', order.number);
    expect(events).toEqual(
      expect.arrayContaining([
        'order_placed',
        'attempt_moved',
        'webhook_read',
        'order_moved',
        'effect_done',
        'request',
      ]),
    );
    expect(seen['order']).toBe(order.number);
    expect(events.indexOf('order_placed')).toBeLessThan(events.indexOf('order_moved'));
    const token = orderPath.split('/').at(-1) ?? '';
    expect(token).toBe(order.token);
    expect(shop.logged.join('')).not.toContain(token);
  });

  test('leads from a message that was kept to the order that it moved', async () => {
    await using shop = await openTestShop({ webhooks: true });
    const { session } = await openHostedPage(shop);

    shop.simulator.control.paySession(session);
    const isKept = (line: Line) => line['msg'] === 'webhook_kept' && line['kind'] === 'session.completed';
    await until(() => linesOf(shop).some(isKept));
    const kept = linesOf(shop).find(isKept);
    await processInbox(shop.services.checkout);
    await untilLogged(shop, '/webhooks/payments');

    const { number } = await theOrder(shop);
    const read = linesOf(shop).find(
      (line) => line['msg'] === 'webhook_read' && line['message'] === kept?.['message'],
    );
    expect(read).toMatchObject({ order: number, to: 'done' });
    expect(trail(shop, 'requestId', kept?.['requestId'])).toEqual(['webhook_kept', 'request']);
  });

  test('tells what the worker found by the order’s number, also of a second card', async () => {
    await using shop = await openTestShop();
    const shopper = await Shopper.withCart(shop);
    await payByCard(shop, shopper, CARDS.declined);
    await payByCard(shop, shopper, CARDS.challenged);
    shop.simulator.control.fault('read-transaction', { kind: 'status', status: 401, body: {} });

    shop.clock.advance(30_000);
    await reconcile(shop.services.checkout);

    const { number } = await theOrder(shop);
    const failed = linesOf(shop).filter((line) => line['trigger'] === 'worker');
    expect(failed).toEqual([
      expect.objectContaining({ msg: 'lookup_failed', order: number, code: 'unauthorized' }),
    ]);
  });

  test('names one request in each of its lines, by an id of the shop’s own, which the answer tells', async () => {
    await using shop = await openTestShop();
    const shopper = await Shopper.withCart(shop);

    const answer = await payByCard(shop, shopper);
    const line = await untilLogged(shop, '/checkout/card');

    const { number } = await theOrder(shop);
    expect(answer.headers['x-request-id']).toBe(line['requestId']);
    expect(line['order']).toBe(number);
    expect(trail(shop, 'requestId', line['requestId'])).toEqual([
      'order_placed',
      'attempt_moved',
      'order_moved',
      'attempt_moved',
      'order_moved',
      'request',
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
