/** Records what the client sends in each call. Nothing is sent. */
import { centavos } from '@tianguis/payments/rules';
import { accessToken, processPayment, readTransaction } from '../../src/gateway/card-payments.js';
import type { Connection, GatewaySettings } from '../../src/gateway/connection.js';
import { type GatewayCall, GatewayError } from '../../src/gateway/errors.js';
import { readSession, startSession } from '../../src/gateway/hosted-sessions.js';
import type { GatewayRequest } from '../../src/gateway/http.js';
import { readRefund, refundPayment } from '../../src/gateway/refunds.js';

export interface RecordedRequest extends GatewayRequest {
  readonly server: 'base_url' | 'checkout_api_url';
}

const NOW = Date.UTC(2026, 0, 1);

/** Orders that differ in each value. The last one lacks the optional settings. */
const SAMPLES = [
  {
    count: 1,
    id: '0190d4c8-0000-7000-8000-000000000001',
    name: 'Ana',
    brandColor: () => '#4f2a86',
    signingSecret: 'one',
  },
  {
    count: 2,
    id: '0190d4c8-0000-7000-8000-000000000002',
    name: 'Beto',
    brandColor: () => '#00695c',
    signingSecret: 'two',
  },
  { count: 3, id: '0190d4c8-0000-7000-8000-000000000003', name: 'Carla' },
] as const;
type Sample = (typeof SAMPLES)[number];

const SEND: Readonly<Record<GatewayCall, (connection: Connection, sample: Sample) => Promise<unknown>>> = {
  'process-payment': (connection, sample) =>
    processPayment(connection, { ...orderOf(sample), tokens: tokensOf(sample) }),
  'read-transaction': (connection, { id }) => readTransaction(connection, id),
  'create-session': (connection, sample) => startSession(connection, orderOf(sample), NOW),
  'read-session': (connection, { id }) => readSession(connection, id),
  'refund-payment': (connection, sample) => refundPayment(connection, refundOf(sample)),
  'read-refund': (connection, sample) => readRefund(connection, sample.id, refundOf(sample)),
  'access-token': (connection) => accessToken(connection),
};

const amountOf = ({ count }: Sample) => centavos(count * 125_05);

function orderOf(sample: Sample) {
  const { count, id, name } = sample;
  const amount = amountOf(sample);
  return {
    idempotencyKey: id,
    reference: `T-${name}`,
    orderNumber: `N-${name}`,
    amount,
    returnUrl: `https://shop.example/checkout/return/${id}`,
    expiresAt: NOW + count * 3_600_000,
    contact: { firstName: name, lastName: `${name} Luna`, email: `${name}@example.com` },
    lines: [{ productId: `p-${name}`, name: `Taza ${name}`, unitPrice: amount, quantity: count, taxRate: '16' }],
  } as const;
}

function refundOf(sample: Sample) {
  return { idempotencyKey: `r-${sample.id}`, gatewayId: sample.id, amount: amountOf(sample) };
}

function tokensOf({ count, id }: Sample) {
  const number = `${count}111-1111-1111-0000`;
  return { card_number: number, cardholder_name: id, cvv: id, expiration_month: id, expiration_year: id };
}

/** Returns the request of a call for each sample. Its path has `{id}` for the id of the gateway. */
export function recordRequests(call: GatewayCall): Promise<readonly RecordedRequest[]> {
  return Promise.all(SAMPLES.map((sample) => record(call, sample)));
}

async function record(call: GatewayCall, sample: Sample): Promise<RecordedRequest> {
  let recorded: RecordedRequest | undefined;
  const sendTo = (server: RecordedRequest['server']) => (request: GatewayRequest) => {
    recorded = { ...request, path: request.path.replace(sample.id, '{id}'), server };
    return Promise.reject(new GatewayError({ call, code: 'unreachable' }));
  };
  const settings: GatewaySettings = {
    production: true,
    baseUrl: '',
    checkoutApiUrl: '',
    pageOrigins: [],
    apiKey: '',
    signingSecret: undefined,
    signingText: 'utf8',
    ...sample,
  };
  const connection = { settings, payments: sendTo('base_url'), checkout: sendTo('checkout_api_url') };
  await SEND[call]({ ...connection, [Symbol.dispose]() {} }, sample).catch(() => undefined);
  if (!recorded) throw new Error(`${call} sent no request`);
  return recorded;
}
