import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { processInbox } from '@tianguis/payments/testing';
import { HOUR, sessionLookups } from '../checkout/support.js';
import { numbers, until } from '../support/crowd.js';
import { orderOfSession, theOrder } from '../support/inspect.js';
import { openHostedPage, openPaidPage } from '../support/purchase.js';
import { impatient } from '../support/replica.js';
import { openSharedShop } from '../support/shared-shop.js';
import { openTestShop } from '../support/test-shop.js';
import { postWebhook, sessionCompleted, storedEvents } from '../support/webhooks.js';

const shop = await openSharedShop();

const NUL = '\u0000';
/** More than ten batches of the inbox. */
const OLDER_EVENTS = 220;

async function processAll(): Promise<void> {
  while ((await processInbox(shop.checkout)) > 0);
}

/** Processes the inbox until no retry is left. */
async function processRetries(): Promise<void> {
  for (let round = 0; round < 6; round += 1) {
    shop.clock.advance(HOUR);
    await processAll();
  }
}

const logged = (event: string) =>
  shop.logged.filter((line) => line.includes(`"${event}"`)).map((line) => JSON.parse(line));

/** Stores older events without the checks of the webhook route. */
async function storeOlderEvents(): Promise<void> {
  const at = shop.clock.now() - HOUR;
  const rows = numbers(OLDER_EVENTS).map((index) => {
    const body = JSON.stringify({ id: `cs_${index}${NUL}` });
    const hash = createHash('sha256').update(body).digest('hex');
    const state = 'new' as const;
    return { hash, body, event: null, state, tries: 0, copies: 1, receivedAt: at, nextAt: at, doneAt: null };
  });
  await shop.queries.insertInto('inbox').values(rows).execute();
}

/** Pays an order whose settlement fails in the database at each try. */
async function payUnsettleableOrder(): Promise<string> {
  const { session, orderId } = await openPaidPage(shop);
  const { host } = shop.checkout;
  const fault = Object.assign(new Error('serialization'), { code: '40001' });
  const applyChange: typeof host.applyChange = (tx, change) =>
    change.after.id === orderId ? Promise.reject(fault) : host.applyChange(tx, change);
  Object.assign(shop.checkout, { host: { ...host, applyChange } });
  return session;
}

test('webhook events with control characters in any member are stored, answered 200 and finished', async () => {
  const events = [
    { data: { id: `cs_1${NUL}` } },
    { session_id: `cs_1${NUL}` },
    { client_reference: `TG-1${NUL}` },
    { data: { metadata: { order_id: `\u001f${NUL}` } } },
    { event_type: `payment${NUL}`, id: 'cs_1' },
    { [`a${NUL}`]: NUL, id: 'cs_1' },
  ];

  for (const event of events) expect((await postWebhook(shop, JSON.stringify(event))).status).toBe(200);
  await processAll();
  await processRetries();

  expect((await storedEvents(shop)).map(({ state }) => state)).toEqual(events.map(() => 'unmatched'));
  expect(logged('webhook.unmatched')).toHaveLength(events.length);
});

test('a webhook event is verified in the same pass as 220 older events with a NUL in their ids', async () => {
  const { session } = await openPaidPage(shop);
  await storeOlderEvents();
  await postWebhook(shop, sessionCompleted(session));

  await processAll();

  expect((await orderOfSession(shop, session)).state).toBe('paid');
  const states = (await storedEvents(shop)).map(({ state }) => state);
  expect(states.filter((state) => state === 'unmatched')).toHaveLength(OLDER_EVENTS);
  expect(states.at(-1)).toBe('done');
});

test('an event whose settlement throws is retried and ends as failed, and the events beside it are settled', async () => {
  const failing = await payUnsettleableOrder();
  const { session } = await openPaidPage(shop);
  await postWebhook(shop, sessionCompleted(failing));
  await postWebhook(shop, sessionCompleted(session));

  await processAll();
  const first = await storedEvents(shop);
  await processRetries();

  expect((await orderOfSession(shop, session)).state).toBe('paid');
  expect(first).toMatchObject([
    { state: 'new', tries: 1 },
    { state: 'done', tries: 1 },
  ]);
  expect(await storedEvents(shop)).toMatchObject([{ state: 'failed', tries: 5 }, { state: 'done' }]);
  expect(logged('webhook.try_failed')).toMatchObject(
    [1, 2, 3, 4, 5].map((count) => ({ count, reason: expect.stringMatching(/error/i) })),
  );
  expect(logged('webhook.failed')).toHaveLength(1);
});

test('an event that exceeds its deadline is retried, and the events beside it are settled', async () => {
  await using slow = impatient(shop, { 'read-session': 1_000, 'read-transaction': 1_000 });
  const hanging = await openHostedPage(shop);
  const { session } = await openPaidPage(shop);
  shop.control.fault('read-session', { kind: 'hang' }, 1);
  await postWebhook(shop, sessionCompleted(hanging.session));
  const processing = processInbox(slow.checkout, { eventDeadlineMs: 300 });
  await until(() => sessionLookups(shop).length === 1);
  await postWebhook(shop, sessionCompleted(session));

  await processInbox(shop.checkout);
  const meanwhile = (await orderOfSession(shop, session)).state;
  await processing;
  const events = await storedEvents(shop);
  // The lookup continues until its own deadline.
  await until(() => logged('lookup.failed').length > 0);

  expect(meanwhile).toBe('paid');
  expect(events).toMatchObject([{ state: 'new', tries: 1 }, { state: 'done' }]);
  expect(shop.logged.some((line) => line.includes('TimeoutError'))).toBe(true);
});

test('a webhook that names a hosted attempt still being created waits until the attempt is stored', async () => {
  shop.control.fault('create-session', { kind: 'hold' }, 1);
  const opening = openHostedPage(shop);
  await until(() => shop.control.sessions().length === 1);
  const { number: external_id } = await theOrder(shop);
  const [{ id } = { id: '' }] = shop.control.sessions();
  shop.control.paySession(id);
  await postWebhook(shop, JSON.stringify({ data: { id, external_id } }));

  await processAll();
  const waiting = await storedEvents(shop);
  shop.control.release();
  await opening;
  shop.clock.advance(2_001);
  await processAll();

  expect(waiting).toMatchObject([{ state: 'new', tries: 0 }]);
  expect((await theOrder(shop)).state).toBe('paid');
  expect(await storedEvents(shop)).toMatchObject([{ state: 'done' }]);
});

test('an authenticated webhook without content is answered 200 and not stored', async () => {
  for (const body of [undefined as unknown as string, '', ' \r\n']) {
    expect((await postWebhook(shop, body)).status).toBe(200);
    expect((await postWebhook(shop, body, {})).status).toBe(401);
  }

  expect(await storedEvents(shop)).toHaveLength(0);
});

const NONE = { WEBHOOK_AUTH: 'none' };
/** Webhooks of one address within a minute. */
const LIMIT = 300;

test('an unauthenticated webhook verifies its order, only the order’s own reference is stored, and the start logs a warning', async () => {
  await using shop = await openTestShop({ env: NONE });
  const warnings = shop.logged.filter((line) => line.includes('"webhook.authentication_disabled"'));
  const { session } = await openPaidPage(shop);
  const { number } = await theOrder(shop);
  const event = { event_type: 'paid by Eva', id: session, customer: { email: 'eva@example.com' } };

  const answer = await postWebhook(shop, JSON.stringify(event), {});
  const stored = await storedEvents(shop);
  await processInbox(shop.checkout);

  expect(warnings).toHaveLength(1);
  expect([answer.status, answer.text]).toEqual([200, 'stored']);
  expect(stored).toMatchObject([{ body: JSON.stringify(number), event: null }]);
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
