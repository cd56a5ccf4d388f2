import { describe, expect, test } from '@jest/globals';
import { Customer, contact } from '../support/customer.js';
import { dumpDatabase, theOrder } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../support/purchase.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const NUMBER = '4111111111111111';
const WRITTEN = [
  NUMBER,
  '4111 1111 1111 1111',
  '4111-1111-1111-1111',
  '4111.1111.1111.1111',
  '４１１１１１１１１１１１１１１１',
  '4111\u00a01111\u00a01111\u00a01111',
  '4111–1111–1111–1111',
  `ref${NUMBER}x`,
  '378282246310005',
];

/** Fails when anything of the number was kept, sent on or written down. */
async function expectNoTrace(shop: TestShop, before: string): Promise<void> {
  expect(await dumpDatabase(shop)).toBe(before);
  expect(shop.simulator.control.calls()).toEqual([]);
  for (const digits of [NUMBER, '378282246310005', '4111 1111', '4111-1111']) {
    expect(shop.logged.join('')).not.toContain(digits);
  }
}

describe('raw card data', () => {
  test('a number in any field of any form is refused and leaves no trace', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    const before = await dumpDatabase(shop);

    for (const number of WRITTEN) {
      const answers = [
        await customer.post('/cart/items', { product_id: number, quantity: '1' }),
        await customer.post('/cart/items', { product_id: 'taza-talavera', quantity: number }),
        await customer.post('/cart/items/taza-talavera', { quantity: '1', note: number }),
        await customer.post('/checkout/hosted', { ...contact, first_name: number }),
        await customer.post('/checkout/hosted', { ...contact, last_name: `Ruiz ${number}` }),
        await customer.post('/checkout/hosted', { ...contact, email: `${number.replaceAll(' ', '')}@a.mx` }),
        await customer.post('/checkout/hosted', { ...contact, note: number }),
        await customer.post('/checkout/hosted', { ...contact, [number]: 'x' }),
        await customer.post('/checkout/hosted', { ...contact, seen_total: number }),
        await customer.post('/checkout/hosted', { ...contact, note: ['a', number] }),
        await customer.post('/checkout/card', { ...contact, card_number: number, cvv: '123' }),
        await customer.post('/language', { lang: 'en', back: number }),
      ];

      for (const answer of answers) {
        expect([number, answer.status]).toEqual([number, 422]);
        expect(answer.text).not.toContain(number);
        expect(answer.text).not.toContain(NUMBER);
      }
    }
    await expectNoTrace(shop, before);
  });

  test('a number in an address is refused on every route and leaves no trace', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    const before = await dumpDatabase(shop);

    for (const number of WRITTEN) {
      const coded = encodeURIComponent(number);
      const answers = [
        await customer.get(`/?q=${coded}`),
        await customer.get(`/${coded}`),
        await customer.get(`/products/${coded}`),
        await customer.get(`/cart?card=${coded}`),
        await customer.get(`/checkout?${coded}=1`),
        await customer.get(`/orders/${coded}`),
        await customer.get(`/checkout/return/${'A'.repeat(32)}?card_number=${coded}`),
        await customer.post(`/cart/items/${coded}`, { quantity: '1' }),
        await customer.post(`/checkout/hosted?x=${coded}`, contact),
      ];

      for (const answer of answers) {
        expect([number, answer.status]).toEqual([number, 422]);
        expect(answer.text).not.toContain(number);
      }
    }
    await expectNoTrace(shop, before);
  });

  test.each(['cvv', 'CVV2', 'cvc', 'security_code'])(
    'a bare security code in %s is refused',
    async (name) => {
      await using shop = await openTestShop();
      const customer = await Customer.withCart(shop);
      const before = await dumpDatabase(shop);

      for (const code of ['123', '1234', ' 123 ', '１２３']) {
        const posted = await customer.post('/checkout/hosted', { ...contact, [name]: code });
        const doubled = await customer.post('/checkout/hosted', { ...contact, [name]: ['x', code] });
        const asked = await customer.get(`/checkout?${name}=${encodeURIComponent(code)}`);

        expect([code, posted.status, doubled.status, asked.status]).toEqual([code, 422, 422, 422]);
        expect(posted.text).not.toContain(`value="${code}"`);
      }
      await expectNoTrace(shop, before);
    },
  );

  test('a card form with the number typed in place of its token is refused and charges nothing', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    const tokens = shop.simulator.control.tokenizeCard(CARDS.paid);
    const before = await dumpDatabase(shop);

    const answer = await customer.post('/checkout/card', { ...contact, ...tokens, card_number: NUMBER });

    expect(answer.status).toBe(422);
    await expectNoTrace(shop, before);
  });

  test('tokens, which look half like numbers, are never taken for a card: forty payments in a row', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    const stranger = { ...contact, first_name: '' };

    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        customer.post('/checkout/card', {
          ...stranger,
          ...shop.simulator.control.tokenizeCard(CARDS.declined),
        }),
      ),
    );

    for (const answer of answers) expect(answer.text).toContain('id="first_name-error"');
  });

  test('the way back of a paid customer is never closed because the gateway’s id holds many digits', async () => {
    await using shop = await openTestShop();
    const digits = `cs_11_4111111111111111_${'1'.repeat(48)}`;
    shop.simulator.control.fault('create-session', { kind: 'rewrite', set: { id: digits } }, 1);
    const customer = await Customer.withCart(shop);
    await customer.payHosted();
    const { token } = await theOrder(shop);

    const back = await customer.get(
      `/checkout/return/${token}?session_id=${digits}&tndr_payment_id=4111111111111111`,
    );

    expect(back.status).toBe(303);
  });

  test('a return by POST that carries card data keeps none of it', async () => {
    await using shop = await openTestShop();
    const { customer, returnPath } = await openHostedPage(shop);

    const back = await customer.post(returnPath, { card_number: NUMBER, cvv: '123' });

    expect(back.status).toBe(303);
    expect(await dumpDatabase(shop)).not.toContain(NUMBER);
    expect(shop.logged.join('')).not.toContain(NUMBER);
  });

  test('of a card payment the database keeps no token', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);

    await payByCard(shop, customer);

    const body = shop.simulator.control.calls('process')[0]?.body as {
      payment_method: Record<string, string>;
    };
    const { type: _type, ...tokens } = body.payment_method;
    const kept = `${await dumpDatabase(shop)}${shop.logged.join('')}`;
    expect(Object.keys(tokens)).toHaveLength(5);
    for (const token of Object.values(tokens)) expect(kept).not.toContain(token);
  });
});
