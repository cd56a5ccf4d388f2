import { expect, test } from '@jest/globals';
import supertest from 'supertest';
import { processInbox } from '../../src/checkout/process-inbox.js';
import { processOutbox } from '../../src/checkout/process-outbox.js';
import { Customer } from '../support/customer.js';
import { theOrder, until } from '../support/inspect.js';
import { openHostedPage, payByCard } from '../support/purchase.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

type Line = Readonly<Record<string, unknown>>;

function linesOf(shop: TestShop): readonly Line[] {
  return shop.logged.map((line) => JSON.parse(line) as Line);
}

/** Returns the events that were logged with this value in this field, in order. */
function eventsWith(shop: TestShop, field: string, value: unknown): readonly unknown[] {
  return linesOf(shop).flatMap((line) => (line[field] === value ? [line['msg']] : []));
}

/** Waits for a log line, because a request is logged after its answer is sent. */
async function untilLogged(shop: TestShop, part: Line): Promise<Line> {
  const find = () =>
    linesOf(shop).find((line) => Object.entries(part).every(([key, value]) => line[key] === value));
  await until(() => find() !== undefined);
  return find() ?? {};
}

const completed = (route: string) => ({ msg: 'request.completed', route });

test.each([
  ['0', 1],
  ['1', 0],
])(
  'the log with TRUST_PROXY=%s, has %i warnings after three requests with X-Forwarded-For',
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

test('the log holds all events of an order under its number, and links a webhook event to its request and order', async () => {
  await using shop = await openTestShop({ webhooks: true });
  const { session, customer, orderPath } = await openHostedPage(shop);

  shop.simulator.control.paySession(session);
  const stored = await untilLogged(shop, { msg: 'webhook.stored', event: 'session.completed' });
  await untilLogged(shop, { ...completed('/webhooks/payments'), requestId: stored['requestId'] });
  await processInbox(shop.context.checkout);
  await processOutbox(shop.context.checkout);
  await customer.get(orderPath);
  const seen = await untilLogged(shop, completed('/orders/:token'));

  const { number, token } = await theOrder(shop);
  const events = eventsWith(shop, 'order', number);
  const expected = ['order.placed', 'attempt.changed', 'webhook.processed', 'order.changed', 'job.completed'];
  expect(events).toEqual(expect.arrayContaining([...expected, 'request.completed']));
  expect(events.indexOf('order.placed')).toBeLessThan(events.indexOf('order.changed'));
  expect(seen['order']).toBe(number);
  const processed = { msg: 'webhook.processed', webhook: stored['webhook'] };
  expect(await untilLogged(shop, processed)).toMatchObject({ order: number, to: 'done' });
  expect(eventsWith(shop, 'requestId', stored['requestId'])).toEqual(['webhook.stored', 'request.completed']);
  expect(orderPath).toContain(token);
  expect(shop.logged.join('')).not.toContain(token);
});

test('the log has the id of the X-Request-Id answer header in each line of a request, and never an id from outside', async () => {
  await using shop = await openTestShop();
  const given = 'b5a1c6de-0000-4000-8000-00000000feed';
  const customer = await Customer.withCart(shop);
  customer.agent.set('X-Request-Id', given);

  const answer = await payByCard(shop, customer);
  const line = await untilLogged(shop, completed('/checkout/card'));

  expect(answer.headers['x-request-id']).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
  expect(answer.headers['x-request-id']).toBe(line['requestId']);
  expect(line['order']).toBe((await theOrder(shop)).number);
  expect(eventsWith(shop, 'requestId', line['requestId'])).toEqual([
    ...['order.placed', 'attempt.changed', 'order.changed', 'attempt.changed', 'order.changed'],
    'request.completed',
  ]);
  expect(shop.logged.join('')).not.toContain(given);
});
