import { describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { Customer } from '../support/customer.js';
import { dumpDatabase } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';

const NO_TOKENS = [
  'A'.repeat(32),
  'A'.repeat(31),
  'A'.repeat(33),
  'TG-7KMX-2AFR',
  '1',
  '..%2f..%2fadmin',
  '%00',
  `${'A'.repeat(31)}%00`,
  `${'A'.repeat(32)}%0a`,
  '%F0%9F%98%80',
  "'%20OR%201=1--",
  '__proto__',
  'A'.repeat(10_000),
];

describe('order links', () => {
  test('a link to no order is a page that was not found, for reading, status and return alike', async () => {
    await using shop = await openTestShop();

    for (const token of NO_TOKENS) {
      const answers = [
        await supertest(shop.url).get(`/orders/${token}`),
        await supertest(shop.url).get(`/orders/${token}/status`),
        await supertest(shop.url).get(`/checkout/return/${token}?session_id=x`),
        await supertest(shop.url).post(`/checkout/return/${token}`),
      ];

      expect([token.slice(0, 33), ...answers.map(({ status }) => status)]).toEqual([
        token.slice(0, 33),
        ...[404, 404, 404, 404],
      ]);
    }
    expect(await dumpDatabase(shop)).toBe('');
    expect(shop.simulator.control.calls()).toEqual([]);
  });

  test('the number and the ids of an order open nothing', async () => {
    await using shop = await openTestShop();
    const { session } = await openHostedPage(shop);
    const [order] = await shop.context.checkout.db.queries.selectFrom('orders').selectAll().execute();

    for (const known of [order?.number, order?.id, order?.cartId, session]) {
      const answer = await supertest(shop.url).get(`/orders/${known}`);

      expect(answer.status).toBe(404);
    }
  });

  test('a return that names a foreign session leads to the order without a lookup', async () => {
    await using shop = await openTestShop();
    const { returnPath, session } = await openHostedPage(shop);
    const calls = shop.simulator.control.calls().length;
    const before = await dumpDatabase(shop);

    for (const lease of [
      'session_id=cs_unknown',
      'session_id=',
      `session_id=${'x'.repeat(10_000)}`,
      `session_id=${session}&session_id=${session}`,
      `session_id=${session}%00`,
      `session_id=%20${session}`,
      'session_id=%F0%9F%98%80',
      'session_id=..%2f..%2fadmin',
      'session_id=%00',
      `session_id=${session.toUpperCase()}`,
    ]) {
      const answer = await supertest(shop.url).get(`${returnPath}?${lease}`);

      expect([lease.slice(0, 30), answer.status]).toEqual([lease.slice(0, 30), 303]);
    }
    expect(shop.simulator.control.calls()).toHaveLength(calls);
    expect(await dumpDatabase(shop)).toBe(before);
    expect(shop.logged.filter((line) => line.includes('return.session_mismatched'))).toHaveLength(10);
  });

  test('parameters of any other shape are no claim: only the stored id is looked up', async () => {
    await using shop = await openTestShop();
    const { returnPath, session } = await openHostedPage(shop);

    for (const query of ['session_id[]=other', 'session_id[$ne]=x', 'id=other', '__proto__=x', '&&&=']) {
      const answer = await supertest(shop.url).get(`${returnPath}?${query}`);

      expect([query, answer.status]).toEqual([query, 303]);
    }
    const looked = shop.simulator.control.calls('read-session').map(({ path }) => path);
    expect(new Set(looked)).toEqual(new Set([`/checkout/v1/sessions/${session}`]));
  });

  test('a link says that it exists to nobody who does not hold it', async () => {
    await using shop = await openTestShop();
    await openHostedPage(shop);
    const stranger = new Customer(shop);

    const unknown = await stranger.get(`/orders/${'B'.repeat(32)}`);
    const malformed = await stranger.get('/orders/nothing');

    expect(unknown.text.replace(/value="[^"]*"/g, '')).toBe(malformed.text.replace(/value="[^"]*"/g, ''));
  });
});
