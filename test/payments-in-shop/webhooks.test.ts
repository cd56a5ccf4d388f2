import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { processInbox } from '@tianguis/payments/testing';
import { cartIdOf, HOUR, loseCardAnswer, MINUTE, orderStates, sessionLookups } from '../checkout/support.js';
import { until } from '../support/crowd.js';
import { Customer } from '../support/customer.js';
import { theOrder } from '../support/inspect.js';
import { CARDS, openHostedPage, openPaidPage, payByCard } from '../support/purchase.js';
import { impatient } from '../support/replica.js';
import { openSharedShop } from '../support/shared-shop.js';
import { openTestShop, WEBHOOK_TOKEN } from '../support/test-shop.js';
import { AUTHENTIC, paymentEvent, postWebhook, sessionCompleted, storedEvents } from '../support/webhooks.js';
import { requestFor, startCardPayment } from './support.js';

const shop = await openSharedShop();

/** Posts an event and processes the inbox. */
async function receive(body: string): Promise<void> {
  await postWebhook(shop, body);
  await processInbox(shop.checkout);
}

const eventStates = async () => (await storedEvents(shop)).map(({ state }) => state);

test('a webhook of the gateway verifies a paid order whose customer does not return', async () => {
  await using shop = await openTestShop({ webhooks: true });
  const { session } = await openHostedPage(shop);

  shop.control.paySession(session);
  await until(async () => (await storedEvents(shop)).some(({ event }) => event === 'session.completed'));
  // Another event of the same payment may arrive while this one is processed.
  await until(async () => {
    await processInbox(shop.checkout);
    return (await eventStates()).every((state) => state === 'done');
  });

  expect((await theOrder(shop)).state).toBe('paid');
});

test('a webhook that reports an unpaid session as completed causes one lookup and changes nothing', async () => {
  const { session } = await openHostedPage(shop);

  const answer = await postWebhook(shop, sessionCompleted(session));
  await processInbox(shop.checkout);

  expect(answer.status).toBe(200);
  expect((await theOrder(shop)).state).toBe('pending');
  expect(sessionLookups(shop)).toHaveLength(1);
});

const EVENT = sessionCompleted('cs_1');
const LARGE = JSON.stringify({ id: 'x'.repeat(5_000_000) });
const NO_OBJECTS = ['null', '[]', '{"id":', '{"id":"cs_1\u0000"}', '\u0000{"id":"cs_1"}'];
const BAD_CREDENTIALS = ['Bearer wrong', `Token ${WEBHOOK_TOKEN}`, ''];

test.each<[string, number, readonly Parameters<typeof postWebhook>[]]>([
  ['without a credential', 401, [[shop, EVENT, {}]]],
  ['with another credential', 401, BAD_CREDENTIALS.map((Authorization) => [shop, EVENT, { Authorization }])],
  ['that is no JSON object', 400, NO_OBJECTS.map((body) => [shop, body])],
  ['that is not UTF-8', 400, [[shop, Buffer.from([0x7b, 0xff, 0xfe, 0x7d])]]],
  ['of five megabytes', 413, [[shop, LARGE]]],
  ['that expands', 413, [[shop, gzipSync(LARGE), { ...AUTHENTIC, 'Content-Encoding': 'gzip' }]]],
])('a webhook %s is refused with %i and not stored', async (_what, status, requests) => {
  for (const request of requests) expect((await postWebhook(...request)).status).toBe(status);
  expect(await storedEvents(shop)).toHaveLength(0);
});

test('webhooks of unknown shape, deep nesting, prototype keys or wrong types are stored without effect', async () => {
  await openHostedPage(shop);
  const bodies = [
    '{"hello":{"world":1}}',
    `{"data":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    '{"__proto__":{"id":"x"},"constructor":{"prototype":{"polluted":1}}}',
    '{"id":{},"data":[],"metadata":"x","event_type":7,"client_reference":[1]}',
  ];

  for (const body of bodies) expect((await postWebhook(shop, body)).status).toBe(200);
  await processInbox(shop.checkout);

  expect((await theOrder(shop)).state).toBe('pending');
  // The only id in these events.
  expect(shop.control.calls().filter(({ method, path }) => method === 'GET' && !path.includes('/x'))).toEqual([]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('a webhook with an unknown id gets the answer of a known one, causes two lookups for each flow, and ends unmatched', async () => {
  const { session } = await openHostedPage(shop);

  const unknown = await postWebhook(shop, sessionCompleted('cs_1_2_ffffffffffff'));
  for (let hour = 0; hour < 6; hour += 1) {
    await processInbox(shop.checkout);
    shop.clock.advance(HOUR);
  }
  const lookups = shop.control.calls().filter(({ method }) => method === 'GET');
  const known = await postWebhook(shop, sessionCompleted(session));

  expect(lookups).toHaveLength(2 * shop.checkout.gateway.flows.length);
  expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
  expect(await eventStates()).toEqual(['unmatched', 'new']);
});

test('a webhook whose lookup fails is retried and verifies the order later', async () => {
  const { session } = await openPaidPage(shop);
  shop.control.fault('read-session', { kind: 'status', status: 404 });
  await receive(sessionCompleted(session));
  const meanwhile = (await theOrder(shop)).state;
  shop.control.clearFaults();
  shop.clock.advance(5_000);
  await processInbox(shop.checkout);

  expect(meanwhile).toBe('pending');
  expect((await theOrder(shop)).state).toBe('paid');
});

test('a webhook that cannot be stored is answered 503 with a retry time', async () => {
  const { schema } = shop.queries;
  await schema.alterTable('inbox').renameTo('inbox_gone').execute();

  const answer = await postWebhook(shop, sessionCompleted('cs_1'));
  await schema.alterTable('inbox_gone').renameTo('inbox').execute();

  expect(answer.status).toBe(503);
  expect(answer.headers['retry-after']).toBeDefined();
});

/** Charges a card in a process that dies before the answer. */
async function dieBeforeAnswer(): Promise<void> {
  const dying = impatient(shop, { 'process-payment': MINUTE });
  await Customer.withCart(shop);
  shop.control.fault('process', { kind: 'hang', apply: true }, 1);
  const request = requestFor(await cartIdOf(shop));
  startCardPayment(dying.checkout, request, shop.control.tokenizeCard(CARDS.authorized)).catch(() => {});
  await until(() => shop.control.payments().length === 1);
}

test('a webhook finds the card payment of a dead process after its lease, also when the gateway was down at that time', async () => {
  await dieBeforeAnswer();
  await postWebhook(shop, paymentEvent(shop));
  for (const seconds of [0, 3, 16]) {
    shop.clock.advance(seconds * 1_000);
    await processInbox(shop.checkout);
  }
  const waiting = await eventStates();
  shop.clock.advance(2 * MINUTE);
  shop.control.fault('read-transaction', { kind: 'status', status: 503 });
  await processInbox(shop.checkout);
  const meanwhile = (await theOrder(shop)).state;
  shop.control.clearFaults();
  shop.clock.advance(3_000);

  await processInbox(shop.checkout);

  expect([waiting, meanwhile]).toEqual([['new'], 'outcome_unknown']);
  expect((await theOrder(shop)).state).toBe('paid');
  expect(shop.control.ledger()).toHaveLength(1);
});

test('a webhook that names another payment does not verify a lost card payment', async () => {
  await loseCardAnswer(shop, 'after');
  const { number } = await theOrder(shop);
  await payByCard(shop, await Customer.withCart(shop));

  await receive(paymentEvent(shop, number));

  expect(await orderStates(shop)).toEqual(['outcome_unknown', 'paid']);
});
