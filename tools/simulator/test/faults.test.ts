import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { Call, Fault } from '../faults.js';
import { rewrite } from '../rewrite.js';
import { call, newSession, paymentBody, readSession, sessionBody, start, until } from './support.js';

const create = 'POST /checkout/v1/sessions';

describe('a planned fault', () => {
  test('any status is answered with its body and headers, and nothing happens', async () => {
    await using sim = await start();
    sim.control.fault('create-session', {
      kind: 'status',
      status: 503,
      body: { a: 1 },
      headers: { 'X-A': 'b' },
    });

    const answer = await call(sim, create, { body: sessionBody() });

    expect(answer).toMatchObject({ status: 503, body: { a: 1 } });
    expect(answer.headers.get('x-a')).toBe('b');
    expect(sim.control.sessions()).toEqual([]);
  });

  test.each<Fault>([
    { kind: 'status', status: 500, apply: true },
    { kind: 'raw', status: 201, body: '', apply: true },
    { kind: 'drop', when: 'after' },
    { kind: 'hang', apply: true },
  ])('$kind can spoil the answer after the effect', async (fault) => {
    await using sim = await start();
    sim.control.fault('create-session', fault);

    call(sim, create, { body: sessionBody() }).catch(() => undefined);

    await until(() => sim.control.sessions().length === 1);
  });

  test.each<Fault>([
    { kind: 'drop', when: 'before' },
    { kind: 'drop', when: 'after' },
  ])('the connection is cut $when the effect', async (fault) => {
    await using sim = await start();
    sim.control.fault('create-session', fault);

    await expect(call(sim, create, { body: sessionBody() })).rejects.toThrow('fetch failed');

    expect(sim.control.sessions()).toHaveLength(fault.kind === 'drop' && fault.when === 'after' ? 1 : 0);
    expect(sim.control.calls()[0]?.status).toBeUndefined();
  });

  test('a hanging call ends when the simulator does', async () => {
    const sim = await start();
    sim.control.fault('create-session', { kind: 'hang' });
    const hanging = call(sim, create, { body: sessionBody() });
    const ended = expect(hanging).rejects.toThrow('fetch failed');
    await until(() => sim.control.calls().length === 1);

    await sim.close();

    await ended;
    expect(sim.control.sessions()).toEqual([]);
  });

  test('latency delays the answer, not the effect', async () => {
    await using sim = await start();
    const { id } = await newSession(sim);
    sim.control.fault('read-session', { kind: 'latency', ms: 40 });

    const before = performance.now();
    const session = await readSession(sim, id);

    expect(performance.now() - before).toBeGreaterThanOrEqual(35);
    expect(session.id).toBe(id);
  });

  test('a held answer has applied its effect, and comes when it is let go', async () => {
    await using sim = await start();
    sim.control.fault('create-session', { kind: 'review' }, 1);

    const held = call(sim, create, { body: sessionBody() });
    await until(() => sim.control.sessions().length === 1);
    const first = await Promise.race([
      held,
      call(sim, create, { body: sessionBody() }).then(() => 'another'),
    ]);
    sim.control.release();

    expect(first).toBe('another');
    expect((await held).status).toBe(201);
  });

  test('a latency that outlasts its caller has applied its effect at once', async () => {
    await using sim = await start();
    sim.control.fault('process', { kind: 'latency', ms: 60_000 });

    call(sim, 'POST /api/v1/process/', { body: paymentBody(sim) }).catch(() => undefined);

    await until(() => sim.control.ledger().length === 1);
  });

  test('a drip gives the true answer piece by piece', async () => {
    await using sim = await start();
    const { id } = await newSession(sim);
    sim.control.fault('read-session', { kind: 'drip', bytesPerSecond: 100_000 });

    expect((await readSession(sim, id)).id).toBe(id);
  });

  test.each([
    ['HTML', '<h1>no</h1>', 'text/html'],
    ['a byte order mark', '\uFEFF{}', 'application/octet-stream'],
    ['NaN', '{"amount":NaN}', 'text/plain'],
    ['nothing', '', 'text/plain'],
  ])('raw sends %s exactly', async (_what, body, contentType) => {
    await using sim = await start();
    sim.control.fault('read-session', { kind: 'raw', body, contentType });

    const response = await fetch(`${sim.url}/checkout/v1/sessions/x`);

    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(body));
    expect(response.headers.get('content-type')).toContain(contentType);
  });

  test('rewrite keeps the real answer but for some members', async () => {
    await using sim = await start();
    const { id } = await newSession(sim);
    const set = { amount_total: 1, 'customer.email': 'x@y.z' };
    sim.control.fault('read-session', { kind: 'rewrite', set, remove: ['url', 'customer.last_name'] });

    const session = await readSession(sim, id);

    expect(session).toMatchObject({ id, amount_total: 1, customer: { first_name: 'Eva', email: 'x@y.z' } });
    expect(session).not.toHaveProperty('url');
    expect(session.customer).not.toHaveProperty('last_name');
  });

  test('huge sends as many bytes as wished', async () => {
    await using sim = await start();
    sim.control.fault('read-session', { kind: 'huge', bytes: 1_000_000 });

    expect((await call(sim, 'GET /checkout/v1/sessions/x')).body.id).toHaveLength(1_000_000);
  });

  test('a gzip bomb is small on the wire and large when decoded', async () => {
    await using sim = await start();
    sim.control.fault('read-session', { kind: 'gzip-bomb', bytes: 2_000_000 });

    const response = await fetch(`${sim.url}/checkout/v1/sessions/x`);

    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect((await response.text()).length).toBeGreaterThan(2_000_000);
    expect(gzipSync(Buffer.alloc(2_000_000, 'a')).length).toBeLessThan(10_000);
  });

  test('a caller that hangs up in the middle of a bomb leaves the simulator standing', async () => {
    await using sim = await start();
    sim.control.fault('read-session', { kind: 'huge', bytes: 100_000_000 }, 1);
    const response = await fetch(`${sim.url}/checkout/v1/sessions/x`);
    await response.body?.cancel();

    expect((await call(sim, create, { body: sessionBody() })).status).toBe(201);
  });

  test('redirect points elsewhere', async () => {
    await using sim = await start();
    sim.control.fault('read-session', { kind: 'redirect', location: 'https://evil.example/' });

    const { status, headers } = await call(sim, 'GET /checkout/v1/sessions/x');

    expect([status, headers.get('location')]).toEqual([302, 'https://evil.example/']);
  });

  test('a rate limit has its header and its own body', async () => {
    await using sim = await start();
    sim.control.rateLimit('process', 60, 1);

    const { status, headers, body } = await call(sim, 'POST /api/v1/process/');

    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBe('60');
    expect(body).toEqual({
      error: { code: 'rate_limit_exceeded', message: expect.any(String), retry_after: 60 },
    });
  });
});

describe('the queue of faults', () => {
  test('plays them in order, each as often as planned, for its own call only', async () => {
    await using sim = await start();
    const { id } = await newSession(sim);
    sim.control.fault('read-session', { kind: 'status', status: 500 }, 2);
    sim.control.fault('read-session', { kind: 'status', status: 502 }, 1);
    const status = async () => (await call(sim, `GET /checkout/v1/sessions/${id}`)).status;

    expect([await status(), await status(), await status(), await status()]).toEqual([500, 500, 502, 200]);
  });

  test.each(['clearFaults', 'reset'] as const)('without a number lasts until %s', async (end) => {
    await using sim = await start();
    const { id } = await newSession(sim);
    sim.control.fault('read-session', { kind: 'status', status: 500 });
    const status = async () => (await call(sim, `GET /checkout/v1/sessions/${id}`)).status;

    expect([await status(), await status(), await status()]).toEqual([500, 500, 500]);
    sim.control[end]();
    expect(await status()).toBe(200);
  });

  test.each<[Call, string]>([
    ['create-session', create],
    ['read-session', 'GET /checkout/v1/sessions/x'],
    ['process', 'POST /api/v1/process/'],
    ['read-transaction', 'GET /api/v1/transactions/x/'],
    ['tokenization-auth', 'POST /api/v1/tokenization/auth/'],
    ['tokenize', 'POST /vault/v1/gateway/inboundRoutes/demo/token'],
  ])('reaches %s and writes the call down', async (name, route) => {
    await using sim = await start();
    sim.control.fault(name, { kind: 'status', status: 418 });

    expect((await call(sim, route)).status).toBe(418);

    const [recorded] = sim.control.calls(name);
    expect(recorded).toMatchObject({
      call: name,
      method: route.split(' ')[0],
      path: route.split(' ')[1],
      status: 418,
    });
    expect(recorded?.headers['authorization']).toBe('Token [redacted]');
  });
});

describe('rewriting', () => {
  test('can make a member of any name without touching a prototype', () => {
    const body = rewrite({ id: 1 }, { set: JSON.parse('{"__proto__.polluted":true}') });

    expect(JSON.stringify(body)).toBe('{"id":1,"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
