import { describe, expect, test } from '@jest/globals';
import type { WebhookAuth } from '../simulator.js';
import { cards, newPayment, newSession, type Receiver, receiver, start, until } from './support.js';

const retryDelayMs = 5;

async function startWithHooks(hooks: Receiver, auth: WebhookAuth = { scheme: 'none' }) {
  return await start({ webhook: { url: hooks.url, auth }, webhookRetryDelayMs: retryDelayMs });
}

const names = (hooks: Receiver) => hooks.heard.map(({ body }) => body.event_type ?? body.action);

describe('the events of a hosted session', () => {
  test('are told in the envelope that the public material shows', async () => {
    await using hooks = await receiver();
    await using sim = await startWithHooks(hooks);
    const session = await newSession(sim, { metadata: { order: 'ORD-1' } });
    await until(() => hooks.heard.length === 1);

    sim.control.paySession(session.id);
    await until(() => hooks.heard.length === 3);

    const told = (action: string) => hooks.heard.find(({ body }) => body.action === action)?.body;
    expect(told('session.created')).toEqual({
      action: 'session.created',
      type: 'checkout.hosted',
      data: {
        id: session.id,
        url: session.url,
        amount_total: 24_990,
        currency: 'MXN',
        status: 'pending',
        payment_id: session.payment_id,
        transaction_status: 'Pending',
        created_at: session.created_at,
        customer: session.customer,
        metadata: { order: 'ORD-1' },
      },
    });
    expect(told('session.completed').data).toMatchObject({
      status: 'completed',
      transaction_status: 'Success',
      paid_at: expect.any(Number),
    });
    expect(told('payment.transaction').data).toMatchObject({
      session_id: session.id,
      status: 'Success',
      amount: 24_990,
      card_details: { brand: 'Visa', last4: '0077' },
    });
  });

  test('include its expiry, once, without times', async () => {
    await using hooks = await receiver();
    await using sim = await startWithHooks(hooks);
    await newSession(sim);

    sim.control.advanceClock(25 * 3_600_000);
    sim.control.sessions();
    await until(() => names(hooks).includes('session.expired'));

    const expired = hooks.heard.filter(({ body }) => body.action === 'session.expired');
    expect(expired).toHaveLength(1);
    expect(expired[0]?.body.data).toMatchObject({ status: 'expired', transaction_status: 'Expired' });
    expect(expired[0]?.body.data).not.toHaveProperty('created_at');
  });
});

describe('the events of a card payment', () => {
  test('are flat, with the amount as text', async () => {
    await using hooks = await receiver();
    await using sim = await startWithHooks(hooks);

    const payment = await newPayment(sim, cards.challenge);
    await until(() => hooks.heard.length === 1);
    sim.control.approve(payment.id);
    await until(() => hooks.heard.length === 2);

    expect(names(hooks)).toEqual(['payment_Pending', 'payment_Success']);
    expect(hooks.heard[1]?.body).toMatchObject({
      id: payment.id,
      operation_type: 'payment',
      amount: '249.9',
      client_reference: 'ORD-1',
      status: 'Success',
      payment_method_type: 'CARD',
      action: 'MODIFY',
    });
  });

  test('say why a payment was declined', async () => {
    await using hooks = await receiver();
    await using sim = await startWithHooks(hooks);

    await newPayment(sim, cards.insufficient);
    await until(() => hooks.heard.length === 1);

    expect(hooks.heard[0]?.body).toMatchObject({ event_type: 'payment_Declined', decline_code: 'CH01' });
  });
});

describe('delivery', () => {
  test.each<[WebhookAuth, string, string | undefined]>([
    [{ scheme: 'bearer', token: 'secret' }, 'authorization', 'Bearer secret'],
    [{ scheme: 'basic', user: 'shop', password: 'pw' }, 'authorization', 'Basic c2hvcDpwdw=='],
    [{ scheme: 'header', name: 'X-API-Key', value: 'secret' }, 'x-api-key', 'secret'],
    [{ scheme: 'none' }, 'authorization', undefined],
  ])('carries %j', async (auth, header, value) => {
    await using hooks = await receiver();
    await using sim = await startWithHooks(hooks, auth);

    await newSession(sim);
    await until(() => hooks.heard.length === 1);

    expect(hooks.heard[0]?.headers[header]).toBe(value);
    expect(hooks.heard[0]?.headers['content-type']).toBe('application/json');
  });

  test('tries three times and then gives up', async () => {
    await using hooks = await receiver(500, 500, 500, 500);
    await using sim = await startWithHooks(hooks);

    await newSession(sim);
    await until(() => sim.control.deliveries()[0]?.state === 'failed');

    expect(sim.control.deliveries()[0]?.attempts.map(({ result }) => result)).toEqual([500, 500, 500]);
    expect(hooks.heard).toHaveLength(3);
  });

  test('stops trying once it is taken', async () => {
    await using hooks = await receiver(503, 204);
    await using sim = await startWithHooks(hooks);

    await newSession(sim);
    await until(() => sim.control.deliveries()[0]?.state === 'delivered');

    expect(hooks.heard).toHaveLength(2);
  });

  test('to nobody is written down with its reason', async () => {
    await using sim = await start({
      webhook: { url: 'http://127.0.0.1:9/', auth: { scheme: 'none' } },
      webhookRetryDelayMs: 1,
    });

    await newSession(sim);
    await until(() => sim.control.deliveries()[0]?.state === 'failed');

    expect(sim.control.deliveries()[0]?.attempts[0]?.result).toEqual(expect.any(String));
  });

  test('can be made again by hand', async () => {
    await using hooks = await receiver();
    await using sim = await startWithHooks(hooks);
    sim.control.settings({ webhooks: 'off' });
    await newSession(sim);
    const [held] = sim.control.deliveries();
    expect(held?.state).toBe('not-sent');

    const sent = await sim.control.sendWebhookAgain(held?.id ?? '');

    expect(sent.state).toBe('delivered');
    expect(names(hooks)).toEqual(['session.created']);
    await expect(sim.control.sendWebhookAgain('unknown')).rejects.toThrow('no such delivery');
  });

  test('goes wherever control says', async () => {
    await using hooks = await receiver();
    await using sim = await start();

    await newSession(sim);
    sim.control.settings({ webhookUrl: hooks.url });
    await newSession(sim);
    await until(() => hooks.heard.length === 1);

    expect(sim.control.deliveries().map(({ state }) => state)[0]).toBe('not-sent');
  });
});

describe('the webhook modes', () => {
  test('duplicate sends each event twice', async () => {
    await using hooks = await receiver();
    await using sim = await startWithHooks(hooks);
    sim.control.settings({ webhooks: 'duplicate' });

    await newSession(sim);
    await until(() => hooks.heard.length === 2);

    expect(hooks.heard[0]?.body).toEqual(hooks.heard[1]?.body);
  });

  test('late sends an event after one delay', async () => {
    await using hooks = await receiver();
    await using sim = await startWithHooks(hooks);
    sim.control.settings({ webhooks: 'late' });

    await newSession(sim);
    expect(sim.control.deliveries()[0]).toMatchObject({ state: 'waiting', attempts: [] });

    await until(() => hooks.heard.length === 1);
  });
});
