import { expect, test } from '@jest/globals';
import { errorName } from '../../src/domain/error-name.js';
import { Customer } from '../support/customer.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';
import { postWebhook } from '../support/webhooks.js';

const METRICS_TOKEN = 'metrics-token-of-this-test';
/** The error of either database for a table that is missing. */
const NO_SUCH_TABLE = /\w*[eE]rror:(?:SQLITE_ERROR|42P01)$/;

const page = (_shop: TestShop, customer: Customer) => customer.get('/');
const webhook = (shop: TestShop) => postWebhook(shop, '{"id":"cs_1"}');
const metrics = (_shop: TestShop, customer: Customer) =>
  customer.agent.get('/metrics').set({ Authorization: `Bearer ${METRICS_TOKEN}` });

test('a failing read or write is logged with its error name, and pages and metrics are still served', async () => {
  await using shop = await openTestShop({ env: { METRICS_TOKEN } });
  const { schema } = shop.context.checkout.db.queries;
  const customer = await Customer.withCart(shop);

  for (const [table, event, status, ask] of [
    ['cart_lines', 'cart.count_failed', 200, page],
    ['sessions', 'session.read_failed', 200, page],
    ['outbox', 'metrics.read_failed', 200, metrics],
    ['inbox', 'webhook.store_failed', 503, webhook],
  ] as const) {
    await schema.alterTable(table).renameTo(`${table}_elsewhere`).execute();

    const answer = await ask(shop, customer);

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
