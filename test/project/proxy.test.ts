import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findHaproxy, openProxy, type ProxyServer } from '../support/haproxy.js';
import { exchange } from '../support/http.js';
import { freePort } from '../support/programs.js';

const program = findHaproxy();
/** Where the tests have a PostgreSQL server, HAProxy is required, too. */
const isWanted = program !== undefined || process.env['TEST_DATABASE_URL'] !== undefined;

/** Stands in for a shop and records its requests. */
class Listener {
  readonly requests: { readonly method: string; readonly path: string; readonly headers: object }[] = [];
  checks = 0;
  /** `dying` breaks the connection of every request. */
  state: 'ready' | 'unready' | 'dying' = 'ready';
  port = 0;
  readonly #server: Server = createServer((req, res) => this.#answer(req, res));

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    // Bound to a TCP port, so the address is an object.
    this.port = (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(req: IncomingMessage, res: ServerResponse): void {
    if (req.url === '/readyz') {
      this.checks += 1;
      res.writeHead(this.state === 'unready' ? 503 : 200).end();
      return;
    }
    this.requests.push({ method: req.method ?? '', path: req.url ?? '', headers: req.headers });
    if (this.state === 'dying') req.socket.destroy();
    else res.end('from the shop');
  }
}

(isWanted ? describe : describe.skip)('the proxy of docs/examples/haproxy.cfg', () => {
  let first: Listener;
  let second: Listener;
  let proxy: ProxyServer | undefined;

  beforeEach(async () => {
    first = new Listener();
    second = new Listener();
    await first.open();
    await second.open();
  });

  afterEach(async () => {
    await proxy?.[Symbol.asyncDispose]();
    proxy = undefined;
    await first.close();
    await second.close();
  });

  async function open(): Promise<ProxyServer> {
    if (program === undefined) throw new Error('haproxy is not installed: apt-get install haproxy');
    const port = await freePort();
    proxy = await openProxy(program, { port, shops: [first.port, second.port] });
    return proxy;
  }

  const post = (url: string, { size = 9 } = {}) =>
    exchange(url, '/checkout/card', { method: 'POST', body: 'x'.repeat(size) });

  test('the proxy replaces the forwarding headers of the client by its own', async () => {
    const { url } = await open();

    await exchange(url, '/', {
      headers: {
        'X-Forwarded-For': '203.0.113.9',
        'X-Forwarded-Proto': 'http',
        'X-Forwarded-Host': 'elsewhere.example',
        Forwarded: 'for=203.0.113.9',
      },
    });

    const [request] = [...first.requests, ...second.requests];
    expect(request?.headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' });
    expect(Object.keys(request?.headers ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:x-forwarded-host|forwarded)$/)]),
    );
  });

  test('the proxy repeats no post whose connection broke', async () => {
    first.state = 'dying';
    second.state = 'dying';
    const { url } = await open();

    const answer = await post(url);

    expect(answer.status).toBe(502);
    expect(answer.text).toContain('revisa primero el estado de tu pedido');
    expect([...first.requests, ...second.requests]).toHaveLength(1);
  });

  test('the proxy sends requests that a closed shop did not receive to the other shop', async () => {
    const { url } = await open();
    await first.close();

    const answers = [];
    for (let turn = 0; turn < 6; turn += 1) answers.push((await post(url)).status);

    expect(answers).toEqual([200, 200, 200, 200, 200, 200]);
    expect(second.requests).toHaveLength(6);
  });

  test('the proxy forwards neither large bodies nor requests for metrics', async () => {
    const { url } = await open();

    const large = await post(url, { size: 70_000 });
    const metrics = await exchange(url, '/metrics');

    expect([large.status, metrics.status]).toEqual([413, 404]);
    expect([...first.requests, ...second.requests]).toEqual([]);
  });
});
