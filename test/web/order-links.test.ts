import { expect, test } from '@jest/globals';
import supertest from 'supertest';
import { Customer } from '../support/customer.js';
import { dumpDatabase, theOrder } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';

const UNKNOWN_TOKENS = [
  ...[
    'A'.repeat(32),
    'A'.repeat(31),
    'A'.repeat(33),
    'TG-7KMX-2AFR',
    '1',
    '..%2f..%2fadmin',
    '%00',
    '__proto__',
  ],
  ...[`${'A'.repeat(31)}%00`, `${'A'.repeat(32)}%0a`, '%F0%9F%98%80', "'%20OR%201=1--", 'A'.repeat(10_000)],
];

test('a link to no order is not found, in the same words for any token, and is neither stored nor looked up', async () => {
  await using shop = await openTestShop();
  const before = await dumpDatabase(shop);
  const client = supertest(shop.url);

  for (const token of UNKNOWN_TOKENS) {
    const answers = await Promise.all([
      client.get(`/orders/${token}`),
      client.get(`/orders/${token}/status`),
      client.get(`/checkout/return/${token}?session_id=x`),
      client.post(`/checkout/return/${token}`),
    ]);

    expect([token.slice(0, 33), ...answers.map(({ status }) => status)]).toEqual([
      token.slice(0, 33),
      ...[404, 404, 404, 404],
    ]);
  }
  const readWithoutPath = async (token: string) =>
    (await new Customer(shop).get(`/orders/${token}`)).text.replace(/value="[^"]*"/g, '');
  expect(await readWithoutPath('B'.repeat(32))).toBe(await readWithoutPath('nothing'));
  expect(await dumpDatabase(shop)).toBe(before);
  expect(shop.simulator.control.calls()).toEqual([]);
});

test('the number and the ids of an order open nothing', async () => {
  await using shop = await openTestShop();
  const { session } = await openHostedPage(shop);
  const { number, id, cartId } = await theOrder(shop);

  for (const known of [number, id, cartId, session])
    expect((await supertest(shop.url).get(`/orders/${known}`)).status).toBe(404);
});

test('a return that names a foreign session leads to the order without a lookup, and is logged', async () => {
  await using shop = await openTestShop();
  const { returnPath, session } = await openHostedPage(shop);
  const calls = shop.simulator.control.calls().length;
  const before = await dumpDatabase(shop);
  const claims = [
    ...['cs_unknown', '', 'x'.repeat(10_000), `${session}&session_id=${session}`, `${session}%00`],
    ...[`%20${session}`, '%F0%9F%98%80', '..%2f..%2fadmin', '%00', session.toUpperCase()],
  ];

  for (const claim of claims) {
    const answer = await supertest(shop.url).get(`${returnPath}?session_id=${claim}`);

    expect([claim.slice(0, 30), answer.status]).toEqual([claim.slice(0, 30), 303]);
  }
  expect(shop.simulator.control.calls()).toHaveLength(calls);
  expect(await dumpDatabase(shop)).toBe(before);
  const logged = shop.logged.filter((line) => line.includes('return.session_mismatched'));
  expect(logged).toHaveLength(claims.length);
});

test('a return with parameters of any other shape looks up the stored id only', async () => {
  await using shop = await openTestShop();
  const { returnPath, session } = await openHostedPage(shop);

  for (const query of ['session_id[]=other', 'session_id[$ne]=x', 'id=other', '__proto__=x', '&&&=']) {
    const answer = await supertest(shop.url).get(`${returnPath}?${query}`);

    expect([query, answer.status]).toEqual([query, 303]);
  }
  const paths = shop.simulator.control.calls('read-session').map(({ path }) => path);
  expect(new Set(paths)).toEqual(new Set([`/checkout/v1/sessions/${session}`]));
});
