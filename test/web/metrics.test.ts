import { describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import supertest from 'supertest';
import { processInbox } from '../../src/checkout/process-inbox.js';
import { startWorker } from '../../src/checkout/run-worker.js';
import { Customer, contact } from '../support/customer.js';
import { allAttempts, allOrders, until } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../support/purchase.js';
import { API_KEY, openTestShop, type TestShop, WEBHOOK_TOKEN } from '../support/test-shop.js';

const TOKEN = 'metrics-token-of-this-shop';

async function scrape(shop: Pick<TestShop, 'url'>): Promise<string> {
  const answer = await supertest(shop.url).get('/metrics');
  expect(answer.status).toBe(200);
  return answer.text;
}

/** The value of a series, by its name and labels as they stand in the text. */
function readingOf(text: string, series: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return Number(line?.split(' ').at(-1));
}

/** Lets the figures of the database be read anew. */
async function freshScrape(shop: TestShop): Promise<string> {
  const fresh = await shop.openReplica();
  return fresh.web.metrics.read();
}

describe('who may read the metrics', () => {
  test('in development a program on this machine, and nobody whose request was passed on', async () => {
    await using shop = await openTestShop();
    const statusWith = async (headers: Record<string, string>) =>
      (await supertest(shop.url).get('/metrics').set(headers)).status;

    const direct = await supertest(shop.url).get('/metrics');

    expect([direct.status, direct.type]).toEqual([200, 'text/plain']);
    expect(direct.headers['cache-control']).toBe('no-store');
    expect(direct.headers['set-cookie']).toBeUndefined();
    expect(await statusWith({ 'X-Forwarded-For': '127.0.0.1' })).toBe(404);
    expect(await statusWith({ Forwarded: 'for=127.0.0.1' })).toBe(404);
    expect(await statusWith({ Via: '1.1 proxy' })).toBe(404);
  });

  test('with a token only who brings it, from wherever; to others the address is one of many that are not', async () => {
    await using shop = await openTestShop({ env: { METRICS_TOKEN: TOKEN } });
    const ask = (authorization?: string, path = '/metrics') => {
      const request = supertest(shop.url).get(path).set('X-Forwarded-For', '203.0.113.9');
      return authorization === undefined ? request : request.set('Authorization', authorization);
    };

    const read = await ask(`Bearer ${TOKEN}`);
    const refused = await Promise.all(
      [undefined, '', TOKEN, 'Bearer ', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`].map((given) =>
        ask(given),
      ),
    );
    const nowhere = await ask(undefined, '/metricz');

    expect([read.status, read.text]).toEqual([200, expect.stringContaining('tianguis_database_up 1')]);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404));
    const withoutPath = (html: string) => html.replaceAll(/metric[sz]/g, '');
    expect(withoutPath(refused[0]?.text ?? '')).toBe(withoutPath(nowhere.text));
    expect(
      await supertest(shop.url)
        .get('/metrics')
        .then(({ status }) => status),
    ).toBe(404);
  });

  test('in production without a token nobody', async () => {
    await using shop = await openTestShop();
    const { web } = await shop.openReplica();
    const { createApp } = await import('../../src/app.js');
    const app = createApp({ ...web, settings: { ...web.settings, production: true } });

    const answer = await supertest(app).get('/metrics');

    expect(answer.status).toBe(404);
  });
});

describe('the metrics', () => {
  test('tell a purchase: requests, calls, attempts, what moved the order, and where it stands', async () => {
    await using shop = await openTestShop();

    await payByCard(shop, await Customer.withCart(shop));
    const waiting = await openHostedPage(shop);
    const text = await scrape(shop);

    expect(waiting.session).not.toBe('');
    expect(readingOf(text, 'tianguis_orders{state="paid"}')).toBe(1);
    expect(readingOf(text, 'tianguis_orders{state="pending"}')).toBe(1);
    expect(readingOf(text, 'tianguis_order_transitions_total{to="paid",trigger="card_answer"}')).toBe(1);
    expect(readingOf(text, 'tianguis_attempts_total{flow="card",state="creating"}')).toBe(1);
    expect(readingOf(text, 'tianguis_attempts_total{flow="card",state="paid"}')).toBe(1);
    expect(readingOf(text, 'tianguis_attempts_total{flow="hosted",state="open"}')).toBe(1);
    expect(readingOf(text, 'tianguis_gateway_call_duration_seconds_count{call="process-payment"}')).toBe(1);
    expect(readingOf(text, 'tianguis_gateway_call_duration_seconds_count{call="create-session"}')).toBe(1);
    expect(readingOf(text, 'tianguis_outbox_jobs{job="receipt"}')).toBe(1);
    expect(
      readingOf(text, 'tianguis_http_request_duration_seconds_count{route="checkout",status="3xx"}'),
    ).toBe(2);
  });

  test('tell what goes wrong at the gateway, by call and code', async () => {
    await using shop = await openTestShop();
    const { session, orderPath, customer } = await openHostedPage(shop);
    shop.simulator.control.fault('read-session', { kind: 'status', status: 401, body: {} });
    shop.simulator.control.fault('process', { kind: 'drop', when: 'after' });

    shop.clock.advance(10_000);
    await customer.get(orderPath);
    await payByCard(shop, await Customer.withCart(shop));
    const text = await scrape(shop);

    expect(session).not.toBe('');
    expect(
      readingOf(text, 'tianguis_gateway_call_errors_total{call="read-session",code="unauthorized"}'),
    ).toBe(1);
    expect(
      readingOf(text, 'tianguis_gateway_call_errors_total{call="process-payment",code="connection_lost"}'),
    ).toBe(1);
    expect(readingOf(text, 'tianguis_attempts_total{flow="card",state="unknown"}')).toBe(1);
    expect(readingOf(text, 'tianguis_orders_in_review')).toBe(1);
  });

  test('tell how messages were answered, and what waits to be done and how long', async () => {
    await using shop = await openTestShop();
    const post = (body: string, token: string) =>
      supertest(shop.url).post('/webhooks/payments').set('Authorization', `Bearer ${token}`).send(body);

    await post('{"id":"x"}', WEBHOOK_TOKEN);
    await post('{"id":"x"}', 'of somebody else');
    await post('nothing', WEBHOOK_TOKEN);
    shop.clock.advance(90_000);
    const text = await scrape(shop);

    expect(readingOf(text, 'tianguis_webhooks_total{answer="kept"}')).toBe(1);
    expect(readingOf(text, 'tianguis_webhooks_total{answer="not_authentic"}')).toBe(1);
    expect(readingOf(text, 'tianguis_webhooks_total{answer="unreadable"}')).toBe(1);
    expect(readingOf(text, 'tianguis_work_overdue_seconds{queue="messages"}')).toBeGreaterThanOrEqual(90);
    await processInbox(shop.context.checkout);
    const after = await freshScrape(shop);
    expect(readingOf(after, 'tianguis_work_overdue_seconds{queue="messages"}')).toBe(0);
  });

  test('tell the turns of the worker, and its failures', async () => {
    await using shop = await openTestShop();
    const { queries } = shop.context.checkout.db;
    await using _worker = startWorker(shop.context.checkout);
    const turns = async (result: string) =>
      readingOf(await scrape(shop), `tianguis_worker_runs_total{result="${result}"}`);

    await until(async () => (await turns('done')) > 0);
    await queries.schema.alterTable('inbox').renameTo('inbox_elsewhere').execute();
    await until(async () => (await turns('failed')) > 0);

    expect(readingOf(await scrape(shop), 'tianguis_worker_lookup_budget{flow="card"}')).toBe(280);
  });

  test('count who tries too often by the limit that was passed', async () => {
    await using shop = await openTestShop({ env: { RATE_LIMIT: 'on' } });
    const customer = await Customer.withCart(shop);

    for (let tries = 0; tries < 21; tries += 1) await customer.payHosted({ ...contact, email: 'none' });

    expect(readingOf(await scrape(shop), 'tianguis_rate_limit_exceeded_total{limit="cart"}')).toBe(1);
  });

  test('of a shop without its database say so, and nothing that might be untrue', async () => {
    await using shop = await openTestShop();
    const { queries } = shop.context.checkout.db;
    await queries.schema.alterTable('outbox').renameTo('outbox_elsewhere').execute();

    const text = await scrape(shop);

    expect(readingOf(text, 'tianguis_database_up')).toBe(0);
    expect(text).not.toMatch(
      /^tianguis_(?:orders|oldest_order|orders_in_review|outbox\w*|work_overdue\w*)[{ ]/m,
    );
  });

  test('are of this shop alone, with others in the same process', async () => {
    await using shop = await openTestShop();
    await using other = await openTestShop();

    await payByCard(shop, await Customer.withCart(shop));

    const series = 'tianguis_attempts_total{flow="card",state="paid"}';
    expect([readingOf(await scrape(shop), series), readingOf(await scrape(other), series)]).toEqual([1, 0]);
  });

  test('ask the database once in a while, however many scrape', async () => {
    await using shop = await openTestShop();
    await scrape(shop);
    const { queries } = shop.context.checkout.db;
    await sql`update orders set state = state`.execute(queries);

    await openHostedPage(shop);
    const texts = await Promise.all(Array.from({ length: 20 }, () => scrape(shop)));

    expect(texts.map((text) => readingOf(text, 'tianguis_orders{state="pending"}'))).toEqual(
      texts.map(() => 0),
    );
    expect(readingOf(await freshScrape(shop), 'tianguis_orders{state="pending"}')).toBe(1);
  });
});

describe('no label', () => {
  test('comes from outside: addresses that are not, methods and hosts make no series', async () => {
    await using shop = await openTestShop();
    const series = (text: string) => text.split('\n').filter((line) => line.startsWith('tianguis_')).length;
    const knock = async (name: string) => {
      await supertest(shop.url).get(`/${name}`);
      await supertest(shop.url).get(`/products/${name}`);
      await supertest(shop.url).get(`/orders/${name.padEnd(32, 'a')}`);
      await supertest(shop.url).post(`/${name}`).set('Host', name);
      await supertest(shop.url).delete('/');
    };
    await knock('first');
    await scrape(shop);
    const before = series(await scrape(shop));

    for (let name = 0; name < 20; name += 1) await knock(`stranger-${name}`);
    const after = await scrape(shop);

    expect(series(after)).toBe(before);
    expect(after).not.toContain('stranger');
  });

  test('holds a key, a token, a number, a name or an address of anybody', async () => {
    await using shop = await openTestShop({ webhooks: true });
    const { control } = shop.simulator;
    const customer = await Customer.withCart(shop);
    await payByCard(shop, customer, CARDS.declined);
    control.fault('create-session', {
      kind: 'status',
      status: 500,
      body: { error: { message: contact.email } },
    });
    await (await Customer.withCart(shop)).payHosted();
    control.clearFaults();
    await openHostedPage(shop);
    await processInbox(shop.context.checkout);

    const text = await scrape(shop);
    const orders = await allOrders(shop);
    const attempts = await allAttempts(shop);
    const secrets = [
      API_KEY,
      WEBHOOK_TOKEN,
      contact.email,
      contact.first_name,
      CARDS.declined,
      ...orders.flatMap(({ token, number, id }) => [token, number, id]),
      ...attempts.flatMap(({ id, gatewayId, redirectUrl }) => [id, gatewayId, redirectUrl]),
    ].filter((secret) => secret !== null);

    expect(secrets.length).toBeGreaterThan(12);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    expect(text).not.toContain('@');
  });
});
