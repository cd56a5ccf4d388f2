import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { startCardPayment } from '../../src/checkout/card/start-card-payment.js';
import { processInbox } from '../../src/checkout/process-inbox.js';
import { Customer } from '../support/customer.js';
import { allFulfilments, allOrders, theOrder, until } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard, requestFor } from '../support/purchase.js';
import { impatient } from '../support/replica.js';
import { openTestShop, type TestShop, WEBHOOK_TOKEN } from '../support/test-shop.js';
import {
  AUTHENTIC,
  sessionCompleted as completed,
  storedEvents as messages,
  postWebhook as post,
} from '../support/webhooks.js';

describe('a webhook', () => {
  test('of the gateway settles a paid order whose customer never comes back', async () => {
    await using shop = await openTestShop({ webhooks: true });
    const { session } = await openHostedPage(shop);

    shop.simulator.control.paySession(session);
    await until(async () => (await messages(shop)).some((message) => message.event === 'session.completed'));
    // Another event of the same payment may arrive while this one is processed.
    await until(async () => {
      await processInbox(shop.context.checkout);
      return (await messages(shop)).every((message) => message.state === 'done');
    });

    expect((await theOrder(shop)).state).toBe('paid');
  });

  test('that lies changes nothing: the lookup decides', async () => {
    await using shop = await openTestShop();
    const { session } = await openHostedPage(shop);

    const answer = await post(shop, completed(session));
    await processInbox(shop.context.checkout);

    expect(answer.status).toBe(200);
    expect((await theOrder(shop)).state).toBe('pending');
    expect(shop.simulator.control.calls('read-session')).toHaveLength(1);
  });

  test.each([
    ['none', {}],
    ['another token', { Authorization: 'Bearer wrong' }],
    ['the token under another scheme', { Authorization: `Token ${WEBHOOK_TOKEN}` }],
    ['an empty value', { Authorization: '' }],
  ])('with %s is refused before it is read', async (_name, headers) => {
    await using shop = await openTestShop();

    const answer = await post(shop, completed('cs_1'), headers as Record<string, string>);

    expect(answer.status).toBe(401);
    expect(await messages(shop)).toHaveLength(0);
  });

  test.each([
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['half a body', '{"id":'],
    ['broken UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
  ])('that holds %s is unreadable', async (_name, body) => {
    await using shop = await openTestShop();

    const answer = await post(shop, body);

    expect(answer.status).toBe(400);
    expect(await messages(shop)).toHaveLength(0);
  });

  test('of five megabytes is refused', async () => {
    await using shop = await openTestShop();

    const answer = await post(shop, JSON.stringify({ id: 'x'.repeat(5_000_000) }));

    expect(answer.status).toBe(413);
  });

  test('that unpacks to five megabytes is refused', async () => {
    await using shop = await openTestShop();
    const packed = gzipSync(JSON.stringify({ id: 'x'.repeat(5_000_000) }));

    const answer = await post(shop, packed, { ...AUTHENTIC, 'Content-Encoding': 'gzip' });

    expect(packed.length).toBeLessThan(64 * 1024);
    expect(answer.status).toBe(413);
    expect(await messages(shop)).toHaveLength(0);
  });

  test.each([
    ['an unknown shape', '{"hello":{"world":1}}'],
    ['deep nesting', `{"data":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
    ['prototype keys', '{"__proto__":{"id":"x"},"constructor":{"prototype":{"polluted":1}}}'],
    ['wrong types everywhere', '{"id":{},"data":[],"metadata":"x","event_type":7,"client_reference":[1]}'],
  ])('of %s is kept and has no effect', async (_name, body) => {
    await using shop = await openTestShop();
    await openHostedPage(shop);

    const answer = await post(shop, body);
    await processInbox(shop.context.checkout);

    expect(answer.status).toBe(200);
    expect((await theOrder(shop)).state).toBe('pending');
    expect(shop.simulator.control.calls('read-session')).toHaveLength(0);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('about an id that is not ours gets the same answer and causes no lookup', async () => {
    await using shop = await openTestShop();
    const { session } = await openHostedPage(shop);

    const known = await post(shop, completed(session));
    const unknown = await post(shop, completed('cs_1_2_ffffffffffff'));
    await shop.context.checkout.db.queries.deleteFrom('inbox').where('id', '=', 1).execute();
    await processInbox(shop.context.checkout);

    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    expect(shop.simulator.control.calls('read-session')).toHaveLength(0);
    expect(shop.simulator.control.calls('read-transaction')).toHaveLength(0);
  });

  test('that comes a hundred times is one row, one lookup or two, one fulfillment', async () => {
    await using shop = await openTestShop();
    const { session } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);

    const answers = await Promise.all(Array.from({ length: 100 }, () => post(shop, completed(session))));
    await Promise.all([processInbox(shop.context.checkout), processInbox(shop.context.checkout)]);

    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(await messages(shop)).toMatchObject([{ copies: 100, state: 'done' }]);
    expect(shop.simulator.control.calls('read-session').length).toBeLessThanOrEqual(2);
    expect(await allFulfilments(shop)).toHaveLength(1);
  });

  test('with old news after the payment leaves the order paid', async () => {
    await using shop = await openTestShop();
    const { session } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);
    await post(shop, completed(session));
    await processInbox(shop.context.checkout);

    await post(shop, JSON.stringify({ action: 'session.expired', data: { id: session, status: 'expired' } }));
    await processInbox(shop.context.checkout);

    expect((await theOrder(shop)).state).toBe('paid');
    expect(await allFulfilments(shop)).toHaveLength(1);
  });

  test('that finds the gateway silent is tried again later', async () => {
    await using shop = await openTestShop();
    const { session } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);
    shop.simulator.control.fault('read-session', { kind: 'status', status: 404 });
    await post(shop, completed(session));

    await processInbox(shop.context.checkout);
    const meanwhile = (await theOrder(shop)).state;
    shop.simulator.control.clearFaults();
    shop.clock.advance(5_000);
    await processInbox(shop.context.checkout);

    expect(meanwhile).toBe('pending');
    expect((await theOrder(shop)).state).toBe('paid');
  });

  test('before our own row is there is tried again until it is', async () => {
    await using shop = await openTestShop();
    await post(shop, completed('cs_not_yet'));

    await processInbox(shop.context.checkout);
    const early = await messages(shop);
    const { session } = await openHostedPage(shop);
    const { queries } = shop.context.checkout.db;
    await queries
      .updateTable('inbox')
      .set({ body: completed(session) })
      .execute();
    shop.simulator.control.paySession(session);
    shop.clock.advance(5_000);
    await processInbox(shop.context.checkout);

    expect(early).toMatchObject([{ state: 'new', tries: 1 }]);
    expect((await theOrder(shop)).state).toBe('paid');
  });

  test('never matched is given up and kept for a person', async () => {
    await using shop = await openTestShop();
    await post(shop, completed('cs_of_someone_else'));

    for (let hour = 0; hour < 6; hour += 1) {
      await processInbox(shop.context.checkout);
      shop.clock.advance(3_600_000);
    }

    expect(await messages(shop)).toMatchObject([{ state: 'unmatched' }]);
  });

  test('that cannot be kept is answered 503, so that it is sent again', async () => {
    await using shop = await openTestShop();
    const { queries } = shop.context.checkout.db;
    await queries.schema.alterTable('inbox').renameTo('inbox_gone').execute();

    const answer = await post(shop, completed('cs_1'));
    await queries.schema.alterTable('inbox_gone').renameTo('inbox').execute();

    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBeDefined();
  });
});

/** The process that asked is dead: nothing of it ends the waiting. */
const NEVER_MS = 60_000;

describe('a card payment whose answer was lost', () => {
  async function loseTheAnswer(shop: TestShop) {
    shop.simulator.control.fault('process', { kind: 'drop', when: 'after' });
    await payByCard(shop, await Customer.withCart(shop), CARDS.authorized);
    const [payment] = shop.simulator.control.payments();
    const { number } = await theOrder(shop);
    return { id: payment?.id ?? '', number };
  }

  function notice(id: string, reference: string): string {
    return JSON.stringify({
      id,
      client_reference: reference,
      event_type: 'payment_Success',
      status: 'Success',
    });
  }

  test('is found again by the gateway’s own message and settled by the lookup', async () => {
    await using shop = await openTestShop();
    const { id, number } = await loseTheAnswer(shop);
    const before = (await theOrder(shop)).state;

    await post(shop, notice(id, number));
    await processInbox(shop.context.checkout);

    expect(before).toBe('outcome_unknown');
    expect((await theOrder(shop)).state).toBe('paid');
    expect(shop.simulator.control.calls('process')).toHaveLength(1);
  });

  test.each([404, 503])(
    'is found later when the gateway answers %i at the moment of the message',
    async (status) => {
      await using shop = await openTestShop();
      const { control } = shop.simulator;
      const { id, number } = await loseTheAnswer(shop);
      control.fault('read-transaction', { kind: 'status', status });

      await post(shop, notice(id, number));
      await processInbox(shop.context.checkout);
      const before = (await theOrder(shop)).state;
      control.clearFaults();
      shop.clock.advance(60_000);
      await processInbox(shop.context.checkout);

      expect(before).toBe('outcome_unknown');
      expect((await theOrder(shop)).state).toBe('paid');
      expect((await messages(shop)).map(({ state }) => state)).toEqual(['done']);
    },
  );

  test('because its process died is found as soon as nobody waits for the answer any more', async () => {
    await using shop = await openTestShop();
    const dying = impatient(shop, { processPayment: NEVER_MS });
    await Customer.withCart(shop);
    const [cart] = await shop.context.checkout.db.queries.selectFrom('carts').select('id').execute();
    shop.simulator.control.fault('process', { kind: 'hang', apply: true }, 1);
    const tokens = shop.simulator.control.tokenizeCard(CARDS.authorized);
    startCardPayment(dying.checkout, requestFor(cart?.id), tokens).catch(() => {});
    await until(() => shop.simulator.control.payments().length === 1);
    const { number } = await theOrder(shop);
    await post(shop, notice(shop.simulator.control.payments()[0]?.id ?? '', number));

    for (const seconds of [0, 3, 16]) {
      shop.clock.advance(seconds * 1_000);
      await processInbox(shop.context.checkout);
    }
    const waiting = (await messages(shop)).map(({ state }) => state);
    shop.clock.advance(17_000);
    await processInbox(shop.context.checkout);
    const found = (await theOrder(shop)).state;

    expect(waiting).toEqual(['new']);
    expect(found).toBe('paid');
    expect(shop.simulator.control.ledger()).toHaveLength(1);
  });

  test('because its process died is found soon although the gateway was down when its time had come', async () => {
    await using shop = await openTestShop();
    const { control } = shop.simulator;
    const dying = impatient(shop, { processPayment: NEVER_MS });
    await Customer.withCart(shop);
    const [cart] = await shop.context.checkout.db.queries.selectFrom('carts').select('id').execute();
    control.fault('process', { kind: 'hang', apply: true }, 1);
    const tokens = control.tokenizeCard(CARDS.authorized);
    startCardPayment(dying.checkout, requestFor(cart?.id), tokens).catch(() => {});
    await until(() => control.payments().length === 1);
    await post(shop, notice(control.payments()[0]?.id ?? '', (await theOrder(shop)).number));
    for (let early = 0; early < 12; early += 1) {
      await processInbox(shop.context.checkout);
      shop.clock.advance(3_000);
    }

    control.fault('read-transaction', { kind: 'status', status: 503 });
    await processInbox(shop.context.checkout);
    const before = (await theOrder(shop)).state;
    control.clearFaults();
    shop.clock.advance(3_000);
    await processInbox(shop.context.checkout);
    const found = (await theOrder(shop)).state;

    expect(before).toBe('outcome_unknown');
    expect(found).toBe('paid');
  });

  test('is not settled by a message that names another payment', async () => {
    await using shop = await openTestShop();
    const { number } = await loseTheAnswer(shop);
    await payByCard(shop, await Customer.withCart(shop), CARDS.authorized);
    const other = shop.simulator.control.payments().at(-1)?.id ?? '';

    await post(shop, notice(other, number));
    await processInbox(shop.context.checkout);
    const orders = await allOrders(shop);

    expect(orders.find((order) => order.number === number)?.state).toBe('outcome_unknown');
  });

  test('is not looked up on the word of anyone where webhooks are not authenticated', async () => {
    await using shop = await openTestShop({ env: { WEBHOOK_AUTH: 'none' } });
    const { id, number } = await loseTheAnswer(shop);

    await post(shop, notice(id, number), {});
    await processInbox(shop.context.checkout);

    expect((await theOrder(shop)).state).toBe('outcome_unknown');
    expect(shop.simulator.control.calls('read-transaction')).toHaveLength(0);
  });
});
