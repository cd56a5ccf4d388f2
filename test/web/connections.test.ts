import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextRun } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import supertest from 'supertest';
import { parseConfig } from '../../src/config/config.js';
import { brand } from '../../src/locales/brand.js';
import { createLog } from '../../src/log.js';
import { startShop } from '../../src/start-shop.js';
import { type ConnectionLimits, createHttpServer } from '../../src/web/http-server.js';
import { refuseOverload } from '../../src/web/middleware/refuse-overload.js';
import type { WebContext } from '../../src/web/web-context.js';
import { numbers, until } from '../support/crowd.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop();
const SHORT = { headersMs: 200, checkEveryMs: 50, stalledMs: 300, minBytesPerSecond: 1e9 };
const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n';

/** A server with short limits on loopback. */
async function open(serve: RequestHandler, limits: Partial<ConnectionLimits> = {}) {
  const server = createHttpServer(express().use(serve), { limits: { ...SHORT, ...limits } });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    http: server,
    port,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function dial(port: number, message = '', localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(message);
  return socket;
}

test('a connection whose client does not read is closed, while a request that waits for the gateway is served', async () => {
  // Larger than what the buffers of the system take.
  const page = Buffer.alloc(64 * 1024 * 1024);
  let onCut = () => {};
  const cut = new Promise<void>((resolve) => {
    onCut = resolve;
  });
  await using server = await open((req, res) => {
    if (req.url === '/page') res.once('close', onCut).end(page);
    else void cut.then(() => res.end('paid'));
  });
  const waiting = fetch(`${server.url}/payment`);
  const reader = await dial(server.port, 'GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n');
  reader.pause();

  await cut;

  expect(await (await waiting).text()).toBe('paid');
  reader.destroy();
});

test.each([
  ['sends no headers', ''],
  ['does not finish its headers', GET],
])('a connection that %s is closed', async (_what, message) => {
  await using server = await open((_req, res) => res.end('served'));
  const socket = await dial(server.port, message);

  expect(await text(socket)).not.toContain('served');
});

test('a connection with more than ten unanswered requests is closed, and the rest is not served', async () => {
  let served = 0;
  await using server = await open(() => {
    served += 1;
  });
  const socket = await dial(server.port, `${GET}\r\n`.repeat(500));

  await text(socket).catch(() => '');

  expect(served).toBe(10);
});

test('a connection beyond the limit is closed, and those before it are served', async () => {
  await using server = await open((_req, res) => res.end('served'), {
    headersMs: 30_000,
    maxConnections: 2,
  });
  const first = await dial(server.port);
  const second = await dial(server.port);
  const third = await dial(server.port, `${GET}\r\n`);

  const refused = await text(third).catch(() => '');
  first.write(`${GET}Connection: close\r\n\r\n`);

  expect(refused).toBe('');
  expect(await text(first)).toContain('served');
  second.destroy();
});

test('connections of one address beyond 100 are closed if it reaches the shop without a proxy, and others are served', async () => {
  const environment = { ...shop.environment, PORT: '0', RATE_LIMIT: 'on' };
  const open = async (trustProxy: string) => {
    const reading = parseConfig({ ...environment, TRUST_PROXY: trustProxy });
    if (!reading.ok) throw new Error(reading.problems.join('\n'));
    const { clock, directory } = shop;
    const options = { clock, log: createLog('silent'), dataDirectory: directory };
    const direct = await startShop({ ...reading.config, shutdownDelayMs: 0 }, reading.secrets, options);
    const port = Number(new URL(direct.url).port);
    const sockets = await Promise.all(numbers(100).map(() => dial(port)));
    const ask = async (address?: string) =>
      text(await dial(port, `${GET}Connection: close\r\n\r\n`, address)).catch(() => '');
    const answers = [await ask(), await ask('127.0.0.2')];
    sockets[0]?.destroy();
    await until(async () => (await ask()) !== '');
    for (const socket of sockets) socket.destroy();
    await direct.close();
    return answers.map((answer) => answer.slice(9, 12));
  };

  expect(await open('0')).toEqual(['', '200']);
  expect(await open('1')).toEqual(['200', '200']);
});

test('a connection that sent nothing, or whose request ends later, does not delay the end of the server', async () => {
  let respond = () => {};
  const serve: RequestHandler = (_req, res) => {
    res.write('first part');
    respond = () => res.end('second part');
  };
  await using server = await open(serve, { headersMs: 30_000 });
  await dial(server.port);
  const idleLater = await dial(server.port, `${GET}\r\n`);
  await once(idleLater, 'readable');
  const closed = once(server.http, 'close');

  server.http.close();
  respond();

  expect(await text(idleLater)).toContain('second part');
  await closed;
  // Node itself closes the connection after the keep-alive time of 65 s.
}, 50_000);

async function exchange(request: string): Promise<string> {
  return text(await dial(Number(new URL(shop.url).port), `${request}Connection: close\r\n\r\n`));
}

test.each(['GET /', 'POST /cart/items'])('a request %s with two Host headers is refused', async (start) => {
  const single = await exchange(`${start} HTTP/1.1\r\nHost: localhost\r\n`);
  const twice = await exchange(`${start} HTTP/1.1\r\nHost: localhost\r\nhost: other.example\r\n`);

  expect(single).not.toMatch(/^HTTP\/1.1 400 /);
  expect(twice).toMatch(/^HTTP\/1.1 400 /);
  expect(twice).toContain('X-Content-Type-Options: nosniff');
});

test('a request with more than 100 headers or 16 KB of them is refused', async () => {
  const headers = (count: number) => Array.from({ length: count }, (_, at) => `X-${at}: 1\r\n`).join('');
  const requests = [headers(98), headers(99), `X-Long: ${'x'.repeat(16_384)}\r\n`];

  const answers = await Promise.all(requests.map((more) => exchange(`${GET}${more}`)));

  expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['200', '431', '431']);
});

const LIMITS = { delayMs: 200, windowMs: 100 };

/** An app with a short window that ends with `shutdown`, and the number of its refusals. */
function appWith(shutdown: AbortSignal, limits = LIMITS) {
  const refused = { count: 0 };
  const observer = { requestShed: () => (refused.count += 1) };
  const settings = { current: () => ({ brand }) };
  const context = { shutdown, checkout: { observer }, settings } as unknown as WebContext;
  const app = express();
  app.get('/webhooks/payments', (_req, res) => res.send('ok'));
  app.use(refuseOverload(context, limits));
  app.use((_req, res) => res.send('ok'));
  return { app, refused };
}

const NEVER_NOTIFIED = new Int32Array(new SharedArrayBuffer(4));

/** Blocks the thread without using the processor, which other tests need. */
function block(ms: number): void {
  Atomics.wait(NEVER_NOTIFIED, 0, 0, ms);
}

/** Each turn of the event loop takes 130 ms until the signal is aborted. */
async function overload(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    block(130);
    await nextRun();
  }
}

test('a process whose event loop is overloaded refuses pages with a time to retry, serves order pages and earlier routes, and recovers', async () => {
  const [shutdown, end] = [new AbortController(), new AbortController()];
  const { app, refused } = appWith(shutdown.signal, { delayMs: 100, windowMs: 50 });
  const status = async (path: string) => (await supertest(app).get(path)).status;
  const running = overload(end.signal);

  await until(async () => (await status('/cart')) === 503);
  const page = await supertest(app).get('/cart');
  const others = [await status('/orders/token'), await status('/webhooks/payments')];
  end.abort();
  await running;

  expect([page.status, ...others]).toEqual([503, 200, 200]);
  expect([page.headers['retry-after'], page.headers['cache-control']]).toEqual(['5', 'no-store']);
  expect(page.text).toContain('No se hizo ningún cargo');
  expect(refused.count).toBe(2);
  await until(async () => (await status('/cart')) === 200);
  shutdown.abort();
});

test('a process whose event loop is overloaded serves pages after one long pause', async () => {
  const shutdown = new AbortController();
  // Less than the pause, and more than any turn of a busy machine.
  const limits = { delayMs: 900, windowMs: 100 };
  const { app, refused } = appWith(shutdown.signal, limits);
  await supertest(app).get('/cart');

  block(1_200);
  const endsAt = performance.now() + 3 * limits.windowMs;
  while (performance.now() < endsAt) await supertest(app).get('/cart');
  shutdown.abort();

  expect(refused.count).toBe(0);
});
