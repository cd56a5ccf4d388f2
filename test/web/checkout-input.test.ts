import { afterAll, expect, test } from '@jest/globals';
import type { Response } from 'supertest';
import { address, Customer, contact, sessionIdOf } from '../support/customer.js';
import { dumpDatabase, orderOfSession } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';

/** `test/domain/contact.test.ts` shows which other texts are refused. */
const BAD_NAMES = ['', 'x'.repeat(10_000), 'Eva\u0000', 'Eva\r\nBcc: all@example.com', 'Eva\u202egnp.exe'];
const BAD_EMAILS = ['', 'eva', 'eva@example.com\r\nBcc: all@example.com', 'eva@example.com,ada@example.com'];

const shop = await openTestShop();
const { control } = shop.simulator;
afterAll(async () => shop[Symbol.asyncDispose]());

/** Runs requests that must change nothing in the database and call no gateway. */
async function expectUnchanged(run: (customer: Customer) => Promise<void>): Promise<void> {
  const customer = await Customer.withCart(shop);
  const [before, calls] = [await dumpDatabase(shop), control.calls().length];
  await run(customer);
  expect(await dumpDatabase(shop)).toBe(before);
  expect(control.calls()).toHaveLength(calls);
}

test('an invalid name is refused at its field, and the other fields are kept', async () => {
  await expectUnchanged(async (customer) => {
    for (const name of BAD_NAMES) {
      const answer = await customer.payHosted({ ...contact, first_name: name });

      expect([name.slice(0, 20), answer.status]).toEqual([name.slice(0, 20), 422]);
      expect(answer.text).toContain('id="first_name-error"');
      expect(answer.text).not.toContain('id="email-error"');
      expect(answer.text).toContain('value="eva.ruiz@example.com"');
    }
  });
});

test('an invalid e-mail address is refused at its field, in both payment flows', async () => {
  await expectUnchanged(async (customer) => {
    for (const email of BAD_EMAILS) {
      const hosted = await customer.payHosted({ ...contact, email });
      const card = await customer.post('/checkout/card', { ...contact, email });

      expect([email.slice(0, 30), hosted.status, card.status]).toEqual([email.slice(0, 30), 422, 422]);
      expect(hosted.text).toContain('id="email-error"');
    }
  });
});

test('doubled contact fields and lists are refused', async () => {
  await expectUnchanged(async (customer) => {
    for (const fields of [
      'first_name=A&first_name=B&last_name=C&email=a%40example.com',
      'first_name[]=A&last_name=C&email=a%40example.com',
      'first_name=A&last_name=C&email=a%40example.com&email=b%40example.com',
    ]) {
      const answer = await customer.agent.post('/checkout/hosted').type('form').redirects(0).send(fields);

      expect([fields, answer.status]).toEqual([fields, 422]);
    }
  });
});

test('a card form without valid tokens is refused', async () => {
  const tokens = control.tokenizeCard(CARDS.paid);
  await expectUnchanged(async (customer) => {
    for (const changed of [
      {},
      { ...tokens, cvv: 'not-a-token' },
      { ...tokens, card_number: tokens.cvv },
      { ...tokens, expiration_year: [tokens.expiration_year, tokens.expiration_year] },
      { ...tokens, cardholder_name: `${tokens.cardholder_name}\n` },
    ])
      expect((await customer.post('/checkout/card', { ...contact, ...changed })).status).toBe(422);
  });
});

test.each([
  ['محمد', 'بن سلمان', 'eva+tag@example.com'],
  ['👩‍👩‍👧 Ñandú', '𝕏', "o'neill@example.com"],
  ["D'Arcy-Łukasz", '李', 'e.v.a@sub.sub.example.mx'],
  ['Jose\u0301', "Robert'); DROP TABLE orders;--", contact.email],
  ['x'.repeat(120), 'y'.repeat(120), contact.email],
])(
  'a customer named %s %s with the address %s may buy, and the gateway receives the whole name',
  async (...row) => {
    const [first, last, email] = row;
    const customer = await Customer.withCart(shop);

    const answer = await customer.payHosted({ first_name: ` ${first} `, last_name: last, email });

    const order = await orderOfSession(shop, sessionIdOf(answer.headers['location']));
    const names = [first.normalize('NFC'), last.normalize('NFC')];
    expect([order.firstName, order.lastName, order.email]).toEqual([...names, email]);
    expect(control.calls('create-session').at(-1)?.body).toMatchObject({
      customer: { first_name: names[0], last_name: names[1] },
    });
  },
);

const delivery = { ...contact, ...address, shipping_option: 'standard', seen_total: '38800' };

test.each([
  ['street', ''],
  ['state', 'XXX'],
  ['phone', '12345'],
  ['interior_number', '4111 1111 1111 1111'],
])(
  'an invalid %s is refused at its field, and typed text is kept unless it is a card number',
  async (...row) => {
    const [name, value] = row;
    await expectUnchanged(async (customer) => {
      const { status, text } = await customer.payHosted({ ...delivery, [name]: value });

      expect(status).toBe(422);
      expect(text.match(/<p class="error" id="[^"]*"/g)).toEqual([`<p class="error" id="${name}-error"`]);
      expect(text).toContain(`href="#${name}"`);
      expect(text).toContain(
        'name="first_name" type="text" autocomplete="given-name" maxlength="120" required value="Eva"',
      );
      expect(text.includes(`value="${value}"`)).toBe(name !== 'state' && !value.startsWith('4111'));
    });
  },
);

test.each([
  [{ shipping_option: 'express' }, 422],
  [{ shipping_option: 'none', seen_total: '28900' }, 409],
])('the shipping option of %j is refused at its field', async (change, status) => {
  await expectUnchanged(async (customer) => {
    const answer = await customer.payHosted({ ...delivery, ...change });

    expect(answer.status).toBe(status);
    expect(answer.text).toContain('id="shipping_option-error"');
    expect(answer.text).toContain(`value="${address.street}"`);
  });
});

test.each([['no total', { seen_total: undefined }]])(
  'a form with %s is shown again with the right total and the typed values',
  async (_what, change) => {
    await expectUnchanged(async (customer) => {
      const { status, text } = await customer.payHosted({ ...delivery, ...change });

      expect(status).toBe(409);
      expect(text).toContain('name="seen_total" value="38800"');
      expect(text).toContain('Ahora es $388.00');
      expect(text).toContain(`value="${address.street}"`);
      expect(text).toContain('<option value="OAX" selected>');
    });
  },
);

test.each(['/checkout/hosted', '/checkout/card'])(
  'the button that updates the total at %s shows the new total and the typed values, and places nothing',
  async (path) => {
    await expectUnchanged(async (customer) => {
      const fields = { ...delivery, email: 'eva', shipping_option: 'pickup', update_total: '1' };
      const { status, text } = await customer.post(path, fields);

      expect(status).toBe(200);
      expect(text).toContain('name="seen_total" value="28900"');
      expect(text).toContain('value="eva"');
      expect(text).toContain(`value="${address.street}"`);
      expect(text).not.toContain('class="error"');
    });
  },
);

const NUMBER = '4111111111111111';
const WRITTEN = [
  ...[NUMBER, '4111 1111 1111 1111', '4111-1111-1111-1111', '4111.1111.1111.1111', `ref${NUMBER}x`],
  ...['４１１１１１１１１１１１１１１１', '4111\u00a01111\u00a01111\u00a01111', '4111–1111–1111–1111'],
  '378282246310005',
];
const FORGED_TOKEN = 'A'.repeat(32);

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
