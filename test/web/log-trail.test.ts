import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import type { Fault } from '@tianguis/gateway-tools';
import { errorName } from '@tianguis/payments/rules';
import { processInbox, processOutbox } from '@tianguis/payments/testing';
import supertest from 'supertest';
import { until } from '../support/crowd.js';
import { Customer, contact } from '../support/customer.js';
import { allAttempts, allOrders, theOrder } from '../support/inspect.js';
import { CARDS, openHostedPage, openPageOf, payByCard } from '../support/purchase.js';
import { API_KEY, openTestShop, type TestShop } from '../support/test-shop.js';
import { AUTHENTIC, postWebhook } from '../support/webhooks.js';

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
  const find = () => linesOf(shop).find((line) => Object.entries(part).every(([key, value]) => line[key] === value));
  await until(() => find() !== undefined);
  return find() ?? {};
}

const completed = (route: string) => ({ msg: 'request.completed', route });

test.each([
  ['0', 1],
  ['1', 0],
])('with TRUST_PROXY=%s three requests with X-Forwarded-For log %i warnings', async (hops, warnings) => {
  await using shop = await openTestShop({ env: { TRUST_PROXY: hops } });
  const found = () => linesOf(shop).filter((line) => line['msg'] === 'proxy.header_ignored');

  await supertest(shop.url).get('/');
  expect(found()).toHaveLength(0);
  for (const path of ['/a', '/b', '/c']) await supertest(shop.url).get(path).set('X-Forwarded-For', '203.0.113.9');

  expect(found()).toHaveLength(warnings);
  expect(JSON.stringify(found())).not.toContain('203.0.113.9');
});

test.each(['/checkout/hosted', '/admin/sign-in', '/webhooks/payments'])(
  'a post to %s that its client aborts is logged once, with status 499 and without an error',
  async (path) => {
    await using shop = await openTestShop({ webhooks: true });
    const { hostname, port } = new URL(shop.url);
    const socket = connect(Number(port), hostname);
    const headers = [
      'Host: localhost',
      `Authorization: ${AUTHENTIC.Authorization}`,
      'Content-Length: 9',
      'Sec-Fetch-Mode: navigate',
    ];
    const type = path.startsWith('/webhooks') ? 'application/json' : 'application/x-www-form-urlencoded';
    socket.write([`POST ${path} HTTP/1.1`, ...headers, `Content-Type: ${type}`, '', 'a=1'].join('\r\n'));
    await until(() => shop.received.includes(`POST ${path}`));
    socket.destroy();

    const { status } = await untilLogged(shop, { msg: 'request.completed', method: 'POST' });

    expect(status).toBe(499);
    expect(linesOf(shop).filter(({ msg }) => msg === 'request.failed' || msg === 'webhook.rejected')).toEqual([]);
  },
);

test('a posted form that fails is logged with the status of the failure, and its page as opened', async () => {
  await using shop = await openTestShop();
  const customer = await Customer.withCart(shop);
  await shop.queries.schema.dropTable('typedForms').execute();

  const posted = await customer.agent
    .post('/checkout/hosted')
    .set('Sec-Fetch-Mode', 'navigate')
    .type('form')
    .redirects(0)
    .send({ email: 'x' });
  const page = await customer.get(posted.headers['location'] ?? '');

  expect([posted.status, page.status]).toEqual([303, 200]);
  expect(page.text).toContain('<code>');
  expect(await untilLogged(shop, completed('/checkout/hosted'))).toMatchObject({ status: 500 });
  expect(await untilLogged(shop, completed('/problem'))).toMatchObject({ status: 200 });
});

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
  const expected = ['order.placed', 'attempt.changed', 'webhook.processed', 'order.changed', 'job.completed'];
  expect(eventsWith(shop, 'order', number)).toEqual(expect.arrayContaining(expected));
  expect(seen['order']).toBe(number);
  const processed = { msg: 'webhook.processed', webhook: stored['webhook'] };
  expect(await untilLogged(shop, processed)).toMatchObject({ order: number, to: 'done' });
  expect(eventsWith(shop, 'requestId', stored['requestId'])).toEqual(['webhook.stored', 'request.completed']);
  expect(shop.logged.join('')).not.toContain(token);
});

test('an order that a changed cart replaces logs its end and that of its attempt', async () => {
  await using shop = await openTestShop();
  const { customer } = await openHostedPage(shop);
  const { number: order } = await theOrder(shop);

  await customer.add({ product_id: 'alebrije-jaguar' });
  await openPageOf(shop, customer);

  const ended = { order, trigger: 'checkout' };
  expect(linesOf(shop)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...ended, msg: 'attempt.changed', to: 'superseded' }),
      expect.objectContaining({ ...ended, msg: 'order.changed', to: 'cancelled' }),
    ]),
  );
});

test('the log has the id of the X-Request-Id answer header in each line of a request, and never an id from outside', async () => {
  await using shop = await openTestShop();
  const given = 'b5a1c6de-0000-4000-8000-00000000feed';
  const customer = await Customer.withCart(shop);
  customer.agent.set('X-Request-Id', given);

  const answer = await payByCard(shop, customer);
  const line = await untilLogged(shop, completed('/checkout/card'));

  expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  expect(answer.headers['x-request-id']).toBe(line['requestId']);
  expect(eventsWith(shop, 'requestId', line['requestId'])).toEqual([
    ...['order.placed', 'attempt.changed', 'order.changed', 'attempt.changed', 'order.changed'],
    'request.completed',
  ]);
  expect(shop.logged.join('')).not.toContain(given);
});

const NUMBER = '4111111111111111';
const EMAIL = 'canaria.plantada@example.com';
const person = { ...contact, first_name: 'Canaria', last_name: 'Plantada', email: EMAIL };
const CALLS = ['create-session', 'process', 'read-session', 'read-transaction'] as const;
const FAULTS: readonly Fault[] = [
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'status', status: 500, body: { error: { message: `${API_KEY} ${NUMBER} canaria.plantada` } } },
  { kind: 'status', status: 401, body: { error: { message: API_KEY } } },
  { kind: 'raw', body: `<h1>${API_KEY} ${NUMBER} ${EMAIL}</h1>`, contentType: 'text/html' },
  { kind: 'rewrite', set: { status: `${NUMBER} ${EMAIL}`, url: 'https://evil.example' } },
  { kind: 'redirect', location: `http://localhost:9/?key=${API_KEY}` },
];

test('after every fault of the gateway neither log nor page holds keys, tokens, cards, cookies, customers or order links', async () => {
  await using shop = await openTestShop();
  const { control } = shop.simulator;
  const cookies: string[] = [];
  const tokens: string[] = [];
  const pages: string[] = [];

  for (const fault of FAULTS) {
    for (const call of CALLS) control.fault(call, fault);
    const customer = new Customer(shop);
    const cart = await customer.post('/cart/items', { product_id: 'taza-talavera', quantity: '1' });
    const hosted = await customer.payHosted(person);
    const cardTokens = control.tokenizeCard(CARDS.paid);
    const card = await (await Customer.withCart(shop)).post('/checkout/card', { ...person, ...cardTokens });
    control.clearFaults();
    await customer.get(`/nothing?cvv=123&card=${NUMBER}`);
    await customer.payHosted({ ...person, note: NUMBER });
    pages.push(hosted.text, card.text);
    tokens.push(...Object.values(cardTokens));
    cookies.push(...[cart, hosted, card].flatMap(({ headers }) => headers['set-cookie'] ?? []));
  }
  const orders = await allOrders(shop);
  for (const { token } of orders) await new Customer(shop).get(`/checkout/return/${token}`);
  for (const { token } of orders) pages.push((await new Customer(shop).get(`/orders/${token}`)).text);

  const attempts = await allAttempts(shop);
  const signed = cookies.map((cookie) => decodeURIComponent(cookie.split(';')[0]?.split('=')[1] ?? ''));
  const secrets = [
    ...[API_KEY, NUMBER, 'canaria', 'Plantada', 'cvv=123', ...tokens],
    ...signed.map((cookie) => cookie.slice(2, 34)),
    ...orders.map(({ token }) => token),
    ...attempts.flatMap(({ redirectUrl }) => redirectUrl ?? []),
  ];
  const logged = shop.logged.join('');
  expect(orders).toHaveLength(2 * FAULTS.length);
  expect(signed.length).toBeGreaterThan(5);
  expect(secrets.filter((text) => logged.includes(text))).toEqual([]);
  for (const secret of [API_KEY, NUMBER, 'example.com</h1>', ...tokens]) expect(pages.join('')).not.toContain(secret);
  const lost = linesOf(shop).find(({ msg }) => msg === 'card_payment.outcome_lost');
  expect(orders.map(({ number }) => number)).toContain(lost?.['order']);
  for (const text of shop.logged) expect(text.trim().split('\n')).toHaveLength(1);
});

/** The error of either database for a table that is missing. */
const NO_SUCH_TABLE = /\w*[eE]rror:(?:SQLITE_ERROR|42P01)$/;

test('a failing read or write is logged with its error name, and pages are still served', async () => {
  await using shop = await openTestShop();
  const { schema } = shop.context.checkout.db.queries;
  const customer = await Customer.withCart(shop);
  const page = () => customer.get('/');
  const webhook = () => postWebhook(shop, '{"id":"cs_1"}');

  for (const [table, event, status, ask] of [
    ['cart_lines', 'cart.count_failed', 200, page],
    ['sessions', 'session.read_failed', 200, page],
    ['inbox', 'webhook.store_failed', 503, webhook],
  ] as const) {
    await schema.alterTable(table).renameTo(`${table}_elsewhere`).execute();

    const answer = await ask();

    const line = shop.logged.find((logged) => logged.includes(`"${event}"`));
    expect([event, answer.status]).toEqual([event, status]);
    expect(JSON.parse(line ?? '{}')).toMatchObject({ reason: expect.stringMatching(NO_SUCH_TABLE) });
  }
});

test('the logged name of an error holds its causes and codes, and no message', () => {
  const cause = Object.assign(new TypeError('secret'), { code: 'E1' });
  const looped = new Error('secret');
  looped.cause = looped;

  expect(errorName(new Error('secret', { cause }))).toBe('Error < TypeError:E1');
  expect(errorName(looped)).toBe('Error < Error < Error < Error');
  expect(errorName('secret')).toBe('unknown');
});
