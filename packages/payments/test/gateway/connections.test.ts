import { createPrivateKey, randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import tls from 'node:tls';
import { expect, jest, test } from '@jest/globals';
import type { Fault } from '@tianguis/gateway-tools';
import { centavos } from '@tianguis/payments/rules';
import { numbers, until } from '../../../../test/support/crowd.js';
import { listen, openServer } from '../../../../test/support/http.js';
import { createClient } from '../../../../test/support/replica.js';
import { API_KEY } from '../../../../test/support/test-shop.js';
import type { GatewaySettings } from '../../src/gateway/connection.js';
import {
  dumpError,
  errorOf,
  LONG,
  newPayment,
  newSession,
  openTestGateway,
  pay,
  paymentRequest,
  SHORT,
  status,
  type TestGateway,
} from './support.js';

/** A self-signed certificate for 127.0.0.1, valid until 2126, and its key. */
const SELF_SIGNED = [
  'MIIBkDCCATagAwIBAgIUSsb2wDKdr+qbL7sdks5mIuDkRn4wCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJMTI3LjAu',
  'MC4xMCAXDTI2MTEyMTEwMzQyNVoYDzIxMjYxMDI4MTAzNDI1WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcq',
  'hkjOPQIBBggqhkjOPQMBBwNCAAS1q6WUu2+4ZgazDG4sSQrCP45rrlf54cCuyzZMbEpGvIVz5aguh8EJvpPo1mPQ',
  'rFVXX6vPpbS+F2fUOwzf3MlEo2QwYjAdBgNVHQ4EFgQUro7UTIPfAwUTYmsAYRMoM5eguOYwHwYDVR0jBBgwFoAU',
  'ro7UTIPfAwUTYmsAYRMoM5eguOYwDwYDVR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMC',
  'A0gAMEUCIQCWtqQhSn+8GhMgRkXzyyZ04IR4L4iOmGKKxWkITlwyCQIgIiUueylWqpwllW3swdNGUHcAn/RUM/rA',
  'MhLc5f1Z4lw=',
].join('');
const SELF_SIGNED_KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'taullLtvuGYGswxuLEkKwj-Oa65X-eHArss2TGxKRrw',
  y: 'hXPlqC6HwQm-k-jWY9CsVVdfq8-ltL4XZ9Q7DN_cyUQ',
  d: '8JvFP5Zxw__N3aMsqw5bcfNUYQJNZpoA7U7w6u69YC0',
};

function selfSigned() {
  const cert = `-----BEGIN CERTIFICATE-----\n${SELF_SIGNED}\n-----END CERTIFICATE-----\n`;
  const privateKey = createPrivateKey({ key: SELF_SIGNED_KEY, format: 'jwk' });
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }) };
}

/** Answers each connection with these bytes and closes it. */
const answerWith = (bytes: string) => listen(createServer((socket) => socket.once('data', () => socket.end(bytes))));

/** Creates a client whose deadlines no pause of the machine exceeds. */
const patientClient = (url: string, settings: Partial<GatewaySettings> = {}) =>
  createClient(url, { deadlines: LONG, ...settings });

/** Stops the clocks of the client. `advance` moves them to a time after that. Timers still run. */
function stopClocks() {
  const [monotonic, wall] = [performance.now(), Date.now()];
  const advance = (ms: number) => {
    jest.spyOn(performance, 'now').mockReturnValue(monotonic + ms);
    jest.spyOn(Date, 'now').mockReturnValue(wall + ms);
  };
  advance(0);
  return { advance, [Symbol.dispose]: () => jest.restoreAllMocks() };
}

/** Sends a lookup and a card payment. Returns the outcomes. */
async function readAndPay(port: number, scheme = 'http') {
  using gateway = patientClient(`${scheme}://127.0.0.1:${port}`);
  const error = await errorOf(gateway.lookUp('hosted', 'cs_1'));
  const processed = await gateway.processPayment(paymentRequest());
  expect(dumpError(error)).not.toContain(API_KEY);
  return {
    read: error.code,
    kind: processed.kind,
    process: 'error' in processed ? processed.error.code : undefined,
  };
}

/** Sets a variable of the environment until it is disposed of. */
function withVariable(name: string, value: string): Disposable {
  process.env[name] = value;
  return {
    [Symbol.dispose]() {
      delete process.env[name];
    },
  };
}

const UNREACHABLE = { read: 'unreachable', kind: 'refused', process: 'unreachable' };

test('a card payment over a refused connection is refused', async () => {
  const closed = await listen(createServer());
  await closed[Symbol.asyncDispose]();

  expect(await readAndPay(closed.port)).toEqual(UNREACHABLE);
});

test.each(['a self-signed certificate', 'plain HTTP'])(
  'a gateway that answers https with %s receives no request, and the card payment is refused',
  async (answer) => {
    let requests = 0;
    const onRequest: RequestListener = (_req, res) => {
      requests += 1;
      res.end('{"id":"cs_1","status":"pending"}');
    };
    const isPlain = answer === 'plain HTTP';
    await using server = await listen(
      isPlain ? createHttpServer(onRequest) : createHttpsServer(selfSigned(), onRequest),
    );

    expect(await readAndPay(server.port, 'https')).toEqual(UNREACHABLE);
    expect(requests).toBe(0);
  },
);

test('a gateway that does not complete the TLS handshake receives no request, and the card payment is refused', async () => {
  await using server = await listen(createServer());
  using gateway = createClient(`https://127.0.0.1:${server.port}`, { deadlines: SHORT });

  const processed = await gateway.processPayment(paymentRequest());

  expect(processed).toMatchObject({ kind: 'refused', error: { code: 'unreachable' } });
});

test('a gateway that offers TLS 1.1 only is unreachable, also where Node.js allows TLS 1.1', async () => {
  const { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS } = tls;
  const legacy = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  await using server = await listen(createHttpsServer({ ...selfSigned(), ...legacy }, (_req, res) => res.end('{}')));
  Object.assign(tls, { DEFAULT_MIN_VERSION: legacy.minVersion, DEFAULT_CIPHERS: legacy.ciphers });
  using gateway = patientClient(`https://127.0.0.1:${server.port}`);

  const error = await errorOf(gateway.lookUp('hosted', 'cs_1'));

  Object.assign(tls, { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS });
  // With TLS 1.1 the certificate would be refused instead.
  expect(error).toMatchObject({ code: 'unreachable', reason: 'EPROTO' });
});

test('an error of the HTTP client that names no system call leaves a card payment unknown', async () => {
  using gateway = createClient('ftp://127.0.0.1');

  const processed = await gateway.processPayment(paymentRequest());

  expect(processed).toMatchObject({ kind: 'unknown', error: { code: 'connection_lost' } });
});

test('no call uses a proxy of the environment', async () => {
  let proxied = 0;
  await using proxy = await openServer((_req, res) => {
    proxied += 1;
    res.end();
  });
  using _variable = withVariable('http_proxy', proxy.url);
  await using server = await openServer((_req, res) => res.end('{"id":"1","status":"pending"}'));
  // A name, because axios uses no proxy for loopback addresses.
  using gateway = patientClient(server.url.replace('127.0.0.1', 'localhost.localdomain'));

  await gateway.lookUp('card', '1').catch(() => undefined);

  expect(proxied).toBe(0);
});

test.each([
  ['an upgrade to another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
  ['no answer', ''],
])('%s verifies a call at once, and a card payment has an unknown outcome', async (_what, bytes) => {
  await using server = await answerWith(bytes);

  expect(await readAndPay(server.port)).toMatchObject({ read: 'connection_lost', kind: 'unknown' });
});

test.each([
  ['a body that ends early', 'HTTP/1.1 201 Created\r\nContent-Length: 900\r\n\r\n{"id":"1"'],
  ['a chunk that ends early', 'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n90\r\n{"id":"1"'],
  ['no bytes', ''],
  ['another protocol', '220 smtp.example ESMTP\r\n'],
  ['a header of 100 kB', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}\r\n\r\n{}`],
  ['broken gzip', 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}'],
  ['UTF-16', 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n{\u0000}\u0000'],
])('an answer with %s is an error, and a card payment has an unknown outcome', async (what, bytes) => {
  await using server = await answerWith(bytes);

  const { read, kind } = await readAndPay(server.port);

  const isLost = what === 'no bytes' || what.endsWith('early');
  expect(isLost ? ['connection_lost'] : ['connection_lost', 'bad_answer', 'server_error']).toContain(read);
  expect(kind).toBe('unknown');
});

/** Opens a gateway that closes its present connections after `closeIdle`, each at its next request. */
async function openClosingGateway() {
  const ports: (number | undefined)[] = [];
  let closed: typeof ports = [];
  const server = await openServer((req, res) => {
    ports.push(req.socket.remotePort);
    if (closed.includes(req.socket.remotePort)) req.socket.destroy();
    else res.end('{"id":"cs_1","status":"pending"}');
  });
  const closeIdle = () => {
    closed = [...ports];
  };
  return { ...server, ports, closeIdle };
}

test('a lookup over a connection that the gateway closed while idle is tried again', async () => {
  await using server = await openClosingGateway();
  using gateway = patientClient(server.url);

  await gateway.lookUp('hosted', 'cs_1');
  server.closeIdle();
  const payment = await gateway.lookUp('hosted', 'cs_1');

  expect(payment).toMatchObject({ gatewayId: 'cs_1', status: 'pending' });
  expect(server.ports).toHaveLength(3);
});

test('lookups over many connections that the gateway closed while idle open no circuit breaker', async () => {
  await using server = await openClosingGateway();
  using gateway = patientClient(server.url);
  const lookUpTenTimes = () => Promise.all(Array.from({ length: 10 }, () => gateway.lookUp('hosted', 'cs_1')));
  await lookUpTenTimes();
  server.closeIdle();

  const payments = await lookUpTenTimes();

  expect(payments.map(({ status: found }) => found)).toEqual(Array.from({ length: 10 }, () => 'pending'));
  expect(server.ports).toHaveLength(30);
});

test('lookups share a connection, and each card payment opens a new one', async () => {
  const ports: (number | undefined)[] = [];
  await using server = await openServer((req, res) => {
    ports.push(req.socket.remotePort);
    req.resume().on('end', () => res.end('{"id":"1","status":"pending"}'));
  });
  using gateway = patientClient(server.url);

  await gateway.lookUp('card', '1');
  await gateway.lookUp('card', '1');
  await gateway.processPayment(paymentRequest());
  await gateway.processPayment(paymentRequest());

  expect(ports[1]).toBe(ports[0]);
  expect(new Set(ports.slice(1)).size).toBe(3);
});

const refund = ({ gateway }: TestGateway, gatewayId: string) =>
  gateway.refundPayment({ idempotencyKey: randomUUID(), gatewayId, amount: centavos(15_000) });

const openSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

test.each<Fault>([{ kind: 'hang' }, { kind: 'huge', bytes: 500_000 }])(
  'all connections are closed after calls that fail because of %j',
  async (fault) => {
    await using client = await openTestGateway({
      deadlines: { 'read-transaction': 300, 'process-payment': 300 },
    });
    const before = openSockets();
    client.simulator.control.fault('read-transaction', fault);
    client.simulator.control.fault('process', fault);

    await Promise.all(numbers(15).map(() => errorOf(client.gateway.lookUp('card', 'x'))));
    await Promise.all(numbers(15).map(() => pay(client)));

    await until(() => openSockets() <= before);
  },
);

test('after HTTP 429 with a retry time no call of that kind is sent, and the others are', async () => {
  await using client = await openTestGateway();
  const { control } = client.simulator;
  const session = await newSession(client.gateway);
  control.rateLimit('read-session', 60, 1);
  const first = await errorOf(client.gateway.lookUp('hosted', session));
  const before = control.calls('read-session').length;

  const second = await errorOf(client.gateway.lookUp('hosted', session));
  const token = await client.gateway.accessToken();
  const processed = await pay(client);

  expect([first.code, second.code]).toEqual(['rate_limited', 'rate_limited']);
  expect(first.retryAfterMs).toBe(60_000);
  expect(second.retryAfterMs).toBeGreaterThan(1_000);
  expect([typeof token, processed.kind]).toEqual(['string', 'known']);
  expect(control.calls('read-session')).toHaveLength(before);
});

test('card payments pause for at most a minute after HTTP 429', async () => {
  await using client = await openTestGateway();
  client.simulator.control.rateLimit('process', 600, 1);
  await pay(client);

  const processed = await pay(client);

  expect(processed).toMatchObject({ kind: 'refused', error: { code: 'rate_limited' } });
  if (processed.kind !== 'refused') throw new Error('the payment was sent');
  expect(processed.error.retryAfterMs).toBeLessThanOrEqual(60_000);
  expect(client.simulator.control.calls('process')).toHaveLength(1);
});

test('access tokens pause for at most a minute after HTTP 429', async () => {
  await using client = await openTestGateway();
  client.simulator.control.rateLimit('tokenization-auth', 600, 1);
  await errorOf(client.gateway.accessToken());

  const { code, retryAfterMs } = await errorOf(client.gateway.accessToken());

  expect([code, Number(retryAfterMs) <= 60_000]).toEqual(['rate_limited', true]);
  expect(client.simulator.control.calls('tokenization-auth')).toHaveLength(1);
});

test('after HTTP 429 with a retry time below the deadline, the call is sent again after that time', async () => {
  await using client = await openTestGateway();
  const session = await newSession(client.gateway);
  client.simulator.control.rateLimit('read-session', 1, 1);
  const started = performance.now();

  await client.gateway.lookUp('hosted', session);

  expect(client.simulator.control.calls('read-session')).toHaveLength(2);
  expect(performance.now() - started).toBeGreaterThanOrEqual(990);
});

test('a card payment and a refund wait out a pause of 1 s after HTTP 429, and are sent once', async () => {
  await using client = await openTestGateway();
  const { control } = client.simulator;
  const gatewayId = await newPayment(client);
  const sends = { process: () => pay(client), refund: () => refund(client, gatewayId) };
  const waitAndSend = async (call: keyof typeof sends) => {
    control.rateLimit(call, 1, 1);
    const started = performance.now();
    await sends[call]();
    const before = control.calls(call).length;

    const outcome = await sends[call]();

    expect(outcome).not.toHaveProperty('error');
    expect(outcome).not.toHaveProperty('gatewayStatus', 'rate_limited');
    expect(control.calls(call)).toHaveLength(before + 1);
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
  };

  await Promise.all([waitAndSend('process'), waitAndSend('refund')]);
});

test.each([
  ['longer than 2 s', 3, 20_000],
  ['half of the deadline', 2, 4_000],
])('a card payment does not wait out a pause that is %s', async (_what, seconds, deadline) => {
  const deadlines = { ...LONG };
  await using client = await openTestGateway({ deadlines });
  client.simulator.control.rateLimit('process', seconds, 1);
  using _clocks = stopClocks();
  await pay(client);
  deadlines['process-payment'] = deadline;

  const processed = await pay(client);

  expect(processed).toMatchObject({ kind: 'refused', error: { code: 'rate_limited' } });
  expect(client.simulator.control.calls('process')).toHaveLength(1);
});

test('with {PAYMENTS_BASE_URL}/api/v1 as CHECKOUT_API_URL all calls reach their paths', async () => {
  await using client = await openTestGateway();
  const { url, control } = client.simulator;
  using gateway = patientClient(url, { checkoutApiUrl: `${url}/api/v1` });
  const session = await newSession(gateway);
  await gateway.lookUp('hosted', session);
  await gateway.accessToken();

  expect(
    control
      .calls()
      .map(({ path }) => path)
      .slice(0, 2),
  ).toEqual(['/api/v1/checkout/v1/sessions', `/api/v1/checkout/v1/sessions/${session}`]);
  expect(control.calls()).toHaveLength(3);
});

const retryAfter = (value: string): Fault => ({ ...status(429), headers: { 'Retry-After': value } }) as Fault;
const retryInBody = (retry_after: unknown): Fault => ({ ...status(429), body: { error: { retry_after } } }) as Fault;

test.each<[Fault, number]>([
  [retryInBody(60), 60_000],
  [retryInBody('60'), 1000],
  [status(429), 1000],
  [retryAfter('soon'), 1000],
  [retryAfter('-5'), 1000],
  [retryAfter('9999999999'), 600_000],
  [{ kind: 'raw', status: 429, body: 'Too many' }, 1000],
])('the answer %j delays the next call by %i ms', async (fault, ms) => {
  await using client = await openTestGateway();
  client.simulator.control.fault('process', fault, 1);

  expect(await pay(client)).toMatchObject({ kind: 'refused', error: { code: 'rate_limited', retryAfterMs: ms } });
});

/** Opens a client whose circuit breaker is open, with stopped clocks. */
async function openBroken() {
  const client = await openTestGateway();
  const { control } = client.simulator;
  const clocks = stopClocks();
  const session = await newSession(client.gateway);
  control.fault('process', status(503), 8);
  for (let count = 0; count < 8; count += 1) await pay(client);
  return { client, control, clocks, session };
}

test('after eight faults in a row the circuit breaker answers at once, and closes after the gateway recovers', async () => {
  const { client, control, clocks, session } = await openBroken();
  await using _client = client;
  using _clocks = clocks;
  const before = control.calls().length;

  clocks.advance(1_999);
  const open = await errorOf(client.gateway.lookUp('hosted', session));
  const processed = await pay(client);

  expect(open).toMatchObject({ code: 'unreachable', reason: 'breaker_open' });
  expect(processed).toMatchObject({ kind: 'refused', error: { reason: 'breaker_open' } });
  expect(control.calls()).toHaveLength(before);
  clocks.advance(2_000);
  await client.gateway.lookUp('hosted', session);
  await newPayment(client);
});

test('while the circuit breaker tests the gateway with one call, other calls are answered at once', async () => {
  const { client, control, clocks, session } = await openBroken();
  await using _client = client;
  using _clocks = clocks;
  control.fault('process', { kind: 'hold' }, 1);
  clocks.advance(2_000);
  const probe = pay(client);
  await until(() => control.calls('process').length === 9);

  const error = await errorOf(client.gateway.lookUp('hosted', session));

  expect(error).toMatchObject({ code: 'unreachable', reason: 'breaker_open' });
  control.release();
  expect(await probe).toMatchObject({ kind: 'known' });
  expect(control.calls('process')).toHaveLength(9);
});
