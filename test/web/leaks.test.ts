import { describe, expect, test } from '@jest/globals';
import type { Fault } from '../../tools/simulator/faults.js';
import { Customer } from '../support/customer.js';
import { allAttempts, allOrders } from '../support/inspect.js';
import { CARDS, payByCard } from '../support/purchase.js';
import { API_KEY, openTestShop } from '../support/test-shop.js';

const NUMBER = '4111111111111111';
const person = { first_name: 'Canaria', last_name: 'Plantada', email: 'canaria.plantada@example.com' };

const CALLS = ['create-session', 'process', 'read-session', 'read-transaction'] as const;

const FAULTS: readonly Fault[] = [
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'status', status: 500, body: { error: { message: `${API_KEY} ${NUMBER} canaria.plantada` } } },
  { kind: 'status', status: 401, body: { error: { message: API_KEY } } },
  {
    kind: 'raw',
    body: `<h1>${API_KEY} ${NUMBER} canaria.plantada@example.com</h1>`,
    contentType: 'text/html',
  },
  { kind: 'rewrite', set: { status: `${NUMBER} canaria.plantada@example.com`, url: 'https://evil.example' } },
  { kind: 'redirect', location: `http://localhost:9/?key=${API_KEY}` },
];

describe('leaks', () => {
  test('neither log nor page tells keys, tokens, cards, cookies, persons or links, whatever goes wrong', async () => {
    await using shop = await openTestShop();
    const { control } = shop.simulator;
    const cookies: string[] = [];
    const tokens: string[] = [];
    const pages: string[] = [];

    for (const fault of FAULTS) {
      for (const call of CALLS) control.fault(call, fault);
      const customer = new Customer(shop);
      const cart = await customer.post('/cart/items', { product_id: 'taza-talavera', quantity: '1' });
      const hosted = await customer.payHosted(person);
      const paid = await Customer.withCart(shop);
      const card = await paid.post('/checkout/card', {
        ...person,
        ...keep(control.tokenizeCard(CARDS.paid)),
      });
      control.clearFaults();
      await customer.get(`/nothing?cvv=123&card=${NUMBER}`);
      await customer.post('/checkout/hosted', { ...person, note: NUMBER });
      pages.push(hosted.text, card.text);
      cookies.push(...[cart, hosted, card].flatMap(({ headers }) => headers['set-cookie'] ?? []));
    }
    const orders = await allOrders(shop);
    for (const { token } of orders) await new Customer(shop).get(`/checkout/return/${token}`);
    for (const { token } of orders) pages.push((await new Customer(shop).get(`/orders/${token}`)).text);

    const attempts = await allAttempts(shop);
    const signed = cookies.map((cookie) => decodeURIComponent(cookie.split(';')[0]?.split('=')[1] ?? ''));
    const planted = [
      API_KEY,
      NUMBER,
      'canaria',
      'Plantada',
      'cvv=123',
      ...tokens,
      ...signed.map((cookie) => cookie.slice(2, 34)),
      ...orders.map(({ token }) => token),
      ...attempts.flatMap(({ redirectUrl }) => redirectUrl ?? []),
    ];
    const logged = shop.logged.join('');
    expect(orders).toHaveLength(2 * FAULTS.length);
    expect(signed.length).toBeGreaterThan(5);
    expect(planted.filter((text) => logged.includes(text))).toEqual([]);
    for (const secret of [API_KEY, NUMBER, 'example.com</h1>', ...tokens]) {
      expect(pages.join('')).not.toContain(secret);
    }

    function keep<T extends Readonly<Record<string, string>>>(fields: T): T {
      tokens.push(...Object.values(fields));
      return fields;
    }
  });

  test('the reference of a request that failed is in the log, with what went wrong, on one line', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    shop.simulator.control.fault('process', { kind: 'drop', when: 'after' });

    await payByCard(shop, customer);

    const [order] = await allOrders(shop);
    const line = shop.logged.find((text) => text.includes('card_payment.outcome_lost')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ order: order?.number, code: 'connection_lost' });
    for (const text of shop.logged) expect(text.trim().split('\n')).toHaveLength(1);
  });
});
