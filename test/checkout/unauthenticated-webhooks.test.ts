import { describe, expect, test } from '@jest/globals';
import { processInbox } from '../../src/checkout/process-inbox.js';
import { theOrder } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';
import { postWebhook, sessionCompleted, storedEvents } from '../support/webhooks.js';

const NONE = { WEBHOOK_AUTH: 'none' };
/** Webhooks of one address within a minute. */
const LIMIT = 300;

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('with WEBHOOK_AUTH=none', () => {
  test.each([
    ['none', true],
    ['bearer:a-token-of-this-test', false],
  ])('a start with %s logs a warning: %s', async (auth, warns) => {
    await using shop = await openTestShop({ env: { WEBHOOK_AUTH: auth } });

    const warnings = shop.logged.filter((line) => line.includes('"webhook.authentication_disabled"'));

    expect(warnings).toHaveLength(warns ? 1 : 0);
  });

  test('a webhook settles its order, and only the order’s own reference is stored', async () => {
    await using shop = await openTestShop({ env: NONE });
    const { session } = await openHostedPage(shop);
    const { number } = await theOrder(shop);
    shop.simulator.control.paySession(session);
    const event = { event_type: 'paid by Eva', id: session, customer: { email: 'eva@example.com' } };

    const answer = await postWebhook(shop, JSON.stringify(event), {});
    const stored = await storedEvents(shop);
    await processInbox(shop.context.checkout);

    expect([answer.status, answer.text]).toEqual([200, 'kept']);
    expect(stored).toMatchObject([{ body: JSON.stringify({ external_id: number }), event: null }]);
    expect((await theOrder(shop)).state).toBe('paid');
  });

  test('many different webhooks store one row per order they name, and nothing for unknown ids', async () => {
    await using shop = await openTestShop({ env: NONE });
    const { session } = await openHostedPage(shop);
    const { number } = await theOrder(shop);

    const known = await Promise.all(
      numbers(20).map((index) =>
        postWebhook(shop, JSON.stringify({ id: session, order_id: number, external_id: `x${index}` }), {}),
      ),
    );
    const unknown = await Promise.all(
      numbers(20).map((index) => postWebhook(shop, sessionCompleted(`cs_unknown_${index}`), {})),
    );

    expect(await storedEvents(shop)).toMatchObject([{ copies: 20 }]);
    expect(new Set([...known, ...unknown].map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['200 kept']),
    );
  });

  test('an address that sends too many is answered 429, and another address is not', async () => {
    await using shop = await openTestShop({ env: { ...NONE, RATE_LIMIT: 'on', TRUST_PROXY: '1' } });
    const send = (address: string) => postWebhook(shop, '{"id":"cs_1"}', { 'X-Forwarded-For': address });

    const allowed = await Promise.all(numbers(LIMIT).map(() => send('203.0.113.1')));
    const refused = await send('203.0.113.1');
    const other = await send('203.0.113.2');

    expect(new Set(allowed.map(({ status }) => status))).toEqual(new Set([200]));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(other.status).toBe(200);
  });

  test('an authenticated gateway is not limited by its address', async () => {
    await using shop = await openTestShop({ env: { RATE_LIMIT: 'on' } });

    const answers = await Promise.all(numbers(LIMIT + 1).map(() => postWebhook(shop, '{"id":"cs_1"}')));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
