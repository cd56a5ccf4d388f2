import { createPrivateKey } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import type { ProcessedPayment } from '../../src/gateway/card-payments.js';
import type { Fault } from '../../tools/simulator/faults.js';
import {
  API_KEY,
  errorOf,
  everythingIn,
  faultOf,
  noRetries,
  openGateway,
  openPeer,
  patient,
  paymentRequest,
  unhurried,
  until,
} from './support.js';

const tokens = { control: { tokenizeCard: () => card } };
const card = {
  card_number: '5017-3321-0098-4410',
  cardholder_name: '00000000-0000-4000-8000-000000000001',
  cvv: '00000000-0000-4000-8000-000000000002',
  expiration_month: '00000000-0000-4000-8000-000000000003',
  expiration_year: '00000000-0000-4000-8000-000000000004',
};
// Only the tokens of the simulator are needed for a request.
const payment = () => paymentRequest(tokens as unknown as Parameters<typeof paymentRequest>[0]);

/** A certificate for 127.0.0.1 that nobody but itself vouches for, good until 2126, and its key. */
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

interface Listening extends AsyncDisposable {
  readonly port: number;
}

async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A service made of bare bytes. */
const speaker = (speak: (socket: Socket) => void) =>
  listen(createServer((socket) => socket.once('data', () => speak(socket))));
const service = (answer: RequestListener) => listen(createHttpServer(answer));

async function readAndPay(port: number, scheme = 'http') {
  using gateway = openGateway(`${scheme}://127.0.0.1:${port}`, { deadlines: unhurried });
  const read = await faultOf(gateway.readSession('cs_1'));
  return { read, processed: await gateway.processPayment(payment()) };
}

const summary = ({ read, processed }: { read: Error & { code: string }; processed: ProcessedPayment }) => ({
  read: read.code,
  kind: processed.kind,
  process: errorOf(processed)?.code,
});

describe('a connection', () => {
  test('that is refused proves that no payment left', async () => {
    const { port } = await freePort();

    const outcome = await readAndPay(port);

    expect(summary(outcome)).toEqual({ read: 'unreachable', kind: 'refused', process: 'unreachable' });
    expect(everythingIn(outcome.read)).not.toContain(API_KEY);
  });

  test('whose TLS cannot be agreed on proves that no payment left', async () => {
    const arrived: IncomingMessage[] = [];
    await using plain = await service((req, res) => {
      arrived.push(req);
      res.end('{}');
    });

    const outcome = await readAndPay(plain.port, 'https');

    expect(summary(outcome)).toEqual({ read: 'unreachable', kind: 'refused', process: 'unreachable' });
    expect(arrived).toEqual([]);
  });

  test('to whom nobody vouches for gets neither the key nor a payment', async () => {
    const arrived: IncomingMessage[] = [];
    const cert = `-----BEGIN CERTIFICATE-----\n${SELF_SIGNED}\n-----END CERTIFICATE-----\n`;
    const key = createPrivateKey({ key: SELF_SIGNED_KEY, format: 'jwk' }).export({
      type: 'pkcs8',
      format: 'pem',
    });
    await using impostor = await listen(
      createHttpsServer({ cert, key }, (req, res) => {
        arrived.push(req);
        res.end('{"id":"cs_1","status":"pending"}');
      }),
    );

    const outcome = await readAndPay(impostor.port, 'https');

    expect(summary(outcome)).toEqual({ read: 'unreachable', kind: 'refused', process: 'unreachable' });
    expect(arrived).toEqual([]);
  });

  test.each<[string, string]>([
    [
      'in the middle of its answer',
      'HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"id":"1"',
    ],
    ['in the middle of a chunk', 'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n90\r\n{"id":"1"'],
    ['in the middle of its head', 'HTTP/1.1 201 Created\r\nContent-Ty'],
    ['without a word', ''],
  ])('that ends %s leaves a payment unknown', async (_where, bytes) => {
    await using cut = await speaker((socket) => socket.end(bytes));

    const outcome = await readAndPay(cut.port);

    expect(summary(outcome)).toEqual({
      read: 'connection_lost',
      kind: 'unknown',
      process: 'connection_lost',
    });
  });

  test.each<[string, string]>([
    ['not HTTP', '220 smtp.example ESMTP\r\n'],
    ['a header without end', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}\r\n\r\n{}`],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    ['broken gzip', 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}'],
    [
      'UTF-16',
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n{\u0000}\u0000',
    ],
    ['an error in the middle of nothing', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 999 What\r\n\r\n'],
  ])('that speaks %s never ends in success, and leaves a payment unknown', async (_what, bytes) => {
    await using odd = await speaker((socket) => socket.end(bytes));

    const outcome = await readAndPay(odd.port);

    expect(['connection_lost', 'bad_answer', 'server_error']).toContain(outcome.read.code);
    expect(outcome.processed.kind).toBe('unknown');
    expect(everythingIn(outcome.read)).not.toContain(API_KEY);
  });

  test('that the gateway closed while it was idle costs a reader one more try', async () => {
    const seen: (number | undefined)[] = [];
    await using forgetful = await service((req, res) => {
      seen.push(req.socket.remotePort);
      // The second request on a kept connection meets a gateway that has already hung up.
      if (seen.filter((port) => port === req.socket.remotePort).length > 1) req.socket.destroy();
      else res.end('{"id":"cs_1","status":"pending"}');
    });
    using gateway = openGateway(`http://127.0.0.1:${forgetful.port}`, { deadlines: patient });

    await gateway.readSession('cs_1');
    const evidence = await gateway.readSession('cs_1');

    expect(evidence).toMatchObject({ id: 'cs_1', status: 'pending' });
    expect(seen).toHaveLength(3);
  });

  test('is kept between reads, and is new for each card payment', async () => {
    const seen: [string | undefined, number | undefined][] = [];
    await using answering = await service((req, res) => {
      seen.push([req.method, req.socket.remotePort]);
      req.resume().on('end', () => res.end('{"id":"1","status":"pending"}'));
    });
    using gateway = openGateway(`http://127.0.0.1:${answering.port}`, { deadlines: patient });

    await gateway.readTransaction('1');
    await gateway.readTransaction('1');
    await gateway.processPayment(payment());
    await gateway.processPayment(payment());

    const ports = seen.map(([, port]) => port);
    expect(ports[1]).toBe(ports[0]);
    expect(new Set(ports.slice(1)).size).toBe(3);
  });
});

describe('many connections', () => {
  const open = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

  test.each<Fault>([
    { kind: 'hang' },
    { kind: 'drip', bytesPerSecond: 10 },
    { kind: 'huge', bytes: 5_000_000 },
    { kind: 'gzip-bomb', bytes: 5_000_000 },
  ])('are closed when a call is given up because of %j', async (fault) => {
    await using peer = await openPeer({ deadlines: { ...noRetries, read: 300, processPayment: 300 } });
    const before = open();
    peer.simulator.control.fault('read-transaction', fault);
    peer.simulator.control.fault('process', fault);

    await Promise.all(Array.from({ length: 30 }, () => faultOf(peer.gateway.readTransaction('x'))));
    await Promise.all(
      Array.from({ length: 30 }, () => peer.gateway.processPayment(paymentRequest(peer.simulator))),
    );

    await until(() => open() <= before);
    expect(open()).toBeLessThanOrEqual(before);
  });
});

async function freePort(): Promise<{ readonly port: number }> {
  await using server = await listen(createServer());
  return { port: server.port };
}
