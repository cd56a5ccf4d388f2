import { afterAll, expect, test } from '@jest/globals';
import { Customer, contact } from '../support/customer.js';
import { dumpDatabase } from '../support/inspect.js';
import { openTestShop } from '../support/test-shop.js';

const ITEM = { product_id: 'taza-talavera', quantity: '3' };
const POSTS = [
  ['/cart/items', ITEM],
  ['/cart/items/taza-talavera', { quantity: '0' }],
  ['/checkout/hosted', contact],
  ['/checkout/card', contact],
  ['/checkout/card/access-token', {}],
  ['/language', { lang: 'en' }],
] as const;

const shop = await openTestShop();
afterAll(async () => shop[Symbol.asyncDispose]());

test.each([
  ['Sec-Fetch-Site is cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['Sec-Fetch-Site is same-site', { 'Sec-Fetch-Site': 'same-site' }],
  ['Sec-Fetch-Site is unknown', { 'Sec-Fetch-Site': 'same-planet' }],
  ['Sec-Fetch-Site is doubled', { 'Sec-Fetch-Site': 'same-origin, cross-site' }],
  ['Origin is null', { Origin: 'null' }],
  ['Origin is another site', { Origin: 'https://evil.example' }],
  ['Origin begins like the shop', { Origin: 'http://localhost:1.evil.example' }],
  ['Origin is empty', { Origin: '' }],
])('a post is refused and changes nothing when %s', async (_name, headers) => {
  const customer = await Customer.withCart(shop);
  const before = await dumpDatabase(shop);

  for (const [path, fields] of POSTS) {
    const answer = await customer.agent.post(path).set(headers).type('form').redirects(0).send(fields);

    expect([path, answer.status]).toEqual([path, 403]);
    expect(answer.headers['set-cookie']).toBeUndefined();
  }
  const asText = await customer.agent
    .post('/cart/items')
    .set({ ...headers, 'Content-Type': 'text/plain' })
    .send('product_id=taza-talavera');
  expect(asText.status).toBe(403);
  expect(await dumpDatabase(shop)).toBe(before);
  expect(shop.simulator.control.calls()).toEqual([]);
});

test.each([
  { 'Sec-Fetch-Site': 'same-origin', Origin: shop.url },
  { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' },
  { Origin: shop.url },
  {},
])('a post of the shop itself with the headers %j is accepted', async (headers) => {
  const { agent } = new Customer(shop);

  const answer = await agent.post('/cart/items').set(headers).type('form').redirects(0).send(ITEM);

  expect(answer.status).toBe(303);
});

test('a link from another site opens the catalog', async () => {
  const answer = await new Customer(shop).agent.get('/').set({ 'Sec-Fetch-Site': 'cross-site' });

  expect(answer.status).toBe(200);
});
