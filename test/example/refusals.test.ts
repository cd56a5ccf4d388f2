/** What `examples/minimal` refuses: forged requests, other amounts, other sites, bad input, too many requests. */
import { afterAll, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { contact } from '../support/customer.js';
import { CARDS } from '../support/purchase.js';
import {
  customerAt,
  openExample,
  orderPath,
  payByCard,
  readStatus,
  startHosted,
  untilState,
  WEBHOOK_TOKEN,
} from './support.js';

const example = await openExample();
const { control, url } = example;
afterAll(() => example[Symbol.asyncDispose]());

const CARD = '4456 5400 0000 0063';

test('a forged return and forged webhooks change nothing, and an unknown token is not found', async () => {
  const customer = await example.customer();
  const { session } = await startHosted(customer);
  const path = await orderPath(example);
  const body = JSON.stringify({ action: 'session.completed', type: 'checkout.hosted', data: { id: session } });
  const post = (token: string) =>
    supertest(url).post('/webhooks/payments').set('Authorization', `Bearer ${token}`).type('json').send(body);

  const answers = [
    await customer.get(`${path.replace('/orders', '/checkout/return')}?session_id=cs_of_another&status=completed`),
    await customer.get(`/checkout/return/${'A'.repeat(32)}?session_id=${session}`),
    await customer.get(`/orders/${'A'.repeat(32)}`),
    await customer.get(`/orders/${'A'.repeat(32)}/status`),
    await post('wrong'),
    await post(WEBHOOK_TOKEN),
  ];

  expect(answers.map(({ status }) => status)).toEqual([303, 404, 404, 404, 401, 200]);
  expect((await readStatus(customer, path)).state).toBe('pending');
});

test('a payment of another amount is not paid, and not safe to pay again', async () => {
  const customer = await example.customer();
  const { session } = await startHosted(customer);
  const path = await orderPath(example);
  control.fault('read-session', { kind: 'rewrite', set: { amount_total: 1 } });
  control.paySession(session);

  await customer.get(`${path.replace('/orders', '/checkout/return')}?session_id=${session}`);

  await untilState(customer, path, 'review');
  control.clearFaults();
  expect(await readStatus(customer, path)).toEqual({ state: 'review', safe_to_pay_again: false });
});

test.each<[number, Record<string, string>]>([
  [403, { 'Sec-Fetch-Site': 'cross-site' }],
  [403, { 'Sec-Fetch-Site': 'same-site' }],
  [403, { 'Sec-Fetch-Site': 'cross-site', Origin: url }],
  [403, { Origin: 'https://attacker.example' }],
  [403, { Origin: 'null' }],
  [303, { Origin: url }],
  [303, { 'Sec-Fetch-Site': 'same-origin' }],
])('a post gets %i with the headers %j', async (status, headers) => {
  const form = { product_id: 'cafe', quantity: '1' };
  const answer = await supertest(url).post('/cart/items').set(headers).type('form').send(form);

  expect([answer.status, answer.headers['set-cookie'] === undefined]).toEqual([status, status === 403]);
});

test.each<[string, object, string, string]>([
  ['an empty name', { first_name: ' ' }, 'first_name', 'Escribe tu nombre.'],
  ['a wrong e-mail', { email: 'eva.ruiz' }, 'email', 'Escribe un correo'],
  ['a card number as name', { first_name: CARD }, 'first_name', 'No escribas aquí el número de tu tarjeta.'],
  ['a card number as last name', { last_name: CARD.replaceAll(' ', '-') }, 'last_name', 'No escribas aquí'],
  ['a card number in the e-mail', { email: 'a4456540000000063@b.mx' }, 'email', 'No escribas aquí'],
  ['a long name', { last_name: 'x'.repeat(121) }, 'last_name', 'Escribe 120 caracteres como máximo.'],
  ['a field twice', { first_name: ['a', 'b'] }, 'first_name', 'Escribe tu nombre.'],
])('%s gets a message at its field, and the other values stay', async (_name, wrong, field, message) => {
  const customer = await example.customer();
  // The worker looks up orders of other tests meanwhile.
  const sent = () => control.calls().filter(({ method }) => method === 'POST').length;
  const before = sent();

  for (const path of ['/checkout/hosted', '/checkout/card']) {
    const fields = { ...contact, ...control.tokenizeCard(CARDS.authorized), ...wrong };
    const { status, text } = await customer.send(path, fields);
    const [, error] = new RegExp(`id="${field}-error">([^<]*)<`).exec(text) ?? [];
    expect([path, status, error]).toEqual([path, 422, expect.stringContaining(message)]);
    const others = Object.entries(contact).filter(([name]) => name !== field);
    for (const [name, value] of others)
      expect(text).toContain(`name="${name}" type="${name === 'email' ? 'email' : 'text'}" value="${value}"`);
    expect(text.replace(/\D/g, '')).not.toContain('4456540000000063');
  }

  expect(sent()).toBe(before);
});

test.each(['0', '-1', '100', '1.5', 'x', '', '99', CARD])(
  'the quantity %j gets a message at its field, and the cart stays',
  async (quantity) => {
    const customer = await example.customer();

    const { status, text } = await customer.send('/cart/items', { product_id: 'cafe', quantity });

    expect([status, text.includes('id="cafe-error"'), text.includes('1 × Café')]).toEqual([422, true, true]);
    expect(text.replace(/\D/g, '')).not.toContain(CARD.replaceAll(' ', ''));
  },
);

test('after a browser that keeps no cookies added a product, the cart says so, and for another one it does not', async () => {
  const add = () => supertest(example.url).post('/cart/items').type('form').redirects(0).send({ product_id: 'cafe' });
  const { headers } = await add().send({ quantity: '1' });
  const lost = await supertest(example.url).get(headers['location'] ?? '');
  const kept = await (await example.customer()).get(headers['location'] ?? '');

  expect([lost, kept].map(({ text }) => text.includes('no guarda cookies'))).toEqual([true, false]);
  expect(kept.text).toContain('1 × Café');
});

test('unknown products and pages are not found, and typed texts are escaped', async () => {
  const customer = await example.customer();

  const answers = [
    await customer.send('/cart/items', { product_id: '__proto__', quantity: '1' }),
    await customer.send('/cart/items', {}),
    await customer.send('/cart/items', '{'),
    await customer.get('/checkout/hosted'),
  ];

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  const { text } = await customer.send('/checkout/hosted', { ...contact, email: '"><script>' });
  expect([text.includes('"><script>'), text.includes('&lt;script&gt;')]).toEqual([false, true]);
});

test('a card form without tokens is refused with the typed contact, and no order is placed', async () => {
  const customer = await example.customer();
  const before = (await example.orders()).length;
  const raw = {
    card_number: CARD,
    cardholder_name: 'EVA',
    cvv: '123',
    expiration_month: '11',
    expiration_year: '2039',
  };

  const answers = [
    await customer.send('/checkout/card', { ...contact, ...raw }),
    await customer.send('/checkout/card', contact),
  ];

  expect(answers.map(({ status }) => status)).toEqual([422, 422]);
  expect(answers.every(({ text }) => text.includes(`value="${contact.email}"`) && !text.includes('4456'))).toBe(true);
  expect(await example.orders()).toHaveLength(before);
});

test('one network gets six card payments a minute and 30 access tokens, and another network still pays', async () => {
  const customers = ['2001:db8:0:1::1', '2001:db8:0:2::1'].map((address) => customerAt(url, address));
  const statuses: number[] = [];
  for (let count = 0; count < 7; count += 1) {
    const customer = customers[count % 2];
    await customer?.send('/cart/items', { product_id: 'copita', quantity: '1' });
    const answer = customer && (await payByCard(example, customer, CARDS.declined));
    statuses.push(answer?.status ?? 0);
    if (answer?.status === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }
  const tokens: number[] = [];
  for (let count = 0; count < 31; count += 1)
    tokens.push((await customers[0]?.send('/checkout/card/access-token', { refused: '1' }))?.status ?? 0);
  const other = await payByCard(example, await example.customer(), CARDS.authorized);

  expect(statuses).toEqual([303, 303, 303, 303, 303, 303, 429]);
  expect([tokens.filter((status) => status === 429).length > 0, other.status]).toEqual([true, 303]);
});
