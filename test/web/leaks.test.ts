import { expect, test } from '@jest/globals';
import type { Fault } from '../../tools/simulator/faults.js';
import { Customer } from '../support/customer.js';
import { allAttempts, allOrders } from '../support/inspect.js';
import { CARDS } from '../support/purchase.js';
import { API_KEY, openTestShop } from '../support/test-shop.js';

const NUMBER = '4111111111111111';
const EMAIL = 'canaria.plantada@example.com';
const person = { first_name: 'Canaria', last_name: 'Plantada', email: EMAIL };
const CALLS = ['create-session', 'process', 'read-session', 'read-transaction'] as const;
const FAULTS: readonly Fault[] = [
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'status', status: 500, body: { error: { message: `${API_KEY} ${NUMBER} canaria.plantada` } } },
  { kind: 'status', status: 401, body: { error: { message: API_KEY } } },
  { kind: 'raw', body: `<h1>${API_KEY} ${NUMBER} ${EMAIL}</h1>`, contentType: 'text/html' },
  { kind: 'rewrite', set: { status: `${NUMBER} ${EMAIL}`, url: 'https://evil.example' } },
  { kind: 'redirect', location: `http://localhost:9/?key=${API_KEY}` },
];

test('after every fault of the gateway neither log nor page holds keys, tokens, cards, cookies, customers or order links', async () => {
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
    const cardTokens = control.tokenizeCard(CARDS.paid);
    const card = await (await Customer.withCart(shop)).post('/checkout/card', { ...person, ...cardTokens });
    control.clearFaults();
    await customer.get(`/nothing?cvv=123&card=${NUMBER}`);
    await customer.payHosted({ ...person, note: NUMBER });
    pages.push(hosted.text, card.text);
    tokens.push(...Object.values(cardTokens));
    cookies.push(...[cart, hosted, card].flatMap(({ headers }) => headers['set-cookie'] ?? []));
  }
  const orders = await allOrders(shop);
  for (const { token } of orders) await new Customer(shop).get(`/checkout/return/${token}`);
  for (const { token } of orders) pages.push((await new Customer(shop).get(`/orders/${token}`)).text);

  const attempts = await allAttempts(shop);
  const signed = cookies.map((cookie) => decodeURIComponent(cookie.split(';')[0]?.split('=')[1] ?? ''));
  const secrets = [
    ...[API_KEY, NUMBER, 'canaria', 'Plantada', 'cvv=123', ...tokens],
    ...signed.map((cookie) => cookie.slice(2, 34)),
    ...orders.map(({ token }) => token),
    ...attempts.flatMap(({ redirectUrl }) => redirectUrl ?? []),
  ];
  const logged = shop.logged.join('');
  expect(orders).toHaveLength(2 * FAULTS.length);
  expect(signed.length).toBeGreaterThan(5);
  expect(secrets.filter((text) => logged.includes(text))).toEqual([]);
  for (const secret of [API_KEY, NUMBER, 'example.com</h1>', ...tokens])
    expect(pages.join('')).not.toContain(secret);
  const lost = shop.logged.find(
    (text) => /card_payment.outcome_lost/.test(text) && /connection_lost/.test(text),
  );
  expect(orders.map(({ number }) => number)).toContain(JSON.parse(lost ?? '{}').order);
  for (const text of shop.logged) expect(text.trim().split('\n')).toHaveLength(1);
});
