import { describe, expect, test } from '@jest/globals';
import { errorName } from '../../src/domain/error-name.js';
import { Customer } from '../support/customer.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';
import { postWebhook } from '../support/webhooks.js';

const METRICS_TOKEN = 'metrics-token-of-this-test';
/** What both databases say of a table that is gone. */
const NO_SUCH_TABLE = /\w*[eE]rror:(?:SQLITE_ERROR|42P01)$/;

const page = (_shop: TestShop, customer: Customer) => customer.get('/');
const webhook = (shop: TestShop) => postWebhook(shop, '{"id":"cs_1"}');
const metrics = (_shop: TestShop, customer: Customer) =>
  customer.agent.get('/metrics').set({ Authorization: `Bearer ${METRICS_TOKEN}` });

describe('an error that is caught', () => {
  test.each([
    {
      what: 'the session of a page',
      table: 'sessions',
      event: 'session.read_failed',
      status: 200,
      ask: page,
    },
    {
      what: 'the number in the header',
      table: 'cart_lines',
      event: 'cart.count_failed',
      status: 200,
      ask: page,
    },
    { what: 'the metrics', table: 'outbox', event: 'metrics.read_failed', status: 200, ask: metrics },
    { what: 'a webhook', table: 'inbox', event: 'webhook.store_failed', status: 503, ask: webhook },
  ])('over $what is logged with its name and cause', async ({ table, event, status, ask }) => {
    await using shop = await openTestShop({ env: { METRICS_TOKEN } });
    const customer = await Customer.withCart(shop);
    const { schema } = shop.context.checkout.db.queries;
    await schema.alterTable(table).renameTo('elsewhere').execute();

    const answer = await ask(shop, customer);

    const line = shop.logged.find((logged) => logged.includes(`"${event}"`));
    expect(answer.status).toBe(status);
    expect(JSON.parse(line ?? '{}')).toMatchObject({ reason: expect.stringMatching(NO_SUCH_TABLE) });
  });

  test('is named with its causes and without messages', () => {
    const cause = Object.assign(new TypeError('secret'), { code: 'E1' });
    const looped = new Error('secret');
    looped.cause = looped;

    expect(errorName(new Error('secret', { cause }))).toBe('Error < TypeError:E1');
    expect(errorName(looped)).toBe('Error < Error < Error < Error');
    expect(errorName('secret')).toBe('unknown');
  });
});
