import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { expect, test } from '@jest/globals';
import { hasHaproxy, openProxy } from '../support/haproxy.js';
import { exchange, openServer } from '../support/http.js';
import { freePort } from '../support/programs.js';

/** Where the tests have a PostgreSQL server, HAProxy is required, too. */
const isWanted = hasHaproxy || process.env['TEST_DATABASE_URL'] !== undefined;
const testWithProxy = isWanted ? test : test.skip;

/** Starts HAProxy with docs/examples/haproxy.cfg in front of two test servers. */
async function openShops({ breakConnections = false } = {}) {
  const received: IncomingHttpHeaders[] = [];
  const openShop = () =>
    openServer((req, res) => {
      if (req.url !== '/readyz') received.push(req.headers);
      if (breakConnections && req.url !== '/readyz') req.socket.destroy();
      else req.resume().on('end', () => res.end('from the shop'));
    });
  const [first, second] = [await openShop(), await openShop()];
  const proxy = await openProxy({ port: await freePort(), shops: [first.port, second.port] });
  return {
    url: proxy.url,
    received,
    first,
    async [Symbol.asyncDispose]() {
      for (const each of [proxy, first, second]) await each[Symbol.asyncDispose]();
    },
  };
}

const post = (url: string) => exchange(url, '/checkout/card', { method: 'POST', body: 'x'.repeat(9) });

testWithProxy('HAProxy replaces the forwarding headers of the client by its own', async () => {
  await using shops = await openShops();
  const forged = {
    'X-Forwarded-For': '203.0.113.9',
    'X-Forwarded-Proto': 'http',
    'X-Forwarded-Host': 'elsewhere.example',
    Forwarded: 'for=203.0.113.9',
  };

  await exchange(shops.url, '/', { headers: forged });

  const [headers = {}] = shops.received;
  expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' });
  expect(Object.keys(headers).filter((name) => /^(?:x-forwarded-host|forwarded)$/.test(name))).toEqual([]);
});

testWithProxy('HAProxy repeats no post whose connection broke', async () => {
  await using shops = await openShops({ breakConnections: true });

  const answer = await post(shops.url);

  expect(answer.status).toBe(502);
  expect(answer.text).toContain('revisa primero el estado de tu pedido');
  expect(shops.received).toHaveLength(1);
});

testWithProxy('HAProxy sends requests that a closed shop did not receive to the other shop', async () => {
  await using shops = await openShops();
  await shops.first[Symbol.asyncDispose]();

  const statuses: number[] = [];
  for (let turn = 0; turn < 6; turn += 1) statuses.push((await post(shops.url)).status);

  expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
  expect(shops.received).toHaveLength(6);
});

/**
 * Announces a body and sends as much of it as HAProxy buffers before it decides. With more, it may close the connection while
 * the client still writes, and the response is lost.
 */
async function announce(url: string, path: string, headers: Readonly<Record<string, string | number>>) {
  const { port } = new URL(url);
  const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers });
  sent.write(Buffer.alloc(15_400));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  sent.destroy();
  return { status: answer.statusCode };
}

testWithProxy('HAProxy forwards a picture of 20 MB to the back office, and no larger one', async () => {
  await using shops = await openShops();
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
  const MEGABYTE = 1024 * 1024;
  const pictures = '/admin/products/taza-talavera/pictures';
  const accepted = await exchange(shops.url, pictures, { method: 'POST', headers, body: Buffer.alloc(20 * MEGABYTE) });

  const answers = [
    accepted,
    await announce(shops.url, pictures, { ...headers, 'Content-Length': 21 * MEGABYTE }),
    await announce(shops.url, '/checkout/card', { ...headers, 'Content-Length': MEGABYTE }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([200, 413, 413]);
});

testWithProxy('HAProxy forwards neither large bodies nor requests for metrics', async () => {
  await using shops = await openShops();

  const answers = [
    await announce(shops.url, '/checkout/card', { 'Content-Length': 70_000 }),
    await exchange(shops.url, '/metrics'),
  ];

  expect(answers.map(({ status }) => status)).toEqual([413, 404]);
  expect(shops.received).toEqual([]);
});
