import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Fault } from '@tianguis/gateway-tools';
import { centavos } from '@tianguis/payments/rules';
import type { RefundCall } from '../../src/gateway/refunds.js';
import { readWebhook } from '../../src/gateway/webhook-event.js';
import { LONG, newPayment, openTestGateway, raw, rewrite, SHORT, status } from './support.js';

const AMOUNT = centavos(15_000);
const refundOf = (gatewayId: string, changes: Partial<RefundCall> = {}): RefundCall => ({
  idempotencyKey: randomUUID(),
  gatewayId,
  amount: AMOUNT,
  ...changes,
});
const errorBody = (details: string, code = 400): Fault => ({
  kind: 'status',
  status: code,
  body: { error: 'Invalid request data', details },
});
const REFUNDED = 'Transaction has already been refunded';
const TOO_LARGE = 'Refund requested amount is greater that original amount';
const NOT_REFUNDABLE = 'Original transaction not found or not refundable';

test('a refund names its payment and amount in pesos, is signed, and has its key', async () => {
  const signingSecret = 'signing-secret-of-this-test';
  await using client = await openTestGateway({ signingSecret });
  client.simulator.control.settings({ signingSecret });
  const refund = refundOf(await newPayment(client));

  const answer = await client.gateway.refundPayment(refund);
  const [call] = client.simulator.control.calls('refund');
  const [entry] = client.simulator.control.refundLedger();

  expect(answer).toEqual({ state: 'succeeded', gatewayStatus: 'Success', gatewayRefundId: entry?.id });
  expect(entry).toMatchObject({ originalId: refund.gatewayId, amountMinor: AMOUNT });
  expect(call?.headers['x-request-id']).toBe(refund.idempotencyKey);
  expect(call?.headers['x-signature-transaction']).toBeDefined();
});

test.each<[string, Fault, string]>([
  ['that names an earlier refund', errorBody(REFUNDED), 'unknown'],
  ['of an earlier refund with status 422', errorBody(REFUNDED, 422), 'unknown'],
  ['of an earlier refund with status 200', errorBody(REFUNDED, 200), 'unknown'],
  ['of an earlier refund in a list', raw(JSON.stringify({ error: 'x', details: [REFUNDED] })), 'unknown'],
  ['of a larger amount with status 500', errorBody(TOO_LARGE, 500), 'refused'],
  ['of a payment that cannot be refunded', errorBody(NOT_REFUNDABLE, 404), 'refused'],
  ['that is not published', errorBody('Something else'), 'refused'],
  ['that is not published, with status 200', errorBody('Something else', 200), 'unknown'],
  ['of the server', status(500), 'unknown'],
  ['of the rate limit', status(429), 'refused'],
  ['without a currency', rewrite({ currency: undefined }), 'succeeded'],
  ['about another payment', rewrite({ original_transaction_id: 'other' }), 'unknown'],
  ['without its payment', rewrite({ original_transaction_id: undefined }), 'unknown'],
  ['about another amount', rewrite({ amount: 150.01 }), 'unknown'],
  ['in another currency', rewrite({ currency: 'USD' }), 'unknown'],
  ['about a payment', rewrite({ operation_type: 'payment' }), 'unknown'],
  ['without an id', rewrite({ id: undefined }), 'unknown'],
  ['with an unknown status', rewrite({ status: 'refunded' }), 'unknown'],
  ['that is pending', rewrite({ status: 'Pending' }), 'pending'],
  ['that failed', rewrite({ status: 'Failed' }), 'refused'],
  ['that is lost', { kind: 'drop', when: 'after' }, 'unknown'],
  ['that does not arrive', { kind: 'hang', apply: true }, 'unknown'],
])('a refund with an answer %s is sent once, and its state follows', async (_what, fault, state) => {
  await using client = await openTestGateway({ deadlines: fault.kind === 'hang' ? SHORT : LONG });
  const gatewayId = await newPayment(client);
  client.simulator.control.fault('refund', fault);

  expect((await client.gateway.refundPayment(refundOf(gatewayId))).state).toBe(state);
  expect(client.simulator.control.calls('refund')).toHaveLength(1);
});

test('the lookup of a card payment does not accept a refund as a payment', async () => {
  await using client = await openTestGateway();
  // Only this profile has a lookup of refunds.
  client.simulator.control.setProfile('interface');
  const gatewayId = await newPayment(client);
  await client.gateway.refundPayment(refundOf(gatewayId));
  const [refund] = client.simulator.control.refunds();

  await expect(client.gateway.lookUp('card', refund?.id ?? '')).rejects.toThrow('bad_answer');
});

test.each([
  { event: 'refund_Success', id: 'r-1', original_transaction_id: 'p-1' },
  { id: 'r-1', operation_type: 'REFUND', original_transaction_id: 'p-1' },
  { data: { id: 'r-1', original_transaction_id: 'p-1' } },
])('the event %j names a refund and its payment, and no payment by its own id', (event) => {
  const hint = readWebhook({ ...event, amount: 1, status: 'Success' });

  expect(hint).toMatchObject({ ids: [], refund: { gatewayRefundId: 'r-1', gatewayId: 'p-1' } });
});
