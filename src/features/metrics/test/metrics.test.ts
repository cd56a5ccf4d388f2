import { expect, test } from '@jest/globals';
import { processInbox } from '@tianguis/payments/testing';
import supertest from 'supertest';
import { until } from '../../../../test/support/crowd.js';
import { Customer, contact } from '../../../../test/support/customer.js';
import { allAttempts, allOrders } from '../../../../test/support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../../../../test/support/purchase.js';
import { levelsOfRequests } from '../../../../test/support/request-levels.js';
import { API_KEY, openTestShop, type TestShop, WEBHOOK_TOKEN } from '../../../../test/support/test-shop.js';
import { postWebhook } from '../../../../test/support/webhooks.js';
import { createApp } from '../../../app.js';

const TOKEN = 'metrics-token-of-this-shop';

async function scrape(shop: Pick<TestShop, 'url'>): Promise<string> {
  const answer = await supertest(shop.url).get('/metrics');
  expect(answer.status).toBe(200);
  return answer.text;
}

/** Returns the value of a series, named with its labels and without the prefix `tianguis_`. */
function figureOf(text: string, name: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`tianguis_${name} `));
  return Number(line?.split(' ').at(-1));
}

function expectSeries(text: string, expected: Readonly<Record<string, number>>): void {
  const found = Object.keys(expected).map((name) => [name, figureOf(text, name)]);
  expect(Object.fromEntries(found)).toEqual(expected);
}

/** Scrapes a second process, whose cached database figures are fresh. */
async function scrapeFresh(shop: TestShop): Promise<string> {
  const replica = await shop.openReplica();
  return (await supertest(createApp(replica.web)).get('/metrics')).text;
}

test('access to the metrics without a token is open to this machine in development, closed through a proxy and in production', async () => {
  await using shop = await openTestShop();
  const { web } = shop.context;
  const production = createApp({ ...web, config: { ...web.config, production: true } });
  const proxied = [{ 'X-Forwarded-For': '127.0.0.1' }, { Forwarded: 'for=127.0.0.1' }, { Via: '1.1 proxy' }];

  const direct = await supertest(shop.url).get('/metrics');
  const refused = await Promise.all([
    ...proxied.map((headers) => supertest(shop.url).get('/metrics').set(headers)),
    supertest(production).get('/metrics'),
  ]);

  expect([direct.status, direct.type]).toEqual([200, 'text/plain']);
  expect(direct.headers['cache-control']).toBe('no-store');
  expect(direct.headers['set-cookie']).toBeUndefined();
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});

test('access to the metrics with a token needs it from any address, and a wrong token gets the page of an unknown address', async () => {
  await using shop = await openTestShop({ env: { METRICS_TOKEN: TOKEN } });
  const ask = (path: string, authorization?: string) => {
    const request = supertest(shop.url).get(path).set('X-Forwarded-For', '203.0.113.9');
    return authorization === undefined ? request : request.set('Authorization', authorization);
  };

  const read = await ask('/metrics', `bearer ${TOKEN}`);
  const wrong = [undefined, '', TOKEN, 'Bearer ', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`];
  const refused = await Promise.all(wrong.map((given) => ask('/metrics', given)));
  const unknown = await ask('/metricz');

  expect([read.status, read.text]).toEqual([200, expect.stringContaining('tianguis_database_up 1')]);
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404));
  const withoutPath = (html: string) => html.replaceAll(/metric[sz]/g, '');
  expect(withoutPath(refused[0]?.text ?? '')).toBe(withoutPath(unknown.text));
});

test('reading the metrics is logged at debug, and a refusal at info', async () => {
  await using shop = await openTestShop();
  const { web } = shop.context;
  const production = { ...web, config: { ...web.config, production: true } };

  expect(await levelsOfRequests(web, '/metrics')).toEqual(['debug']);
  expect(await levelsOfRequests(production, '/metrics')).toEqual(['info']);
});

test('the metrics count requests, calls and transitions of a purchase, and count errors of the gateway by call and code, orders in review and exceeded limits', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'on' } });
  const { control } = shop.simulator;
  await payByCard(shop, await Customer.withCart(shop));
  const { orderPath, customer } = await openHostedPage(shop);
  const purchases = await scrape(shop);
  control.fault('read-session', { kind: 'status', status: 401, body: {} });
  control.fault('process', { kind: 'drop', when: 'after' });
  shop.clock.advance(10_000);
  await customer.get(orderPath);
  await payByCard(shop, await Customer.withCart(shop));
  const insistent = await Customer.withCart(shop);
  for (let tries = 0; tries < 21; tries += 1) await insistent.payHosted({ ...contact, email: 'none' });

  expectSeries(purchases, {
    'orders{state="paid"}': 1,
    'orders{state="pending"}': 1,
    'order_transitions_total{to="paid",trigger="card_answer"}': 1,
    'attempts_total{flow="card",state="creating"}': 1,
    'attempts_total{flow="card",state="paid"}': 1,
    'attempts_total{flow="hosted",state="open"}': 1,
    'gateway_call_duration_seconds_count{call="process-payment"}': 1,
    'gateway_call_duration_seconds_count{call="create-session"}': 1,
    'outbox_jobs{job="receipt"}': 1,
    'http_request_duration_seconds_count{route="checkout",status="3xx"}': 2,
  });
  const inReview = await scrapeFresh(shop);
  expectSeries(inReview, { orders_in_review: 1 });
  expect(figureOf(inReview, 'oldest_review_age_seconds')).toBeGreaterThan(0);
  expectSeries(await scrape(shop), {
    'gateway_call_errors_total{call="read-session",code="unauthorized"}': 1,
    'gateway_call_errors_total{call="process-payment",code="connection_lost"}': 1,
    'attempts_total{flow="card",state="unknown"}': 1,
    'rate_limit_exceeded_total{limit="cart"}': 1,
  });
});

test('the metrics count webhooks by answer, and show how long webhook events wait', async () => {
  await using shop = await openTestShop();
  const overdue = 'work_overdue_seconds{queue="webhooks"}';
  await postWebhook(shop, '{"id":"x"}');
  await postWebhook(shop, '{"id":"x"}', { Authorization: 'Bearer wrong' });
  await postWebhook(shop, 'nothing');
  shop.clock.advance(90_000);

  const text = await scrape(shop);
  await processInbox(shop.context.checkout);

  const answers = ['stored', 'not_authentic', 'unreadable'];
  expectSeries(text, Object.fromEntries(answers.map((answer) => [`webhooks_total{answer="${answer}"}`, 1])));
  expect(figureOf(text, overdue)).toBeGreaterThanOrEqual(90);
  const afterwards = await scrapeFresh(shop);
  expectSeries(afterwards, { [overdue]: 0, 'oldest_webhook_age_seconds{state="failed"}': 0 });
  expect(figureOf(afterwards, 'oldest_webhook_age_seconds{state="new"}')).toBeGreaterThanOrEqual(90);
});

test('a shop without a table is live, and its metrics report and log that without figures of the database', async () => {
  await using shop = await openTestShop();
  const { schema } = shop.context.checkout.db.queries;
  for (const table of ['outbox', 'carts']) await schema.alterTable(table).renameTo(`${table}_elsewhere`).execute();

  const live = await supertest(shop.url).get('/healthz');
  const ready = await supertest(shop.url).get('/readyz');
  const text = await scrape(shop);

  expect([live.status, ready.status, ready.text]).toEqual([200, 503, 'not ok']);
  expectSeries(text, { database_up: 0 });
  const logged = shop.logged.find((line) => line.includes('"metrics.read_failed"'));
  expect(JSON.parse(logged ?? '{}')).toMatchObject({ reason: expect.stringMatching(/error:(?:SQLITE_ERROR|42P01)$/i) });
  expect(text).not.toMatch(/^tianguis_(?:orders|oldest_\w+|orders_in_review|outbox\w*|work_overdue\w*)[{ ]/m);
});

test('no label of a metric comes from a path, method or host of a request, or holds a key, a token, a number, a name or an address', async () => {
  await using shop = await openTestShop({ webhooks: true });
  const { control } = shop.simulator;
  const request = supertest(shop.url);
  const countSeries = (text: string) => text.match(/^tianguis_/gm)?.length;
  const ask = async (name: string) => {
    await request.get(`/${name}`);
    await request.get(`/products/${name}`);
    await request.get(`/orders/${name.padEnd(32, 'a')}`);
    await request.post(`/${name}`).set('Host', name);
    await request.delete('/');
  };
  await payByCard(shop, await Customer.withCart(shop), CARDS.declined);
  const body = { error: { message: contact.email } };
  control.fault('create-session', { kind: 'status', status: 500, body });
  await (await Customer.withCart(shop)).payHosted();
  control.clearFaults();
  await openHostedPage(shop);
  const deliveries = () => control.deliveries().map(({ state }) => state);
  await until(() => deliveries().length > 0 && deliveries().every((state) => state === 'delivered'));
  await processInbox(shop.context.checkout);
  await ask('first');
  await scrape(shop);
  const before = countSeries(await scrape(shop));

  for (const nth of [1, 2, 3]) await ask(`stranger-${nth}`);
  const text = await scrape(shop);

  const orders = await allOrders(shop);
  const attempts = await allAttempts(shop);
  const secrets = [
    ...[API_KEY, WEBHOOK_TOKEN, contact.email, contact.first_name, CARDS.declined, '@', 'stranger'],
    ...orders.flatMap(({ token, number, id }) => [token, number, id]),
    ...attempts.flatMap(({ id, gatewayId, redirectUrl }) => [id, gatewayId, redirectUrl]),
  ].filter((secret) => secret !== null);
  expect(countSeries(text)).toBe(before);
  expect(secrets.length).toBeGreaterThan(12);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

test('a decline with HTTP 402 is counted once, and not as an error of the gateway', async () => {
  await using shop = await openTestShop();
  const body = { error: { code: 'card_declined' } };
  shop.control.fault('process', { kind: 'status', status: 402, body }, 1);

  await payByCard(shop, await Customer.withCart(shop));

  const metrics = await scrape(shop);
  expect(metrics).toContain('tianguis_attempts_total{flow="card",state="declined"} 1\n');
  expect(metrics).toContain('tianguis_order_transitions_total{to="declined",trigger="card_answer"} 1\n');
  expect(metrics).toContain('tianguis_gateway_call_errors_total{call="process-payment",code="refused"} 0\n');
});
