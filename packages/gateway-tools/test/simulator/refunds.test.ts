import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { until } from '../../../../test/support/crowd.js';
import type { Simulator } from '../../src/simulator/simulator.js';
import { call, cards, createPayment, page, readPayment, start, startReceiver } from './support.js';

const route = 'POST /api/v1/process/';

async function refund(sim: Simulator, paymentId: string, amount = 249.9, requestId?: string) {
  const headers: Record<string, string> = requestId === undefined ? {} : { 'X-Request-Id': requestId };
  const request = { operation_type: 'refund', amount, currency: 'MXN', original_transaction_id: paymentId };
  return await call(sim, route, { body: request, headers });
}

const alreadyRefunded = 'Transaction has already been refunded';
const tooMuch = 'Refund requested amount is greater that original amount';
const notRefundable = 'Original transaction not found or not refundable';

test('in the profile public-docs a refund succeeds and cannot be looked up', async () => {
  await using sim = await start({ profile: 'public-docs' });
  const { id } = await createPayment(sim);

  const { status, body } = await refund(sim, id);

  expect(status).toBe(201);
  expect((await call(sim, `GET /api/v1/transactions/${body.id}/`)).status).toBe(404);
});

test.each([
  ['one', [10, 10], [201, alreadyRefunded]],
  ['several', [100, 149.9, 0.01], [201, 201, alreadyRefunded]],
  ['several', [100, 149.91, 149.9], [201, tooMuch, 201]],
  ['one', [249.91, 249.9], [tooMuch, 201]],
] as const)('with the setting %s refunds of %j give %j', async (refundsPerPayment, amounts, results) => {
  await using sim = await start();
  sim.control.settings({ refundsPerPayment });
  const { id } = await createPayment(sim);

  for (const [index, amount] of amounts.entries()) {
    const { status, body } = await refund(sim, id, amount);
    expect(status === 201 ? status : body.details).toBe(results[index]);
    expect([201, 400]).toContain(status);
  }
});

test.each([cards.declined, cards.challenge])('a payment of card %s cannot be refunded', async (card) => {
  await using sim = await start();
  const { id } = await createPayment(sim, card);

  for (const payment of [id, 'unknown']) {
    const { status, body } = await refund(sim, payment);
    expect([status, body]).toEqual([400, { error: 'Invalid request data', details: notRefundable }]);
  }
});

test('a refund repeated with its X-Request-Id after a lost response is refunded once, also after a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'simulator-'));
  const before = await start({ dataDir });
  const { id } = await createPayment(before);
  before.control.fault('refund', { kind: 'drop', when: 'after' }, 1);

  await expect(refund(before, id, 249.9, 'request-1')).rejects.toThrow('fetch failed');
  await before.close();
  await using sim = await start({ dataDir });
  const { status, body } = await refund(sim, id, 249.9, 'request-1');

  expect([status, body.id]).toEqual([201, sim.control.refunds()[0]?.id]);
  expect(sim.control.refundLedger()).toHaveLength(1);
  expect((await refund(sim, id, 10, 'request-1')).status).toBe(422);
  rmSync(dataDir, { recursive: true });
});

test.each([
  ['Success', 1],
  ['Failed', 0],
] as const)('a pending refund ends with %s once and its webhook events say so', async (end, entries) => {
  await using receiver = await startReceiver();
  await using sim = await start({ webhook: { url: receiver.url, auth: { scheme: 'none' } } });
  sim.control.settings({ refundStatus: 'Pending' });
  const payment = await createPayment(sim);
  const { body } = await refund(sim, payment.id);
  expect([body.status, sim.control.refundLedger()]).toEqual(['Pending', []]);
  expect((await refund(sim, payment.id)).body.details).toBe(alreadyRefunded);

  await page(sim, `/start/refunds/${body.id}`, { status: end });
  sim.control.finishRefund(body.id, 'Success');
  await until(() => receiver.received.length === 3);

  expect((await readPayment(sim, body.id)).status).toBe(end);
  expect(sim.control.refundLedger()).toHaveLength(entries);
  const events = receiver.received.filter((event) => event.body.operation_type === 'refund');
  expect(new Set(events.map(({ body }) => body.event_type))).toEqual(new Set(['refund_Pending', `refund_${end}`]));
  expect(events[0]?.body).toMatchObject({
    id: body.id,
    amount: '249.9',
    currency: 'MXN',
    client_reference: null,
    original_transaction_id: payment.id,
  });
});
