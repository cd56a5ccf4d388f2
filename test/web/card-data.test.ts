import { afterAll, expect, test } from '@jest/globals';
import type { Response } from 'supertest';
import { Customer, contact } from '../support/customer.js';
import { dumpDatabase } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';

const NUMBER = '4111111111111111';
const WRITTEN = [
  ...[NUMBER, '4111 1111 1111 1111', '4111-1111-1111-1111', '4111.1111.1111.1111', `ref${NUMBER}x`],
  ...['４１１１１１１１１１１１１１１１', '4111\u00a01111\u00a01111\u00a01111', '4111–1111–1111–1111'],
  '378282246310005',
];
const FORGED_TOKEN = 'A'.repeat(32);

const shop = await openTestShop();
const { control } = shop.simulator;
afterAll(async () => shop[Symbol.asyncDispose]());

/** Expects that each request is refused and that no part of it is stored, sent, logged or shown. */
async function expectRefused(shown: string, requests: readonly (() => Promise<Response>)[]): Promise<void> {
  const [before, calls] = [await dumpDatabase(shop), control.calls().length];
  const answers = await Promise.all(requests.map((send) => send()));

  for (const { status, text } of answers) {
    expect([shown, status]).toEqual([shown, 422]);
    expect(text).not.toContain(shown);
    expect(text).not.toContain(NUMBER);
  }
  expect(await dumpDatabase(shop)).toBe(before);
  expect(control.calls()).toHaveLength(calls);
  for (const digits of [NUMBER, '378282246310005', '4111 1111', '4111-1111'])
    expect(shop.logged.join('')).not.toContain(digits);
}

test.each(WRITTEN)('a card number written as %s is refused in any field and any address', async (number) => {
  const customer = await Customer.withCart(shop);
  const coded = encodeURIComponent(number);
  const hosted = (fields: object) => () => customer.payHosted({ ...contact, ...fields });
  const posts = [
    ['/cart/items', { product_id: number, quantity: '1' }],
    ['/cart/items', { product_id: 'taza-talavera', quantity: number }],
    ['/cart/items/taza-talavera', { quantity: '1', note: number }],
    ['/checkout/card', { ...contact, card_number: number, cvv: '123' }],
    ['/language', { lang: 'en', back: number }],
    [`/cart/items/${coded}`, { quantity: '1' }],
    [`/checkout/hosted?x=${coded}`, contact],
  ] as const;
  const gets = [
    ...[`/?q=${coded}`, `/${coded}`, `/products/${coded}`, `/cart?card=${coded}`, `/checkout?${coded}=1`],
    ...[`/orders/${coded}`, `/checkout/return/${FORGED_TOKEN}?card_number=${coded}`],
  ];

  await expectRefused(number, [
    ...posts.map(
      ([path, fields]) =>
        () =>
          customer.post(path, fields),
    ),
    ...gets.map((path) => () => customer.get(path)),
    hosted({ first_name: number }),
    hosted({ last_name: `Ruiz ${number}` }),
    hosted({ email: `${number.replaceAll(' ', '')}@a.mx` }),
    hosted({ note: number }),
    hosted({ [number]: 'x' }),
    hosted({ seen_total: number }),
    hosted({ note: ['a', number] }),
  ]);
});

test.each(['cvv', 'CVV2', 'cvc', 'security_code'])('a security code in %s is refused', async (name) => {
  const customer = await Customer.withCart(shop);

  for (const code of ['123', '1234', ' 123 ', '１２３'])
    await expectRefused(`value="${code}"`, [
      () => customer.payHosted({ ...contact, [name]: code }),
      () => customer.payHosted({ ...contact, [name]: ['x', code] }),
      () => customer.get(`/checkout?${name}=${encodeURIComponent(code)}`),
    ]);
});

test('a card form with the number typed in place of its token is refused and charges nothing', async () => {
  const customer = await Customer.withCart(shop);
  const tokens = control.tokenizeCard(CARDS.paid);

  await expectRefused(NUMBER, [
    () => customer.post('/checkout/card', { ...contact, ...tokens, card_number: NUMBER }),
  ]);
});

test('a return by POST that carries card data leads to the order and stores none of it', async () => {
  const { customer, returnPath } = await openHostedPage(shop);

  const back = await customer.post(returnPath, { card_number: NUMBER, cvv: '123' });

  expect(back.status).toBe(303);
  expect(await dumpDatabase(shop)).not.toContain(NUMBER);
  expect(shop.logged.join('')).not.toContain(NUMBER);
});

test('forty card payments with random tokens are never refused as card data', async () => {
  const customer = await Customer.withCart(shop);
  const incomplete = { ...contact, first_name: '' };

  const answers = await Promise.all(
    Array.from({ length: 40 }, () =>
      customer.post('/checkout/card', { ...incomplete, ...control.tokenizeCard(CARDS.declined) }),
    ),
  );

  for (const answer of answers) expect(answer.text).toContain('id="first_name-error"');
});

test('after a card payment neither database nor log holds a card token', async () => {
  await payByCard(shop, await Customer.withCart(shop));

  const body = control.calls('process').at(-1)?.body as { payment_method: Record<string, string> };
  const { type: _type, ...tokens } = body.payment_method;
  const stored = `${await dumpDatabase(shop)}${shop.logged.join('')}`;
  expect(Object.keys(tokens)).toHaveLength(5);
  for (const token of Object.values(tokens)) expect(stored).not.toContain(token);
});
