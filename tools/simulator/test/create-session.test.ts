import { describe, expect, test } from '@jest/globals';
import { call, newSession, put, readSession, sessionBody, start } from './support.js';

const route = 'POST /checkout/v1/sessions';
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

describe('creating a session', () => {
  test('answers 201 with every member of the session object', async () => {
    await using sim = await start();

    const { status, body } = await call(sim, route, { body: sessionBody({ metadata: { order: 'ORD-1' } }) });

    expect(status).toBe(201);
    expect(body).toEqual({
      ...sessionBody(),
      id: expect.stringMatching(/^cs_[0-9]+_[0-9]+_[0-9a-f]{48}$/),
      url: `${sim.url}/checkout/${body.id}`,
      status: 'pending',
      transaction_status: 'Pending',
      payment_id: expect.any(Number),
      expires_at: expect.any(Number),
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

  test('without expires_at ends after 24 hours, in seconds, while the other times are milliseconds', async () => {
    await using sim = await start();

    const session = await newSession(sim);

    expect(session.expires_at).toBe(Math.floor(session.created_at / 1000) + 86_400);
    expect(session.metadata).toEqual({});
  });

  test('is answered at both address forms, and each can read what the other made', async () => {
    await using sim = await start();

    const made = await call(sim, 'POST /api/v1/checkout/v1/sessions', { body: sessionBody() });
    const read = await call(sim, `GET /api/v1/checkout/v1/sessions/${made.body.id}`);

    expect(made.status).toBe(201);
    expect(read.body).toEqual(await readSession(sim, made.body.id));
  });

  test.each([
    ['success_url alone', { return_url: undefined, success_url: 'https://shop.example/ok' }],
    ['an end in 30 minutes', { expires_at: inSeconds(30 * 60) }],
    ['an end in 24 hours', { expires_at: inSeconds(24 * 3600) }],
    [
      'card named as the method',
      { payment_method_types: ['card'], checkout_type: 'hosted', session_type: 'payment' },
    ],
    ['items whose sum differs from the total', { amount_total: 1 }],
    ['members nobody knows', { surprise: true }],
    ['a loopback address to return to', { return_url: 'http://localhost:3000/back' }],
    ['an appearance of its own', { ui_config: { branding: {} }, ui_config_version: 'V2' }],
  ])('accepts %s', async (_what, changes) => {
    await using sim = await start();

    expect((await call(sim, route, { body: sessionBody(changes) })).status).toBe(201);
  });

  test.each([
    ['customer', undefined],
    ['customer.first_name', undefined],
    ['customer.last_name', 5],
    ['customer.email', undefined],
    ['amount_total', undefined],
    ['amount_total', '24990'],
    ['currency', undefined],
    ['line_items', undefined],
    ['line_items', {}],
    ['line_items.0.name', undefined],
    ['line_items.0.quantity', undefined],
    ['line_items.0.unit_price', undefined],
    ['line_items.0.product_id', 7],
    ['metadata', 'text'],
    ['return_url', undefined],
    ['external_id', 7],
    ['expires_at', '1800000000'],
    ['ui_config', []],
  ])('refuses with 400 when %s is %p', async (path, value) => {
    await using sim = await start();

    const { status, body } = await call(sim, route, { body: put(sessionBody(), path, value) });

    expect(status).toBe(400);
    expect(Object.keys(body.error.details)).toEqual([path]);
    expect(body).toMatchObject({ error: { code: 'missing_field', type: 'request_error' } });
    expect(body.request_id).toEqual(expect.any(String));
  });

  test.each([
    ['customer.email', 'eva at example', 'invalid_email'],
    ['customer.email', `${'a'.repeat(320)}@example.com`, 'invalid_email'],
    ['customer.first_name', '  ', 'validation_error'],
    ['customer.first_name', 'x'.repeat(256), 'validation_error'],
    ['amount_total', 0, 'invalid_amount'],
    ['amount_total', -5, 'invalid_amount'],
    ['currency', 'USD', 'invalid_currency'],
    ['currency', 'mxn', 'invalid_currency'],
    ['line_items', [], 'validation_error'],
    ['line_items.0.quantity', 0, 'validation_error'],
    ['line_items.0.unit_price', -1, 'validation_error'],
    ['return_url', 'javascript:alert(1)', 'validation_error'],
    ['success_url', '/relative', 'validation_error'],
    ['pending_url', 'not an address', 'validation_error'],
    ['payment_method_types.0', 'oxxopay', 'validation_error'],
    ['checkout_type', 'embedded', 'validation_error'],
    ['session_type', 'setup', 'validation_error'],
    ['expires_at', inSeconds(29 * 60), 'validation_error'],
    ['expires_at', inSeconds(24 * 3600 + 60), 'validation_error'],
  ])('refuses with 422 when %s breaks its rule (%#)', async (path, value, code) => {
    await using sim = await start();
    const body = put(sessionBody({ payment_method_types: ['card'] }), path, value);

    const answer = await call(sim, route, { body });

    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({ code, type: 'validation_error' });
    expect(Object.keys(answer.body.error.details)).toEqual([path]);
  });

  test.each([24_990.5, 9_007_199_254_740_992])(
    'refuses the amount %p, which is no safe integer',
    async (amount) => {
      await using sim = await start();

      const { status, body } = await call(sim, route, { body: sessionBody({ amount_total: amount }) });

      expect([400, 422]).toContain(status);
      expect(body.error.details).toHaveProperty('amount_total');
    },
  );

  test('names every violated member at once', async () => {
    await using sim = await start();
    const wrong = sessionBody({ currency: 'USD', amount_total: 0, return_url: undefined, expires_at: 1 });

    const { body } = await call(sim, route, { body: wrong });

    expect(new Set(Object.keys(body.error.details))).toEqual(
      new Set(['amount_total', 'currency', 'expires_at', 'return_url']),
    );
  });

  test.each([
    ['no JSON', '{'],
    ['an array', '[]'],
    ['nothing', ''],
  ])('refuses a body that is %s with 400', async (_what, text) => {
    await using sim = await start();

    const { status, body } = await call(sim, route, { body: text });

    expect(status).toBe(400);
    expect(body.error.code).toBe('malformed_request');
  });

  test('refuses another content type with 400', async () => {
    await using sim = await start();

    const headers = { 'Content-Type': 'text/plain' };

    expect((await call(sim, route, { body: sessionBody(), headers })).status).toBe(400);
  });

  test('refuses a body over the size limit with 413 and goes on', async () => {
    await using sim = await start();

    const { status } = await call(sim, route, { body: 'x'.repeat(1_100_000) });

    expect(status).toBe(413);
    expect((await call(sim, route, { body: sessionBody() })).status).toBe(201);
  });
});

describe('the authorization header', () => {
  const routes = [
    route,
    'GET /checkout/v1/sessions/x',
    'POST /api/v1/process/',
    'GET /api/v1/transactions/x/',
    'POST /api/v1/tokenization/auth/',
  ];

  test.each(routes)('is needed by %s', async (guarded) => {
    await using sim = await start();

    for (const Authorization of [
      'Bearer test_key_of_a_test',
      'Token wrong',
      'token test_key_of_a_test',
      '',
    ]) {
      const { status, body } = await call(sim, guarded, { headers: { Authorization } });
      expect(status).toBe(401);
      expect(body.error.type).toBe('auth_error');
    }
  });

  test('is checked before the body', async () => {
    await using sim = await start();

    const { status } = await call(sim, route, { body: '{', headers: { Authorization: 'Token wrong' } });

    expect(status).toBe(401);
  });
});

describe('unknown things', () => {
  test.each([
    'GET /checkout/v1/sessions/cs_unknown',
    'GET /api/v1/transactions/unknown/',
    'POST /api/v1/refunds/',
  ])('%s is answered with 404 and the documented body', async (unknown) => {
    await using sim = await start();

    const { status, body } = await call(sim, unknown);

    expect(status).toBe(404);
    expect(body.error).toMatchObject({ code: 'not_found', type: 'request_error', details: {} });
  });
});

describe('the x-idempotency-key', () => {
  const headers = { 'x-idempotency-key': 'attempt-1' };

  test('gives the same session within five seconds and a new one after', async () => {
    await using sim = await start();
    const send = async () => (await call(sim, route, { body: sessionBody(), headers })).body.id;

    const first = await send();
    sim.control.advanceClock(4_000);
    const second = await send();
    sim.control.advanceClock(2_000);
    const third = await send();

    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect(sim.control.sessions()).toHaveLength(2);
  });

  test('when absent every call makes a session', async () => {
    await using sim = await start();

    await newSession(sim);
    await newSession(sim);

    expect(sim.control.sessions()).toHaveLength(2);
  });
});
