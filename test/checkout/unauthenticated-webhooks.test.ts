import { expect, test } from '@jest/globals';
import { processInbox } from '../../src/checkout/process-inbox.js';
import { numbers } from '../support/crowd.js';
import { theOrder } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';
import { postWebhook, sessionCompleted, storedEvents } from '../support/webhooks.js';

const NONE = { WEBHOOK_AUTH: 'none' };
/** Webhooks of one address within a minute. */
const LIMIT = 300;

test.each([
  ['none', 1],
  ['bearer:a-token-of-this-test', 0],
])('a start with WEBHOOK_AUTH=%s logs %i warnings about it', async (auth, count) => {
  await using shop = await openTestShop({ env: { WEBHOOK_AUTH: auth } });

  const warnings = shop.logged.filter((line) => line.includes('"webhook.authentication_disabled"'));

  expect(warnings).toHaveLength(count);
});

test('an unauthenticated webhook settles its order, and only the order’s own reference is stored', async () => {
  await using shop = await openTestShop({ env: NONE });
  const { session } = await openHostedPage(shop);
  const { number } = await theOrder(shop);
  shop.simulator.control.paySession(session);
  const event = { event_type: 'paid by Eva', id: session, customer: { email: 'eva@example.com' } };

  const answer = await postWebhook(shop, JSON.stringify(event), {});
  const stored = await storedEvents(shop);
  await processInbox(shop.context.checkout);

  expect([answer.status, answer.text]).toEqual([200, 'stored']);
  expect(stored).toMatchObject([{ body: JSON.stringify({ external_id: number }), event: null }]);
  expect((await theOrder(shop)).state).toBe('paid');
});

test('unauthenticated webhooks are stored as one row per order, and get the same answer for unknown ids', async () => {
  await using shop = await openTestShop({ env: NONE });
  const { session } = await openHostedPage(shop);
  const { number } = await theOrder(shop);

  const bodies = numbers(20).flatMap((index) => [
    JSON.stringify({ id: session, order_id: number, external_id: `x${index}` }),
    sessionCompleted(`cs_unknown_${index}`),
  ]);
  const answers = await Promise.all(bodies.map((body) => postWebhook(shop, body, {})));

  expect(await storedEvents(shop)).toMatchObject([{ copies: 20 }]);
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 stored']));
});

test('an address that sends more than 300 unauthenticated webhooks a minute gets 429, and another gets 200', async () => {
  await using shop = await openTestShop({ env: { ...NONE, RATE_LIMIT: 'on', TRUST_PROXY: '1' } });
  const send = (address: string) => postWebhook(shop, '{"id":"cs_1"}', { 'X-Forwarded-For': address });

  const allowed = await Promise.all(numbers(LIMIT).map(() => send('203.0.113.1')));
  const refused = await send('203.0.113.1');
  const other = await send('203.0.113.2');

  expect(new Set(allowed.map(({ status }) => status))).toEqual(new Set([200]));
  expect([refused.status, other.status]).toEqual([429, 200]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});
