import type { RequestListener } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { KeptAnswers } from '../../src/web/kept-answers.js';
import { sendKept } from '../../src/web/send-kept.js';
import type { WebServices } from '../../src/web/services.js';
import { Shopper } from '../support/shopper.js';
import { openTestShop, TestClock } from '../support/test-shop.js';

const logged = (lines: readonly string[], route: string) =>
  lines.filter((line) => line.includes('"msg":"request"') && line.includes(`"route":"${route}"`));

describe('the catalogue', () => {
  test('is sent to the next visitor as it was sent to the first, with an id of its own', async () => {
    await using shop = await openTestShop();
    const get = () => request(shop.url).get('/').set('Accept-Language', 'es-MX');

    const [first, second] = [await get(), await get()];

    const { 'x-request-id': firstId, date: _, ...headers } = first.headers;
    const { 'x-request-id': secondId, date: __, ...again } = second.headers;
    expect(again).toEqual(headers);
    expect(second.text).toBe(first.text);
    expect(secondId).toMatch(/^[\da-f-]{36}$/);
    expect(secondId).not.toBe(firstId);
    expect(logged(shop.logged, '/')).toHaveLength(2);
  });

  test('in another language, or for who has a cart, is another page', async () => {
    await using shop = await openTestShop();
    const spanish = await request(shop.url).get('/').set('Accept-Language', 'es-MX');
    const english = await request(shop.url).get('/').set('Accept-Language', 'en');
    const shopper = await Shopper.withCart(shop);

    const own = await shopper.get('/');
    const stranger = await request(shop.url).get('/');

    expect([spanish.headers['content-language'], english.headers['content-language']]).toEqual([
      'es-MX',
      'en',
    ]);
    expect(own.text).toMatch(/data-test="cart-count"[^>]*>1</);
    expect(stranger.text).toMatch(/data-test="cart-count"[^>]*>0</);
  });

  test('is not sent again to who has it', async () => {
    await using shop = await openTestShop();
    const { headers } = await request(shop.url).get('/');
    const known = () => request(shop.url).get('/').set('If-None-Match', String(headers['etag']));

    const answer = await known();
    const forced = await known().set('Cache-Control', 'no-cache');

    expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([304, '', undefined]);
    expect(answer.headers['content-security-policy']).toBe(headers['content-security-policy']);
    expect(forced.status).toBe(200);
  });
});

/** Counts how often each page was really made. */
function counting(clock: TestClock, made: Map<string, number>): RequestListener {
  const kept = new KeptAnswers(clock);
  const app = express();
  const silent = { checkout: { observer: { requestEnded() {} }, log: { info() {} } }, kept };
  const isSent = sendKept(silent as unknown as WebServices);
  app.get('/:page', (req, res) => {
    const times = (made.get(req.path) ?? 0) + 1;
    made.set(req.path, times);
    if (req.path === '/gone') res.status(404);
    if (req.path === '/own') res.cookie('mine', '1');
    const body = `made ${times}`;
    res.send(body);
    kept.keep(res, Buffer.from(body));
  });
  return (req, res) => {
    if (!isSent(req, res)) app(req, res);
  };
}

describe('a page is kept', () => {
  test('for two seconds', async () => {
    const clock = new TestClock();
    const app = counting(clock, new Map());
    const texts: string[] = [];

    for (const ms of [0, 1_000, 1_500, -10_000]) {
      clock.advance(ms);
      texts.push((await request(app).get('/page')).text);
    }

    expect(texts).toEqual(['made 1', 'made 1', 'made 2', 'made 3']);
  });

  test.each([
    ['an error', '/gone', {}],
    ['somebody’s cookie', '/own', {}],
    ['what a visitor with a cookie sees', '/page', { Cookie: 'a=1' }],
    ['what needs a password', '/page', { Authorization: 'Basic eA==' }],
  ])('but not %s', async (_what, path, headers) => {
    const made = new Map<string, number>();
    const app = counting(new TestClock(), made);

    await request(app).get(path).set(headers);
    await request(app).get(path).set(headers);
    await request(app).get(path);

    expect(made.get(path)).toBe(3);
  });

  test('while there is room: who invents addresses fills no memory', async () => {
    const made = new Map<string, number>();
    const app = counting(new TestClock(), made);
    await request(app).get('/first');
    for (let turn = 0; turn < 200; turn += 1) await request(app).get(`/page-${turn}`);

    await request(app).get('/first');
    await request(app).get('/page-199');

    expect([made.get('/first'), made.get('/page-199')]).toEqual([2, 1]);
  });
});
