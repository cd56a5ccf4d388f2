import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startCardPayment } from '../../src/checkout/card/routes.js';
import { processInbox } from '../../src/checkout/process-inbox.js';
import { Customer } from '../support/customer.js';
import { allFulfillments, allOrders, theOrder, until } from '../support/inspect.js';
import { CARDS, openHostedPage, openPaidPage, payByCard, requestFor } from '../support/purchase.js';
import { impatient } from '../support/replica.js';
import { openSharedShop } from '../support/shared-shop.js';
import { openTestShop, WEBHOOK_TOKEN } from '../support/test-shop.js';
import { AUTHENTIC, postWebhook, sessionCompleted, storedEvents } from '../support/webhooks.js';
import { cartIdOf, HOUR, MINUTE, sentPayments, sessionLookups } from './support.js';

const shop = await openSharedShop();

const eventStates = async () => (await storedEvents(shop)).map(({ state }) => state);

test('a webhook of the gateway settles a paid order whose customer does not return', async () => {
  await using shop = await openTestShop({ webhooks: true });
  const { session } = await openHostedPage(shop);

  shop.simulator.control.paySession(session);
  await until(async () => (await storedEvents(shop)).some(({ event }) => event === 'session.completed'));
  // Another event of the same payment may arrive while this one is processed.
  await until(async () => {
    await processInbox(shop.context.checkout);
    return (await eventStates()).every((state) => state === 'done');
  });

  expect((await theOrder(shop)).state).toBe('paid');
});

test('a webhook that reports an unpaid session as completed causes one lookup and changes nothing', async () => {
  const { session } = await openHostedPage(shop);

  const answer = await postWebhook(shop, sessionCompleted(session));
  await processInbox(shop.context.checkout);

  expect(answer.status).toBe(200);
  expect((await theOrder(shop)).state).toBe('pending');
  expect(sessionLookups(shop)).toHaveLength(1);
});

test('a webhook with a missing, wrong or empty credential is refused with 401 and not stored', async () => {
  const credentials = [undefined, 'Bearer wrong', `Token ${WEBHOOK_TOKEN}`, ''];

  for (const value of credentials) {
    const headers = value === undefined ? undefined : { Authorization: value };
    expect((await postWebhook(shop, sessionCompleted('cs_1'), headers ?? {})).status).toBe(401);
  }

  expect(await storedEvents(shop)).toHaveLength(0);
});

test('a webhook that is no JSON object is refused with 400 and not stored', async () => {
  const bodies = [
    'null',
    '[]',
    '{"id":',
    '{"id":"cs_1\u0000"}',
    '\u0000{"id":"cs_1"}',
    Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
  ];

  for (const body of bodies) expect((await postWebhook(shop, body)).status).toBe(400);

  expect(await storedEvents(shop)).toHaveLength(0);
});

test('a webhook of five megabytes, plain or compressed, is refused with 413', async () => {
  const body = JSON.stringify({ id: 'x'.repeat(5_000_000) });
  const compressed = gzipSync(body);

  const plain = await postWebhook(shop, body);
  const packed = await postWebhook(shop, compressed, { ...AUTHENTIC, 'Content-Encoding': 'gzip' });

  expect(compressed.length).toBeLessThan(64 * 1024);
  expect([plain.status, packed.status]).toEqual([413, 413]);
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
  await processInbox(shop.context.checkout);

  expect((await theOrder(shop)).state).toBe('pending');
  expect(sessionLookups(shop)).toHaveLength(0);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('a webhook with an unknown id gets the answer of a known one, causes no lookup and ends unmatched', async () => {
  const { session } = await openHostedPage(shop);

  const unknown = await postWebhook(shop, sessionCompleted('cs_1_2_ffffffffffff'));
  for (let hour = 0; hour < 6; hour += 1) {
    await processInbox(shop.context.checkout);
    shop.clock.advance(HOUR);
  }
  const lookups = shop.simulator.control.calls().filter(({ method }) => method === 'GET');
  const known = await postWebhook(shop, sessionCompleted(session));

  expect(lookups).toEqual([]);
  expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
  expect(await eventStates()).toEqual(['unmatched', 'new']);
});

test('a webhook that arrives a hundred times is one row, at most two lookups and one fulfillment', async () => {
  const { session } = await openPaidPage(shop);

  const answers = await Promise.all(
    Array.from({ length: 100 }, () => postWebhook(shop, sessionCompleted(session))),
  );
  await Promise.all([processInbox(shop.context.checkout), processInbox(shop.context.checkout)]);

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await storedEvents(shop)).toMatchObject([{ copies: 100, state: 'done' }]);
  expect(sessionLookups(shop).length).toBeLessThanOrEqual(2);
  expect(await allFulfillments(shop)).toHaveLength(1);
});

test('a webhook whose lookup fails is retried and settles the order later', async () => {
  const { session } = await openPaidPage(shop);
  shop.simulator.control.fault('read-session', { kind: 'status', status: 404 });
  await postWebhook(shop, sessionCompleted(session));

  await processInbox(shop.context.checkout);
  const meanwhile = (await theOrder(shop)).state;
  shop.simulator.control.clearFaults();
  shop.clock.advance(5_000);
  await processInbox(shop.context.checkout);

  expect(meanwhile).toBe('pending');
  expect((await theOrder(shop)).state).toBe('paid');
});

test('a webhook that arrives before its attempt is stored is retried and settles the order later', async () => {
  await postWebhook(shop, sessionCompleted('cs_not_yet'));

  await processInbox(shop.context.checkout);
  const early = await storedEvents(shop);
  const { session } = await openHostedPage(shop);
  const body = sessionCompleted(session);
  await shop.context.checkout.db.queries.updateTable('inbox').set({ body }).execute();
  shop.simulator.control.paySession(session);
  shop.clock.advance(5_000);
  await processInbox(shop.context.checkout);

  expect(early).toMatchObject([{ state: 'new', tries: 1 }]);
  expect((await theOrder(shop)).state).toBe('paid');
});

test('a webhook that cannot be stored is answered 503 with a retry time', async () => {
  const { schema } = shop.context.checkout.db.queries;
  await schema.alterTable('inbox').renameTo('inbox_gone').execute();

  const answer = await postWebhook(shop, sessionCompleted('cs_1'));
  await schema.alterTable('inbox_gone').renameTo('inbox').execute();

  expect(answer.status).toBe(503);
  expect(answer.headers['retry-after']).toBeDefined();
});

/** Charges a card and loses the answer. */
async function loseCardAnswer() {
  shop.simulator.control.fault('process', { kind: 'drop', when: 'after' }, 1);
  await payByCard(shop, await Customer.withCart(shop), CARDS.authorized);
  return { id: shop.simulator.control.payments()[0]?.id ?? '', number: (await theOrder(shop)).number };
}

/** Charges a card in a process that dies before the answer. */
async function dieBeforeAnswer() {
  const { control } = shop.simulator;
  const dying = impatient(shop, { processPayment: MINUTE });
  await Customer.withCart(shop);
  control.fault('process', { kind: 'hang', apply: true }, 1);
  const request = requestFor(await cartIdOf(shop));
  startCardPayment(dying.checkout, request, control.tokenizeCard(CARDS.authorized)).catch(() => {});
  await until(() => control.payments().length === 1);
  return { id: control.payments()[0]?.id ?? '', number: (await theOrder(shop)).number };
}

const paymentEvent = ({ id, number }: { readonly id: string; readonly number: string }) =>
  JSON.stringify({ id, client_reference: number, event_type: 'payment_Success', status: 'Success' });

test('a card payment whose answer was lost is paid after a webhook names it', async () => {
  const payment = await loseCardAnswer();
  const before = (await theOrder(shop)).state;

  await postWebhook(shop, paymentEvent(payment));
  await processInbox(shop.context.checkout);

  expect(before).toBe('outcome_unknown');
  expect((await theOrder(shop)).state).toBe('paid');
  expect(sentPayments(shop)).toHaveLength(1);
});

test('a webhook finds the card payment of a dead process after its lease, also when the gateway was down at that time', async () => {
  await postWebhook(shop, paymentEvent(await dieBeforeAnswer()));
  for (const seconds of [0, 3, 16]) {
    shop.clock.advance(seconds * 1_000);
    await processInbox(shop.context.checkout);
  }
  const waiting = await eventStates();
  shop.clock.advance(17_000);
  shop.simulator.control.fault('read-transaction', { kind: 'status', status: 503 });
  await processInbox(shop.context.checkout);
  const meanwhile = (await theOrder(shop)).state;
  shop.simulator.control.clearFaults();
  shop.clock.advance(3_000);

  await processInbox(shop.context.checkout);

  expect([waiting, meanwhile]).toEqual([['new'], 'outcome_unknown']);
  expect((await theOrder(shop)).state).toBe('paid');
  expect(shop.simulator.control.ledger()).toHaveLength(1);
});

test('a webhook that names another payment does not settle a lost card payment', async () => {
  const { number } = await loseCardAnswer();
  await payByCard(shop, await Customer.withCart(shop), CARDS.authorized);
  const other = shop.simulator.control.payments().at(-1)?.id ?? '';

  await postWebhook(shop, paymentEvent({ id: other, number }));
  await processInbox(shop.context.checkout);

  const order = (await allOrders(shop)).find((each) => each.number === number);
  expect(order?.state).toBe('outcome_unknown');
});
