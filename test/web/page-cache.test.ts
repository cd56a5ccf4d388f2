import { afterAll, expect, test } from '@jest/globals';
import compression from 'compression';
import express, { type Express } from 'express';
import { LRUCache } from 'lru-cache';
import request from 'supertest';
import { type CachedPage, pageCache } from '../../src/web/middleware/page-cache.js';
import { Customer } from '../support/customer.js';
import { openTestShop } from '../support/test-shop.js';

const shop = await openTestShop();
const getPage = (path: string, locale = 'es-MX') =>
  request(shop.url).get(path).set('Accept-Language', locale);
afterAll(async () => shop[Symbol.asyncDispose]());

test.each([
  ['/', '/'],
  ['/products/taza-de-talavera', '/products/:slug'],
])(
  'a cached page %s is equal to the first answer, and has its own request id and log line',
  async (path, route) => {
    const completed = () => shop.logged.filter((line) => line.includes(`"route":"${route}"`)).length;
    const before = completed();

    const [first, second] = [await getPage(path), await getPage(path)];

    const { 'x-request-id': firstId, date: _, 'transfer-encoding': __, ...headers } = first.headers;
    const { 'x-request-id': secondId, date: ___, 'content-length': ____, ...again } = second.headers;
    expect({ ...again, 'content-length': '' }).toEqual({ ...headers, 'content-length': '' });
    expect(second.text).toBe(first.text);
    expect(secondId).toMatch(/^[\da-f-]{36}$/);
    expect(secondId).not.toBe(firstId);
    expect(completed()).toBe(before + 2);
  },
);

test('a cached page is not sent in another locale or to a customer with a cart', async () => {
  const locales = await Promise.all(['es-MX', 'en'].map((locale) => getPage('/', locale)));
  const own = await (await Customer.withCart(shop)).get('/');
  const anonymous = await getPage('/');

  expect(locales.map(({ headers }) => headers['content-language'])).toEqual(['es-MX', 'en']);
  expect(own.text).toMatch(/data-test="cart-count"[^>]*>1</);
  expect(anonymous.text).toMatch(/data-test="cart-count"[^>]*>0</);
});

test('a cached page is answered with 304 to a browser that has it, unless the browser asks for a new one', async () => {
  const { headers } = await request(shop.url).get('/');
  const conditional = () => request(shop.url).get('/').set('If-None-Match', String(headers['etag']));

  const answer = await conditional();
  const forced = await conditional().set('Cache-Control', 'no-cache');

  expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([304, '', undefined]);
  expect(answer.headers['content-security-policy']).toBe(headers['content-security-policy']);
  expect(forced.status).toBe(200);
});

/** An app that counts how often each page is rendered. */
function countingApp(): { app: Express; rendered: Map<string, number> } {
  const rendered = new Map<string, number>();
  const cache = new LRUCache<string, CachedPage>({ max: 200, ttl: 60_000 });
  const app = express();
  app.get('/:page', pageCache(cache), compression({ threshold: 0 }), (req, res) => {
    const times = (rendered.get(req.path) ?? 0) + 1;
    rendered.set(req.path, times);
    if (req.path === '/gone') res.status(404);
    if (req.path === '/own') res.cookie('mine', '1');
    if (req.path === '/secret') res.set('Cache-Control', 'no-store');
    res.send(`rendered ${times}`);
  });
  return { app, rendered };
}

test.each([
  ['an error', 'get', '/gone', {}],
  ['a page that sets a cookie', 'get', '/own', {}],
  ['a page with no-store', 'get', '/secret', {}],
  ['a page for a request with a cookie', 'get', '/page', { Cookie: 'a=1' }],
  ['an answer to HEAD', 'head', '/page', {}],
] as const)('the page cache does not store %s', async (_what, method, path, headers) => {
  const { app, rendered } = countingApp();

  await request(app)[method](path).set(headers);
  await request(app)[method](path).set(headers);
  await request(app).get(path);

  expect(rendered.get(path)).toBe(3);
});
