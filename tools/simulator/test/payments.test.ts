import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Simulator } from '../simulator.js';
import { call, cards, createPayment, paymentBody, readPayment, start, withField } from './support.js';

let sim: Simulator;

beforeEach(async () => {
  sim = await start();
});

afterEach(() => sim.close());

const route = 'POST /api/v1/process/';

test('a card without 3D Secure is authorized and charged', async () => {
  const { status, body } = await call(sim, route, { body: paymentBody(sim) });

  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    operation_type: 'payment',
    status: 'authorized',
    amount: 249.9,
    currency: 'MXN',
    payment_id: expect.any(Number),
    transaction_id: expect.stringMatching(/^[0-9]+$/),
    created_at: expect.stringMatching(/^[0-9-]+T[0-9:.]+Z$/),
  });
  expect(sim.control.ledger()).toEqual([
    expect.objectContaining({ kind: 'payment', id: body.id, amountMinor: 24_990, reference: 'ORD-1' }),
  ]);
});

test.each([
  [cards.authorized, 'authorized', 1],
  [cards.declined, 'declined', 0],
  ['4000000000000093', 'authorized', 1],
  ['4242424242424242', 'authorized', 1],
  [cards.challenge, 'pending', 0],
  [cards.challengeDeclined, 'pending', 0],
])('card %s has the status %s in response and lookup, with %i charges', async (card, status, charges) => {
  const payment = await createPayment(sim, card);

  expect(payment.status).toBe(status);
  expect((await readPayment(sim, payment.id)).status).toBe(status);
  expect(sim.control.ledger()).toHaveLength(charges);
});

test('a processing error answers 500 and leaves no record', async () => {
  const { status, body } = await call(sim, route, { body: paymentBody(sim, cards.processingError) });

  expect([status, body.error.code]).toEqual([500, 'processing_error']);
  expect([sim.control.payments(), sim.control.ledger()]).toEqual([[], []]);
});

test('a decline with the setting 402 has that HTTP status and the payment', async () => {
  sim.control.settings({ declineHttpStatus: 402 });

  const { status, body } = await call(sim, route, { body: paymentBody(sim, cards.declined) });

  expect([status, body.status]).toEqual([402, 'declined']);
});

test.each([
  ['amount', undefined, 400],
  ['payment_method.card_number', undefined, 400],
  ['operation_type', 'capture', 422],
  ['amount', 0, 422],
  ['amount', 10.005, 422],
  ['customer.email', 'eva', 422],
  ['payment_method.card_number', '4000000000000077', 422],
])('a payment whose %s is %j is refused with %i and charges nothing', async (path, value, expected) => {
  const { status, body } = await call(sim, route, { body: withField(paymentBody(sim), path, value) });

  expect(status).toBe(expected);
  expect(Object.keys(body.error.details)).toEqual([path]);
  expect(sim.control.payments()).toEqual([]);
});

test.each([0.01, 19.99, 4.35, 14_999_999.99])('the amount %j is charged exactly', async (amount) => {
  await call(sim, route, { body: { ...paymentBody(sim), amount } });

  expect(sim.control.ledger()[0]?.amountMinor).toBe(Number((amount * 100).toFixed(0)));
});

test('a repeated X-Request-Id with the same body returns the stored response and charges once', async () => {
  const body = paymentBody(sim, cards.challenge);
  const headers = { 'X-Request-Id': 'request-1' };

  const first = await call(sim, route, { body, headers });
  sim.control.approve(first.body.id);
  const second = await call(sim, route, { body, headers });

  expect([second.status, second.body]).toEqual([first.status, first.body]);
  expect((await readPayment(sim, first.body.id)).status).toBe('authorized');
  expect(sim.control.ledger()).toHaveLength(1);
});

test('a repeated X-Request-Id with another body is refused with 422', async () => {
  const headers = { 'X-Request-Id': 'request-1' };
  await call(sim, route, { body: paymentBody(sim), headers });

  const { status, body } = await call(sim, route, { body: paymentBody(sim), headers });

  expect([status, body.error.code]).toEqual([422, 'idempotency_conflict']);
  expect(sim.control.ledger()).toHaveLength(1);
});

/** `JSON.stringify` with a list of names writes the fields in that order at every depth. */
function canonical(body: object): string {
  const names = new Set<string>();
  JSON.stringify(body, (name, value) => {
    names.add(name);
    return value;
  });
  return JSON.stringify(
    body,
    [...names].sort((left, right) => (left < right ? -1 : 1)),
  );
}

const sign = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('base64');

test.each([
  ['both', 201, 201],
  ['ascii', 201, 401],
  ['utf8', 401, 201],
] as const)(
  'with signingText %s a signature over escaped accents gets %i and over plain ones %i',
  async (signingText, escaped, plain) => {
    sim.control.settings({ signingSecret: 'secret', signingText });
    const body = { ...paymentBody(sim), customer: { name: 'José Núñez', email: 'jose@example.com' } };
    const utf8 = canonical(body);
    const ascii = utf8.replace('José Núñez', String.raw`Jos\u00e9 N\u00fa\u00f1ez`);
    const status = async (signature: string) => {
      const headers = { 'X-Signature-Transaction': signature };
      return (await call(sim, route, { body, headers })).status;
    };

    expect((await call(sim, route, { body })).status).toBe(401);
    expect(await status(sign(utf8, 'other'))).toBe(401);
    expect(await status(sign(JSON.stringify(body), 'secret'))).toBe(401);
    expect([await status(sign(ascii, 'secret')), await status(sign(utf8, 'secret'))]).toEqual([
      escaped,
      plain,
    ]);
  },
);

test.each([
  ['approve', cards.challenge, 'authorized', 1],
  ['refuse', cards.challenge, 'declined', 0],
  ['approve', cards.challengeDeclined, 'declined', 0],
] as const)('the bank’s answer %s for card %s results in %s', async (answer, card, status, charges) => {
  const { id } = await createPayment(sim, card);

  sim.control[answer](id);
  sim.control.approve(id);

  expect((await readPayment(sim, id)).status).toBe(status);
  expect(sim.control.ledger()).toHaveLength(charges);
});

test('a challenge without an answer expires after 30 minutes, and a late approval charges nothing', async () => {
  const { id } = await createPayment(sim, cards.challenge);

  sim.control.advanceClock(30 * 60_000);
  sim.control.approve(id);

  expect((await readPayment(sim, id)).status).toBe('expired');
  expect(sim.control.ledger()).toEqual([]);
});
