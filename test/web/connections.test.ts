import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import supertest from 'supertest';
import { type ConnectionLimits, createHttpServer } from '../../src/web/http-server.js';
import { openTestShop } from '../support/test-shop.js';

const SHORT = { headersMs: 200, checkEveryMs: 50, stalledMs: 300, minBytesPerSecond: 1e9 };

/** A server with short limits on loopback. */
async function open(serve: RequestHandler, limits: Partial<ConnectionLimits> = {}) {
  const server = createHttpServer(express().use(serve), { limits: { ...SHORT, ...limits } });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function dial(port: number, message = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(message);
  return socket;
}

describe('a connection', () => {
  test('whose client does not read is closed, while a request that waits for the gateway is served', async () => {
    // Larger than what the buffers of the system take.
    const page = Buffer.alloc(64 * 1024 * 1024);
    let onCut = () => {};
    const cut = new Promise<void>((resolve) => {
      onCut = resolve;
    });
    await using shop = await open((req, res) => {
      if (req.url === '/page') res.once('close', onCut).end(page);
      else void cut.then(() => res.end('paid'));
    });
    const waiting = fetch(`${shop.url}/payment`);
    const reader = await dial(shop.port, 'GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n');
    reader.pause();

    await cut;

    expect(await (await waiting).text()).toBe('paid');
    reader.destroy();
  });

  test.each([
    ['sends no headers', ''],
    ['does not finish its headers', 'GET / HTTP/1.1\r\nHost: localhost\r\n'],
  ])('that %s is closed', async (_what, message) => {
    await using shop = await open((_req, res) => res.end('served'));
    const socket = await dial(shop.port, message);

    expect(await text(socket)).not.toContain('served');
  });

  test('with more than ten unanswered requests is closed, and the rest is not served', async () => {
    let served = 0;
    await using shop = await open((_req, _res) => {
      served += 1;
    });
    const socket = await dial(shop.port, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(500));

    await text(socket).catch(() => '');

    expect(served).toBe(10);
  });

  test('with any number of requests one after another is served', async () => {
    await using shop = await open((_req, res) => res.end('served'));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const statuses: (number | undefined)[] = [];

    for (let request = 0; request < 30; request += 1) {
      const [answer] = (await once(get(shop.url, { agent }), 'response')) as [IncomingMessage];
      statuses.push(answer.statusCode);
      await text(answer);
    }
    agent.destroy();

    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('beyond the limit is closed, and those before it are served', async () => {
    await using shop = await open((_req, res) => res.end('served'), { headersMs: 30_000, maxConnections: 2 });
    const first = await dial(shop.port);
    const second = await dial(shop.port);
    const third = await dial(shop.port, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');

    const refused = await text(third).catch(() => '');
    first.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');

    expect(refused).toBe('');
    expect(await text(first)).toContain('served');
    second.destroy();
  });
});

describe('the messages of a server', () => {
  test('already have the prototypes that Express sets', async () => {
    const app = express();
    const seen: unknown[] = [];
    const server = createHttpServer(app);
    server.prependListener('request', (req, res) => {
      seen.push(Object.getPrototypeOf(req), Object.getPrototypeOf(res));
    });
    app.get('/', (req, res) => {
      seen.push(Object.getPrototypeOf(req), Object.getPrototypeOf(res));
      res.json({ asked: req.query['q'], here: req.app === app && res.app === app });
    });

    const { body } = await supertest(server).get('/?q=cup');

    expect(body).toEqual({ asked: 'cup', here: true });
    expect(seen[2]).toBe(seen[0]);
    expect(seen[3]).toBe(seen[1]);
  });

  test('differ by app, also when both apps serve at the same time', async () => {
    const servers = ['first', 'second'].map((name) =>
      createHttpServer(
        express()
          .set('name', name)
          .get('/', (req, res) => {
            res.send(`${req.app.get('name')} ${res.app.get('name')}`);
          }),
      ),
    );

    const texts = await Promise.all(servers.map(async (server) => (await supertest(server).get('/')).text));

    expect(texts).toEqual(['first first', 'second second']);
  });
});

describe('a request', () => {
  const exchange = async (url: string, request: string) =>
    text(await dial(Number(new URL(url).port), `${request}Connection: close\r\n\r\n`));
  const headers = (count: number) => Array.from({ length: count }, (_, at) => `X-${at}: 1\r\n`).join('');

  test.each(['GET /', 'GET /cart', 'POST /cart/items', 'GET /healthz'])(
    '%s with two Host headers is refused, also when the page was just sent',
    async (start) => {
      await using shop = await openTestShop();
      const single = await exchange(shop.url, `${start} HTTP/1.1\r\nHost: localhost\r\n`);
      const twice = await exchange(
        shop.url,
        `${start} HTTP/1.1\r\nHost: localhost\r\nhost: other.example\r\n`,
      );

      expect(single).not.toMatch(/^HTTP\/1.1 400 /);
      expect(twice).toMatch(/^HTTP\/1.1 400 /);
      expect(twice).toContain('X-Content-Type-Options: nosniff');
    },
  );

  test('with more than 100 headers or 16 KB of them is refused', async () => {
    await using shop = await openTestShop();
    const ask = async (more: string) =>
      (await exchange(shop.url, `GET / HTTP/1.1\r\nHost: localhost\r\n${more}`)).slice(0, 12);

    expect(await ask(headers(98))).toBe('HTTP/1.1 200');
    expect(await ask(headers(99))).toBe('HTTP/1.1 431');
    expect(await ask(headers(400))).toBe('HTTP/1.1 431');
    expect(await ask(`X-Long: ${'x'.repeat(16_384)}\r\n`)).toBe('HTTP/1.1 431');
  });
});
