import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Customer, contact } from '../support/customer.js';
import { dumpDatabase } from '../support/inspect.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const POSTS = [
  ['/cart/items', { product_id: 'taza-talavera', quantity: '3' }],
  ['/cart/items/taza-talavera', { quantity: '0' }],
  ['/checkout/hosted', contact],
  ['/checkout/card', contact],
  ['/checkout/card/access-token', {}],
  ['/language', { lang: 'en' }],
] as const;

describe('posts from other sites', () => {
  // Each test has a customer of its own, so one shop serves all.
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop();
  });
  afterAll(async () => {
    await shop[Symbol.asyncDispose]();
  });

  test.each([
    ['the browser says cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['the browser says same-site', { 'Sec-Fetch-Site': 'same-site' }],
    ['the browser says something new', { 'Sec-Fetch-Site': 'same-planet' }],
    ['the browser says two things', { 'Sec-Fetch-Site': 'same-origin, cross-site' }],
    ['the Origin is null', { Origin: 'null' }],
    ['the Origin is another', { Origin: 'https://evil.example' }],
    ['the Origin begins like ours', { Origin: 'http://localhost:1.evil.example' }],
    ['the Origin is empty', { Origin: '' }],
  ])('are refused when %s, and nothing changes', async (_name, headers) => {
    const customer = await Customer.withCart(shop);
    const before = await dumpDatabase(shop);

    for (const [path, fields] of POSTS) {
      const answer = await customer.agent.post(path).set(headers).type('form').redirects(0).send(fields);

      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    expect(await dumpDatabase(shop)).toBe(before);
    expect(shop.simulator.control.calls()).toEqual([]);
  });

  test('are refused whatever type of body they bring', async () => {
    const customer = await Customer.withCart(shop);
    const before = await dumpDatabase(shop);

    const answer = await customer.agent
      .post('/cart/items')
      .set('Sec-Fetch-Site', 'cross-site')
      .set('Content-Type', 'text/plain')
      .send('product_id=taza-talavera');

    expect(answer.status).toBe(403);
    expect(await dumpDatabase(shop)).toBe(before);
  });

  test("the shop's own are taken, by the browser's word or by the Origin", async () => {
    const customer = new Customer(shop);
    const own = [
      { 'Sec-Fetch-Site': 'same-origin', Origin: shop.url },
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' },
      { Origin: shop.url },
      {},
    ];

    for (const headers of own) {
      const answer = await customer.agent
        .post('/cart/items')
        .set(headers)
        .type('form')
        .redirects(0)
        .send({ product_id: 'taza-talavera', quantity: '1' });

      expect(answer.status).toBe(303);
    }
  });

  test('reading is open to everyone: a link from another site leads in', async () => {
    const customer = new Customer(shop);

    const answer = await customer.agent.get('/').set({ 'Sec-Fetch-Site': 'cross-site' });

    expect(answer.status).toBe(200);
  });
});
