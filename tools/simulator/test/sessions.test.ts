import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Simulator } from '../simulator.js';
import { call, sessionBody, start, withField } from './support.js';

let sim: Simulator;

beforeEach(async () => {
  sim = await start();
});

afterEach(() => sim.close());

const route = 'POST /checkout/v1/sessions';
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

test('creating a session answers 201 with every field of the session object', async () => {
  const { status, body } = await call(sim, route, { body: sessionBody({ metadata: { order: 'ORD-1' } }) });

  expect(status).toBe(201);
  expect(body).toEqual({
    ...sessionBody(),
    id: expect.stringMatching(/^cs_[0-9]+_[0-9]+_[0-9a-f]{48}$/),
    url: `${sim.url}/checkout/${body.id}`,
    status: 'pending',
    transaction_status: 'Pending',
    payment_id: expect.any(Number),
    expires_at: Math.floor(body.created_at / 1000) + 86_400,
    session_type: 'payment',
    checkout_type: 'hosted',
    success_url: null,
    pending_url: null,
    metadata: { order: 'ORD-1' },
    payment_method_types: ['card'],
    ui_config: {},
    ui_config_version: 'V1',
    created_at: expect.any(Number),
    modified_at: expect.any(Number),
    paid_at: null,
    provider: expect.any(String),
  });
});

test.each([
  ['an expiry in 30 minutes', { expires_at: inSeconds(30 * 60) }],
  ['an expiry in 24 hours', { expires_at: inSeconds(24 * 3600) }],
  ['items whose sum differs from the total', { amount_total: 1 }],
  ['a loopback return address', { return_url: 'http://localhost:3000/back' }],
])('a session with %s is created', async (_case, changes) => {
  expect((await call(sim, route, { body: sessionBody(changes) })).status).toBe(201);
});

test.each([
  ['amount_total', undefined, 400, 'missing_field'],
  ['line_items.0.name', undefined, 400, 'missing_field'],
  ['customer.email', 'eva at example', 422, 'invalid_email'],
  ['amount_total', 0, 422, 'invalid_amount'],
  ['currency', 'USD', 422, 'invalid_currency'],
  ['line_items', [], 422, 'validation_error'],
  ['return_url', 'javascript:alert(1)', 422, 'validation_error'],
  ['expires_at', inSeconds(29 * 60), 422, 'validation_error'],
  ['expires_at', inSeconds(24 * 3600 + 60), 422, 'validation_error'],
])('a session whose %s is %j is refused with %i and %s', async (path, value, expected, code) => {
  const { status, body } = await call(sim, route, { body: withField(sessionBody(), path, value) });

  expect([status, body.error.code]).toEqual([expected, code]);
  expect(Object.keys(body.error.details)[0]).toContain(path);
  expect(body.request_id).toEqual(expect.any(String));
});

test.each([
  ['incomplete JSON', '{', 400],
  ['empty', '', 400],
  ['1.1 MB long', 'x'.repeat(1_100_000), 413],
])('a body that is %s is refused', async (_case, body, expected) => {
  const response = await call(sim, route, { body });

  expect(response.status).toBe(expected);
  expect(response.body.error.code).toBe('malformed_request');
});

test('a path without its slash at the end is answered with 404 in JSON', async () => {
  const { status, body } = await call(sim, 'POST /api/v1/process');

  expect(status).toBe(404);
  expect(body.error).toMatchObject({ code: 'not_found', type: 'request_error', details: {} });
});

test('a repeated x-idempotency-key returns the same session for 5 s and then a new one', async () => {
  const headers = { 'x-idempotency-key': 'attempt-1' };
  const create = async () => (await call(sim, route, { body: sessionBody(), headers })).body.id;

  const first = await create();
  sim.control.advanceClock(4_000);
  const second = await create();
  sim.control.advanceClock(2_000);
  const third = await create();

  expect(second).toBe(first);
  expect(third).not.toBe(first);
});
