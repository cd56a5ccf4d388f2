import { expect, test } from '@jest/globals';
import { until } from '../../../../test/support/crowd.js';
import type { WebhookAuth } from '../../src/simulator/model.js';
import { readSimulatorOptions } from '../../src/simulator/settings.js';
import { cards, createPayment, createSession, start, startReceiver, type WebhookReceiver } from './support.js';

async function startWith({ url }: { readonly url: string }, auth: WebhookAuth = { scheme: 'none' }) {
  return await start({ webhook: { url, auth }, webhookRetryDelayMs: 5 });
}

const names = ({ received }: WebhookReceiver) => received.map(({ body }) => body.event_type ?? body.action);

test('a paid session sends session.created, payment.transaction and session.completed', async () => {
  await using receiver = await startReceiver();
  await using sim = await startWith(receiver);
  const session = await createSession(sim, { metadata: { order: 'ORD-1' } });
  await until(() => receiver.received.length === 1);

  sim.control.paySession(session.id);
  await until(() => receiver.received.length === 3);

  const event = (action: string) => receiver.received.find(({ body }) => body.action === action)?.body;
  const { id, url, amount_total, currency, payment_id, created_at, customer, metadata } = session;
  expect(event('session.created')).toEqual({
    action: 'session.created',
    type: 'checkout.hosted',
    data: {
      id,
      url,
      amount_total,
      currency,
      payment_id,
      created_at,
      customer,
      metadata,
      status: 'pending',
      transaction_status: 'Pending',
    },
  });
  expect(event('session.completed').data).toMatchObject({
    status: 'completed',
    transaction_status: 'Success',
    paid_at: expect.any(Number),
  });
  expect(event('payment.transaction').data).toMatchObject({
    session_id: id,
    status: 'Success',
    amount: 24_990,
    card_details: { brand: 'Visa', last4: '0077' },
  });
});

test('an expired session sends session.expired once', async () => {
  await using receiver = await startReceiver();
  await using sim = await startWith(receiver);
  await createSession(sim);

  sim.control.advanceClock(25 * 3_600_000);
  await until(() => names(receiver).includes('session.expired'));

  expect(names(receiver).filter((name) => name === 'session.expired')).toHaveLength(1);
});

test('a card payment sends flat events with the amount as text', async () => {
  await using receiver = await startReceiver();
  await using sim = await startWith(receiver);

  const payment = await createPayment(sim, cards.challenge);
  await until(() => receiver.received.length === 1);
  sim.control.approve(payment.id);
  await until(() => receiver.received.length === 2);
  await createPayment(sim, cards.insufficient);
  await until(() => receiver.received.length === 3);

  expect(names(receiver)).toEqual(['payment_Pending', 'payment_Success', 'payment_Declined']);
  expect(receiver.received[1]?.body).toMatchObject({
    id: payment.id,
    operation_type: 'payment',
    amount: '249.9',
    client_reference: 'ORD-1',
    status: 'Success',
    payment_method_type: 'CARD',
    action: 'MODIFY',
  });
  expect(receiver.received[2]?.body).toMatchObject({ status: 'Declined', decline_code: 'CH01' });
});

test.each([
  ['bearer:a:b', 'authorization', 'Bearer a:b'],
  ['basic:shop:p:w', 'authorization', `Basic ${btoa('shop:p:w')}`],
  ['Header:X-API-Key:secret', 'x-api-key', 'secret'],
  ['BASIC:shop:ñ€,bearer:older', 'authorization', `Basic ${Buffer.from('shop:ñ€').toString('base64')}`],
  ['none', 'authorization', undefined],
])('a delivery with WEBHOOK_AUTH=%s has the header %s: %s', async (WEBHOOK_AUTH, header, value) => {
  await using receiver = await startReceiver();
  await using sim = await startWith(receiver, readSimulatorOptions({ WEBHOOK_AUTH }).webhook?.auth);

  await createSession(sim);
  await until(() => receiver.received.length === 1);

  expect(receiver.received[0]?.headers[header]).toBe(value);
  expect(receiver.received[0]?.headers['content-type']).toBe('application/json');
});

test.each([
  [[500, 500, 500, 500], 'failed', [500, 500, 500]],
  [[503, 204], 'delivered', [503, 204]],
])('a receiver that answers %j results in %s', async (statuses, state, results) => {
  await using receiver = await startReceiver(...statuses);
  await using sim = await startWith(receiver);

  await createSession(sim);
  await until(() => sim.control.deliveries()[0]?.state === state);

  expect(sim.control.deliveries()[0]?.results).toEqual(results);
  expect(receiver.received).toHaveLength(results.length);
});
