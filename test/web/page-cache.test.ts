import { describe, expect, test } from '@jest/globals';
import compression from 'compression';
import express, { type Express } from 'express';
import { LRUCache } from 'lru-cache';
import request from 'supertest';
import { type CachedPage, pageCache } from '../../src/web/middleware/page-cache.js';
import { Customer } from '../support/customer.js';
import { openTestShop } from '../support/test-shop.js';

const logged = (lines: readonly string[], route: string) =>
  lines.filter((line) => line.includes('"msg":"request.completed"') && line.includes(`"route":"${route}"`));

describe('the catalog', () => {
  test.each(['/', '/products/taza-de-talavera'])(
    'sends %s to the next customer as to the first, with a request id of its own',
    async (path) => {
      await using shop = await openTestShop();
      const get = () => request(shop.url).get(path).set('Accept-Language', 'es-MX');

      const [first, second] = [await get(), await get()];

      const { 'x-request-id': firstId, date: _, 'transfer-encoding': __, ...headers } = first.headers;
      const { 'x-request-id': secondId, date: ___, 'content-length': ____, ...again } = second.headers;
      expect(again).toEqual(headers);
      expect(second.text).toBe(first.text);
      expect(secondId).toMatch(/^[\da-f-]{36}$/);
      expect(secondId).not.toBe(firstId);
      expect(logged(shop.logged, path === '/' ? '/' : '/products/:slug')).toHaveLength(2);
    },
  );

  test('sends another page in another language and to a customer with a cart', async () => {
    await using shop = await openTestShop();
    const spanish = await request(shop.url).get('/').set('Accept-Language', 'es-MX');
    const english = await request(shop.url).get('/').set('Accept-Language', 'en');
    const customer = await Customer.withCart(shop);

    const own = await customer.get('/');
    const stranger = await request(shop.url).get('/');

    expect([spanish.headers['content-language'], english.headers['content-language']]).toEqual([
      'es-MX',
      'en',
    ]);
    expect(own.text).toMatch(/data-test="cart-count"[^>]*>1</);
    expect(stranger.text).toMatch(/data-test="cart-count"[^>]*>0</);
  });

  test('answers 304 to a browser that has the page', async () => {
    await using shop = await openTestShop();
    const { headers } = await request(shop.url).get('/');
    const conditional = () => request(shop.url).get('/').set('If-None-Match', String(headers['etag']));

    const answer = await conditional();
    const forced = await conditional().set('Cache-Control', 'no-cache');

    expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([304, '', undefined]);
    expect(answer.headers['content-security-policy']).toBe(headers['content-security-policy']);
    expect(forced.status).toBe(200);
  });

  test.each(['identity', 'gzip', 'br'])('sends the cached page encoded as %s', async (encoding) => {
    await using shop = await openTestShop();
    const get = async () => {
      const answer = await fetch(shop.url, { headers: { 'Accept-Encoding': encoding } });
      return { encoding: answer.headers.get('content-encoding') ?? 'identity', text: await answer.text() };
    };

    const [first, second] = [await get(), await get()];

    expect(first.text).toContain('</html>');
    expect([first.encoding, second]).toEqual([encoding, first]);
  });
});

/** An app that counts how often each page is rendered, and the monotonic clock of its cache. */
function countingApp(): { app: Express; rendered: Map<string, number>; clock: { ms: number } } {
  const rendered = new Map<string, number>();
  // lru-cache takes 0 for an entry without an age.
  const clock = { ms: 1 };
  const cache = new LRUCache<string, CachedPage>({
    max: 200,
    ttl: 2_000,
    ttlResolution: 0,
    perf: { now: () => clock.ms },
  });
  const app = express();
  app.get('/:page', pageCache(cache), compression({ threshold: 0 }), (req, res) => {
    const times = (rendered.get(req.path) ?? 0) + 1;
    rendered.set(req.path, times);
    if (req.path === '/gone') res.status(404);
    if (req.path === '/own') res.cookie('mine', '1');
    if (req.path === '/secret') res.set('Cache-Control', 'no-store');
    res.send(`rendered ${times}`);
  });
  return { app, rendered, clock };
}

describe('the page cache', () => {
  test('stores a page for two seconds', async () => {
    const { app, clock } = countingApp();
    const texts: string[] = [];

    for (const ms of [0, 1_999, 2]) {
      clock.ms += ms;
      texts.push((await request(app).get('/page')).text);
    }

    expect(texts).toEqual(['rendered 1', 'rendered 1', 'rendered 2']);
  });

  test.each([
    ['an error', '/gone', {}],
    ['a page that sets a cookie', '/own', {}],
    ['a page with no-store', '/secret', {}],
    ['a page for a request with a cookie', '/page', { Cookie: 'a=1' }],
  ])('does not store %s', async (_what, path, headers) => {
    const { app, rendered } = countingApp();

    await request(app).get(path).set(headers);
    await request(app).get(path).set(headers);
    await request(app).get(path);

    expect(rendered.get(path)).toBe(3);
  });

  test('stores no answer to HEAD', async () => {
    const { app } = countingApp();

    await request(app).head('/page');
    const { text } = await request(app).get('/page');

    expect(text).toBe('rendered 2');
  });

  test('drops the least recently used of more than 200 pages', async () => {
    const { app, rendered } = countingApp();
    await request(app).get('/first');
    for (let turn = 0; turn < 200; turn += 1) await request(app).get(`/page-${turn}`);

    await request(app).get('/first');
    await request(app).get('/page-199');

    expect([rendered.get('/first'), rendered.get('/page-199')]).toEqual([2, 1]);
  });
});
