import { describe, expect, test } from '@jest/globals';
import { faultName } from '../../src/domain/fault-name.js';
import { Shopper } from '../support/shopper.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';
import { postWebhook } from '../support/webhooks.js';

const METRICS_TOKEN = 'metrics-token-of-this-test';
/** What both databases say of a table that is gone. */
const NO_SUCH_TABLE = /\w*[eE]rror:(?:SQLITE_ERROR|42P01)$/;

const page = (_shop: TestShop, shopper: Shopper) => shopper.get('/');
const webhook = (shop: TestShop) => postWebhook(shop, '{"id":"cs_1"}');
const metrics = (_shop: TestShop, shopper: Shopper) =>
  shopper.agent.get('/metrics').set({ Authorization: `Bearer ${METRICS_TOKEN}` });

describe('an error that is caught', () => {
  test.each([
    {
      what: 'the session of a page',
      table: 'sessions',
      event: 'session_unavailable',
      status: 200,
      ask: page,
    },
    {
      what: 'the number in the header',
      table: 'cart_lines',
      event: 'cart_not_counted',
      status: 200,
      ask: page,
    },
    { what: 'the metrics', table: 'outbox', event: 'figures_not_read', status: 200, ask: metrics },
    { what: 'a webhook', table: 'inbox', event: 'webhook_not_kept', status: 503, ask: webhook },
  ])('over $what is logged with its name and cause', async ({ table, event, status, ask }) => {
    await using shop = await openTestShop({ env: { METRICS_TOKEN } });
    const shopper = await Shopper.withCart(shop);
    const { schema } = shop.services.checkout.db.queries;
    await schema.alterTable(table).renameTo('elsewhere').execute();

    const answer = await ask(shop, shopper);

    const line = shop.logged.find((logged) => logged.includes(`"${event}"`));
    expect(answer.status).toBe(status);
    expect(JSON.parse(line ?? '{}')).toMatchObject({ reason: expect.stringMatching(NO_SUCH_TABLE) });
  });

  test('is named with its causes and without messages', () => {
    const cause = Object.assign(new TypeError('secret'), { code: 'E1' });
    const looped = new Error('secret');
    looped.cause = looped;

    expect(faultName(new Error('secret', { cause }))).toBe('Error < TypeError:E1');
    expect(faultName(looped)).toBe('Error < Error < Error < Error');
    expect(faultName('secret')).toBe('unknown');
  });
});
