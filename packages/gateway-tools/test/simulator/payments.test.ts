import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Simulator } from '../../src/simulator/simulator.js';
import {
  call,
  cards,
  createPayment,
  createSession,
  paymentBody,
  readPayment,
  readSession,
  sessionBody,
  start,
} from './support.js';

let sim: Simulator;

beforeEach(async () => {
  sim = await start();
});

afterEach(() => sim.close());

const route = 'POST /api/v1/process/';

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

test.each([0.01, 19.99, 4.35, 14_999_999.99])('the amount %p is charged exactly', async (amount) => {
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

test('a repeated x-idempotency-key of a session returns the same session for 5 s and then a new one', async () => {
  const startedAt = Date.now();
  await using sim = await start({ now: () => startedAt });
  const headers = { 'x-idempotency-key': 'attempt-1' };
  const create = async (body: object) => (await call(sim, 'POST /checkout/v1/sessions', { body, headers })).body.id;

  const body = sessionBody();
  const first = await create(body);
  sim.control.advanceClock(4_000);
  const second = await create(body);
  sim.control.advanceClock(2_000);

  expect(second).toBe(first);
  expect(await create(sessionBody())).not.toBe(first);
});

test.each([
  ['interface', 409],
  ['minimal', 409],
  ['public-docs', 201],
] as const)(
  'in the profile %s a second session with the external_id of an ended one is answered with %i',
  async (profile, expected) => {
    await using sim = await start({ profile });
    const body = sessionBody();
    const first = (await call(sim, 'POST /checkout/v1/sessions', { body })).body;
    sim.control.expireSession(first.id);

    const { status } = await call(sim, 'POST /checkout/v1/sessions', { body });

    expect(status).toBe(expected);
    expect(sim.control.sessions()).toHaveLength(expected === 409 ? 1 : 2);
  },
);

test('sessions without an external_id are created in any number', async () => {
  await createSession(sim, { external_id: undefined });
  await createSession(sim, { external_id: undefined });

  expect(sim.control.sessions()).toHaveLength(2);
});

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

test.each([
  ['interface', true],
  ['public-docs', false],
] as const)('the lookup of a paid session in the profile %s has its lines: %j', async (profile, hasLines) => {
  await using sim = await start({ profile });
  const { id } = await createSession(sim);
  sim.control.paySession(id);

  expect('line_items' in (await readSession(sim, id))).toBe(hasLines);
});
