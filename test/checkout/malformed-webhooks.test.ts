import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { processInbox } from '../../src/checkout/process-inbox.js';
import { orderOfSession, until } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { impatient } from '../support/replica.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';
import { postWebhook, sessionCompleted, storedEvents } from '../support/webhooks.js';

const NUL = '\u0000';
const HOUR_MS = 3_600_000;

async function drainInbox(shop: TestShop): Promise<void> {
  while ((await processInbox(shop.context.checkout)) > 0) {
    // Until no event is due.
  }
}

/** Stores events without the checks of the webhook route. */
async function storeEvents(shop: TestShop, bodies: readonly string[]): Promise<void> {
  const at = shop.clock.now() - HOUR_MS;
  const rows = bodies.map((body) => ({
    hash: createHash('sha256').update(body).digest('hex'),
    body,
    event: null,
    state: 'new' as const,
    tries: 0,
    copies: 1,
    receivedAt: at,
    nextAt: at,
    doneAt: null,
  }));
  const { queries } = shop.context.checkout.db;
  for (let from = 0; from < rows.length; from += 100)
    await queries
      .insertInto('inbox')
      .values(rows.slice(from, from + 100))
      .execute();
}

/** An order whose settlement fails in the database: its fulfillment exists although it is not paid. */
async function openUnsettleable(shop: TestShop) {
  const checkout = await openHostedPage(shop);
  const order = await orderOfSession(shop, checkout.session);
  await shop.context.checkout.db.queries
    .insertInto('fulfillments')
    .values({ orderId: order.id, attemptId: 'another', at: 1 })
    .execute();
  shop.simulator.control.paySession(checkout.session);
  return checkout;
}

describe('a webhook event', () => {
  test.each([
    ['id', { data: { id: `cs_1${NUL}` } }],
    ['session id', { session_id: `cs_1${NUL}` }],
    ['reference', { client_reference: `TG-1${NUL}` }],
    ['nested reference', { data: { metadata: { order_id: `\u001f${NUL}` } } }],
    ['name', { event_type: `payment${NUL}`, id: 'cs_1' }],
    ['key and value nothing reads', { [`a${NUL}`]: NUL, id: 'cs_1' }],
  ])('with a control character in its %s is stored, answered 200 and finished', async (_name, event) => {
    await using shop = await openTestShop();

    const answer = await postWebhook(shop, JSON.stringify(event));
    for (let round = 0; round < 6; round += 1) {
      await drainInbox(shop);
      shop.clock.advance(HOUR_MS);
    }

    expect(answer.status).toBe(200);
    expect(await storedEvents(shop)).toMatchObject([{ state: 'unmatched' }]);
    expect(shop.logged.filter((line) => line.includes('webhook.unmatched'))).toHaveLength(1);
  });

  test.each([`{"id":"cs_1${NUL}"}`, `${NUL}{"id":"cs_1"}`, `{"id":"cs_1"}${NUL}`])(
    'with an unescaped NUL in its body (%j) is refused as unreadable',
    async (body) => {
      await using shop = await openTestShop();

      const answer = await postWebhook(shop, body);

      expect(answer.status).toBe(400);
      expect(await storedEvents(shop)).toHaveLength(0);
    },
  );

  test('is settled in the same pass as 1,300 older events with a NUL in their ids', async () => {
    await using shop = await openTestShop();
    const { session } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);
    await storeEvents(
      shop,
      Array.from({ length: 1_300 }, (_, index) => JSON.stringify({ id: `cs_${index}${NUL}` })),
    );
    await postWebhook(shop, sessionCompleted(session));

    await drainInbox(shop);

    expect((await orderOfSession(shop, session)).state).toBe('paid');
    const states = (await storedEvents(shop)).map(({ state }) => state);
    expect(states.filter((state) => state === 'unmatched')).toHaveLength(1_300);
    expect(states.at(-1)).toBe('done');
  });

  test('whose settlement throws is retried, then ends as failed, and the events beside it are settled', async () => {
    await using shop = await openTestShop();
    const broken = await openUnsettleable(shop);
    const sound = await openHostedPage(shop);
    shop.simulator.control.paySession(sound.session);
    await postWebhook(shop, sessionCompleted(broken.session));
    await postWebhook(shop, sessionCompleted(sound.session));

    await drainInbox(shop);
    const first = await storedEvents(shop);
    for (let round = 0; round < 6; round += 1) {
      shop.clock.advance(HOUR_MS);
      await drainInbox(shop);
    }

    expect((await orderOfSession(shop, sound.session)).state).toBe('paid');
    expect(first).toMatchObject([
      { state: 'new', tries: 1 },
      { state: 'done', tries: 1 },
    ]);
    expect(await storedEvents(shop)).toMatchObject([{ state: 'failed', tries: 5 }, { state: 'done' }]);
    const logged = (event: string) => shop.logged.filter((line) => line.includes(`"${event}"`));
    expect(logged('webhook.try_failed').map((line) => JSON.parse(line))).toMatchObject(
      [1, 2, 3, 4, 5].map((count) => ({ count, reason: expect.stringMatching(/error/i) })),
    );
    expect(logged('webhook.failed')).toHaveLength(1);
  });

  test('that exceeds its deadline is retried, and the events beside it are settled', async () => {
    await using shop = await openTestShop();
    await using patient = impatient(shop, { read: 1_500 });
    const slow = await openHostedPage(shop);
    const sound = await openHostedPage(shop);
    shop.simulator.control.paySession(sound.session);
    shop.simulator.control.fault('read-session', { kind: 'hang' }, 1);
    await postWebhook(shop, sessionCompleted(slow.session));
    const hanging = processInbox(patient.checkout, { eventDeadlineMs: 300 });
    await until(() => shop.simulator.control.calls('read-session').length === 1);
    await postWebhook(shop, sessionCompleted(sound.session));

    await processInbox(shop.context.checkout);
    const meanwhile = (await orderOfSession(shop, sound.session)).state;
    await hanging;
    const events = await storedEvents(shop);
    // The lookup goes on until its own deadline.
    await until(() => shop.logged.some((line) => line.includes('"lookup.failed"')));

    expect(meanwhile).toBe('paid');
    expect(events).toMatchObject([{ state: 'new', tries: 1 }, { state: 'done' }]);
    expect(shop.logged.some((line) => line.includes('TimeoutError'))).toBe(true);
  });

  test('cannot be claimed after the database is closed, and the call rejects at once', async () => {
    await using shop = await openTestShop();
    const replica = await shop.openReplica();
    await replica[Symbol.asyncDispose]();

    await expect(processInbox(replica.checkout)).rejects.toThrow();
  });

  test('that names a hosted attempt still being created waits until the attempt is stored', async () => {
    await using shop = await openTestShop();
    const { control } = shop.simulator;
    control.fault('create-session', { kind: 'review' }, 1);
    const opening = openHostedPage(shop);
    await until(() => control.sessions().length === 1);
    const [session] = control.sessions();
    if (!session) throw new Error('no session was created');
    control.paySession(session.id);
    const { external_id } = session.request;
    await postWebhook(shop, JSON.stringify({ data: { id: session.id, external_id } }));

    await drainInbox(shop);
    const waiting = await storedEvents(shop);
    control.release();
    await opening;
    shop.clock.advance(2_001);
    await drainInbox(shop);

    expect(waiting).toMatchObject([{ state: 'new', tries: 0 }]);
    expect((await orderOfSession(shop, session.id)).state).toBe('paid');
    expect(await storedEvents(shop)).toMatchObject([{ state: 'done' }]);
  });

  test.each([
    ['no body', undefined],
    ['an empty body', ''],
    ['only white space', ' \r\n'],
  ])('with %s and the right credential is answered 200 and not stored', async (_name, body) => {
    await using shop = await openTestShop();

    const answer = await postWebhook(shop, body as string);
    const refused = await postWebhook(shop, body as string, {});

    expect(answer.status).toBe(200);
    expect(refused.status).toBe(401);
    expect(await storedEvents(shop)).toHaveLength(0);
  });
});
