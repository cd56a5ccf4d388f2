import { describe, expect, test } from '@jest/globals';
import type { Call, Fault } from '../faults.js';
import { rewrite } from '../inject-fault.js';
import { call, createSession, paymentBody, readSession, sessionBody, start, until } from './support.js';

const create = 'POST /checkout/v1/sessions';

describe('a planned fault', () => {
  test('the fault status replaces the response, and the call has no effect', async () => {
    await using sim = await start();
    const headers = { 'X-A': 'b' };
    sim.control.fault('create-session', { kind: 'status', status: 503, body: { a: 1 }, headers });

    const response = await call(sim, create, { body: sessionBody() });

    expect(response).toMatchObject({ status: 503, body: { a: 1 } });
    expect(response.headers.get('x-a')).toBe('b');
    expect(sim.control.sessions()).toEqual([]);
  });

  test.each<Fault>([
    { kind: 'status', status: 500, apply: true },
    { kind: 'raw', status: 201, body: '', apply: true },
    { kind: 'drop', when: 'after' },
    { kind: 'hang', apply: true },
    { kind: 'latency', ms: 60_000 },
  ])('with the fault %j the call has its effect', async (fault) => {
    await using sim = await start();
    sim.control.fault('create-session', fault);

    call(sim, create, { body: sessionBody() }).catch(() => undefined);

    await until(() => sim.control.sessions().length === 1);
  });

  test.each([
    ['before', 0],
    ['after', 1],
  ] as const)('the fault drop %s the effect cuts the connection', async (when, sessions) => {
    await using sim = await start();
    sim.control.fault('create-session', { kind: 'drop', when });

    await expect(call(sim, create, { body: sessionBody() })).rejects.toThrow('fetch failed');

    expect(sim.control.sessions()).toHaveLength(sessions);
    expect(sim.control.calls()[0]?.status).toBeUndefined();
  });

  test('the fault hang ends when the simulator closes', async () => {
    const sim = await start();
    sim.control.fault('create-session', { kind: 'hang' });
    const ended = expect(call(sim, create, { body: sessionBody() })).rejects.toThrow('fetch failed');
    await until(() => sim.control.calls().length === 1);

    await sim.close();

    await ended;
    expect(sim.control.sessions()).toEqual([]);
  });

  test('the fault hold has its effect at once and responds after release', async () => {
    await using sim = await start();
    sim.control.fault('create-session', { kind: 'hold' }, 1);

    const held = call(sim, create, { body: sessionBody() });
    await until(() => sim.control.sessions().length === 1);
    const other = call(sim, create, { body: sessionBody() }).then(() => 'other');
    expect(await Promise.race([held, other])).toBe('other');
    sim.control.release();

    expect((await held).status).toBe(201);
  });

  test.each<Fault>([
    { kind: 'latency', ms: 40 },
    { kind: 'drip', bytesPerSecond: 20_000 },
  ])('the fault %j delays the real response', async (fault) => {
    await using sim = await start();
    const { id } = await createSession(sim);
    sim.control.fault('read-session', fault);

    const startedAt = performance.now();
    expect((await readSession(sim, id)).id).toBe(id);

    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(30);
  });

  test.each([
    ['\uFEFF{}', 'application/octet-stream'],
    ['', 'text/plain'],
  ])('the fault raw sends the body %j exactly', async (body, contentType) => {
    await using sim = await start();
    sim.control.fault('read-session', { kind: 'raw', body, contentType });

    const response = await fetch(`${sim.url}/checkout/v1/sessions/x`);

    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(body));
    expect(response.headers.get('content-type')).toContain(contentType);
  });

  test('the fault rewrite changes fields of the real response', async () => {
    await using sim = await start();
    const { id } = await createSession(sim);
    const set = { amount_total: 1, 'customer.email': 'x@y.z' };
    sim.control.fault('read-session', { kind: 'rewrite', set, remove: ['url', 'customer.last_name'] });

    const session = await readSession(sim, id);

    expect(session).toMatchObject({ id, amount_total: 1 });
    expect(session.customer).toEqual({ first_name: 'Eva', email: 'x@y.z' });
    expect(session).not.toHaveProperty('url');
  });

  test('a rewrite of __proto__ creates an own field', () => {
    const body = rewrite({ id: 1 }, JSON.parse('{"__proto__.polluted":true}'));

    expect(JSON.stringify(body)).toBe('{"id":1,"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('the faults huge and gzip-bomb send as many bytes as planned', async () => {
    await using sim = await start();
    sim.control.fault('read-session', { kind: 'huge', bytes: 1_000_000 }, 1);
    sim.control.fault('read-session', { kind: 'gzip-bomb', bytes: 2_000_000 }, 1);

    expect((await call(sim, 'GET /checkout/v1/sessions/x')).body.id).toHaveLength(1_000_000);
    const compressed = await call(sim, 'GET /checkout/v1/sessions/x');
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    expect(compressed.body.id).toHaveLength(2_000_000);
  });

  test('a rate limit answers 429 with Retry-After', async () => {
    await using sim = await start();
    sim.control.rateLimit('process', 60, 1);

    const limited = await call(sim, 'POST /api/v1/process/');

    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '60']);
    expect(limited.body.error).toMatchObject({ code: 'rate_limit_exceeded', retry_after: 60 });
    expect((await call(sim, 'POST /api/v1/process/', { body: paymentBody(sim) })).status).toBe(201);
  });
});

describe('the queue of faults', () => {
  test('faults apply in order, each as often as planned, and without a number until clearFaults', async () => {
    await using sim = await start();
    const { id } = await createSession(sim);
    sim.control.fault('read-session', { kind: 'status', status: 500 }, 2);
    sim.control.fault('read-session', { kind: 'status', status: 502 }, 1);
    const status = async () => (await call(sim, `GET /checkout/v1/sessions/${id}`)).status;

    expect([await status(), await status(), await status(), await status()]).toEqual([500, 500, 502, 200]);
    sim.control.fault('read-session', { kind: 'status', status: 500 });
    expect([await status(), await status(), await status()]).toEqual([500, 500, 500]);
    sim.control.clearFaults();
    expect(await status()).toBe(200);
  });

  test.each<[Call, string]>([
    ['create-session', create],
    ['read-session', 'GET /checkout/v1/sessions/x'],
    ['process', 'POST /api/v1/process/'],
    ['read-transaction', 'GET /api/v1/transactions/x/'],
    ['tokenization-auth', 'POST /api/v1/tokenization/auth/'],
    ['tokenize', 'POST /vault/v1/gateway/inboundRoutes/demo/token'],
  ])('a fault of %s applies to %s, and the call is recorded', async (name, route) => {
    await using sim = await start();
    sim.control.fault(name, { kind: 'status', status: 418 });

    expect((await call(sim, route)).status).toBe(418);

    const [recorded] = sim.control.calls(name);
    const [method, path] = route.split(' ');
    expect(recorded).toMatchObject({ call: name, method, path, status: 418 });
    expect(recorded?.headers['authorization']).toBe('Token [redacted]');
  });
});
