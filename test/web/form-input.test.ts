import { beforeEach, expect, test } from '@jest/globals';
import type { Response } from 'supertest';
import { MESSAGES } from '../../src/features/messages.js';
import { CONTACT_FIELD_NAMES, CONTACT_FIELDS } from '../../src/shop/rules/contact.js';
import { SHIPPED } from '../support/catalog.js';
import { address, Customer, contact, mugDelivery, sessionIdOf } from '../support/customer.js';
import { cartContents, dumpDatabase, orderOfSession } from '../support/inspect.js';
import { isOffered } from '../support/locales.js';
import { CARDS, openHostedPage, payByCard } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';
import { expectUnchanged as expectUnchangedShop } from '../support/unchanged.js';

/** The tests of `test/domain/` show which other quantities, names and addresses are refused. */
const NOT_A_QUANTITY = ['', '-1', '0.5', '1e3', '٥', '100', '9'.repeat(10_000)];
const UNKNOWN_PRODUCTS = ['__proto__', "' OR 1=1 --", '../..', 'x'.repeat(10_000)];
const PRODUCT = 'product_id=taza-talavera';
const DELIVERED = { product_id: SHIPPED };
/** The form shows the total of the delivery. */
const TOTAL = `name="seen" value="${mugDelivery.seen}"`;

const shop = await openFileShop();
const { control } = shop.simulator;
beforeEach(async () => {
  await shop.context.checkout.db.queries.deleteFrom('cartLines').execute();
});

/** Sends requests of a customer with a cart. They must neither change the database nor call the gateway. */
async function expectUnchanged(run: (customer: Customer) => Promise<void>, line = {}): Promise<void> {
  const customer = await Customer.withCart(shop, line);
  await expectUnchangedShop(shop, () => run(customer));
}

test.each([
  ['first_name', ['', 'x'.repeat(10_000), 'Eva\u0007', 'Eva\r\nBcc: all@example.com', 'Eva\tRuiz']],
  ['email', ['', 'eva', 'eva@example.com\r\nBcc: all@example.com', 'eva@example.com,ada@example.com']],
] as const)('an invalid %s is refused at its field in both payment flows', async (field, values) => {
  await expectUnchanged(async (customer) => {
    for (const value of values) {
      const fields = { ...contact, [field]: value };
      const hosted = await customer.payHosted(fields);
      const card = await customer.post('/checkout/card', fields);

      expect([value.slice(0, 30), hosted.status, card.status]).toEqual([value.slice(0, 30), 422, 422]);
      expect(hosted.text.match(/id="\w+-error"/g)).toEqual([`id="${field}-error"`]);
      expect(hosted.text).toContain('value="Ruiz Nava"');
    }
  });
});

test('a phone number with +52 1 that may be a card number is kept without it in a form with another problem, and a card number is not', async () => {
  await expectUnchanged(async (customer) => {
    const phone = '+52 1 55 1234 5678';
    const fields = { ...mugDelivery, phone, delivery_notes: '4111 1111 1111 1111' };

    const { status, text } = await customer.payHosted(fields);

    expect(status).toBe(422);
    expect(text.match(/id="\w+-error"/g)).toEqual(['id="delivery_notes-error"']);
    expect(text).toContain('value="5512345678"');
    expect(text).not.toContain('4111 1111');
  }, DELIVERED);
});

test('a text that is too long is refused with its limit, and one with a form of its own with that form', async () => {
  await expectUnchanged(async (customer) => {
    const long = { delivery_notes: 'x'.repeat(251), postal_code: '680000', phone: '9'.repeat(21) };

    const { text } = await customer.payHosted({ ...mugDelivery, ...long });

    for (const message of [
      'Referencias: el límite es de 250 caracteres.',
      'El código postal tiene 5 dígitos, por ejemplo 68000.',
      'Escribe los 10 dígitos de tu teléfono, por ejemplo 55 1234 5678. Si es de otro país, empieza con + y su código.',
    ])
      expect(text).toContain(`${message}</a>`);
  }, DELIVERED);
});

/** The shop's own fields too. */
const OPTIONAL = CONTACT_FIELD_NAMES.filter((name) => 'isOptional' in CONTACT_FIELDS[name]);

test.each(
  [
    ['es-MX', / \(opcional\)$/, 'Todos los datos son necesarios, salvo los opcionales.'],
    ['en', / \(optional\)$/, 'Fields are required unless marked optional.'],
  ].filter(isOffered) as [string, RegExp, string][],
)(
  'the checkout form in %s marks exactly the optional fields, and its hint excepts them',
  async (locale, mark, hint) => {
    const customer = await Customer.withCart(shop, DELIVERED);

    const { text } = await customer.agent.get('/checkout').set('Accept-Language', locale);

    const labels = new Map(
      [...text.matchAll(/<label for="(\w+)">([^<]+)<\/label>/g)].map(([, name, label]) => [name, label]),
    );
    const inputs = [...text.matchAll(/<(?:input|select) id="(\w+)"[^>]*>/g)].filter(([, name]) => labels.has(name));
    const isMarked = ([, name]: readonly string[]) => mark.test(labels.get(name) ?? '');
    expect(inputs.filter(isMarked).map(([, name]) => name)).toEqual(OPTIONAL);
    expect(inputs.filter((input) => isMarked(input) === / required/.test(input[0]))).toEqual([]);
    expect(text).toContain(hint);
  },
);

test.each(Object.entries(MESSAGES))('no field label in %s holds the mark of optional fields', (_, { core }) => {
  for (const { label } of Object.values(core.fields).filter((texts) => 'label' in texts))
    expect(label).not.toMatch(/op[ct]ional/i);
});

test('doubled contact fields, lists, and card forms without valid tokens are refused', async () => {
  const tokens = control.tokenizeCard(CARDS.paid);
  await expectUnchanged(async (customer) => {
    for (const fields of [
      'first_name=A&first_name=B&last_name=C&email=a%40example.com',
      'first_name[]=A&last_name=C&email=a%40example.com',
      'first_name=A&last_name=C&email=a%40example.com&email=b%40example.com',
    ]) {
      const answer = await customer.send('/checkout/hosted', fields);

      expect([fields, answer.status]).toEqual([fields, 422]);
    }
    for (const changed of [
      {},
      { ...tokens, card_number: tokens.cvv },
      { ...tokens, expiration_year: [tokens.expiration_year, tokens.expiration_year] },
    ])
      expect((await customer.post('/checkout/card', { ...contact, ...changed })).status).toBe(422);
  });
});

test.each([
  ['محمد', 'بن سلمان', 'eva+tag@example.com'],
  ['👩👩👧 Ñandú 𝕏', '李', "o'neill@example.com"],
  ['Jose\u0301', "Robert'); DROP TABLE orders;--", contact.email],
])('a customer named %s %s with the address %s may buy under the whole name', async (...row) => {
  const [first, last, email] = row;
  const customer = await Customer.withCart(shop);

  const answer = await customer.payHosted({ ...contact, first_name: ` ${first} `, last_name: last, email });

  const order = await orderOfSession(shop, sessionIdOf(answer.headers['location']));
  const names = [first.normalize('NFC'), last.normalize('NFC')];
  expect([order.firstName, order.lastName, order.email]).toEqual([...names, email]);
  expect(control.calls('create-session').at(-1)?.body).toMatchObject({
    customer: { first_name: names[0], last_name: names[1] },
  });
});

test.each([
  [{ shipping_option: 'express' }, 422, 'id="shipping_option-error"'],
  [{ shipping_option: undefined }, 422, 'id="shipping_option-error"'],
  [{ shipping_option: 'none' }, 409, 'id="shipping_option-error"'],
  [{ seen: '1' }, 409, TOTAL],
  [{ seen: undefined }, 409, TOTAL],
])('a form with %j is shown again as typed, and places nothing', async (change, status, part) => {
  await expectUnchanged(async (customer) => {
    const answer = await customer.payHosted({ ...mugDelivery, ...change });

    expect(answer.status).toBe(status);
    for (const text of [part, `value="${address.street}"`]) expect(answer.text).toContain(text);
    expect(answer.text).toMatch(/<option value="OAX"[^>]* selected>/);
  }, DELIVERED);
});

const NUMBER = '4111111111111111';
/** `packages/payments/test/rules/card-data.test.ts` has the other forms of a card number. */
const WRITTEN = [NUMBER, '4111-1111-1111-1111', '４１１１１１１１１１１１１１１１', '3782-8224-6310-005'];
const FORGED_TOKEN = 'A'.repeat(32);

/** Expects that each request is refused and that no part of it is stored, sent, logged or shown. */
async function expectRefused(shown: string, requests: readonly (() => Promise<Response>)[]): Promise<void> {
  await expectUnchangedShop(shop, async () => {
    for (const { status, text } of await Promise.all(requests.map((send) => send()))) {
      expect([shown, status]).toEqual([shown, 422]);
      expect(text).not.toContain(shown);
      expect(text).not.toContain(NUMBER);
    }
  });
  const written = `${shop.logged.join('')}${await dumpDatabase(shop)}`;
  for (const digits of [NUMBER, '378282246310005', '4111 1111', '4111-1111', '3782-8224'])
    expect(written).not.toContain(digits);
}

test.each(WRITTEN)('a card number written as %s is refused in any field and any address', async (number) => {
  const customer = await Customer.withCart(shop);
  const coded = encodeURIComponent(number);
  const tokens = control.tokenizeCard(CARDS.paid);
  const post = (path: string, fields: object) => () => customer.post(path, fields);
  const hosted = (fields: object) => () => customer.payHosted({ ...contact, ...fields });
  const gets = [
    ...[`/?q=${coded}`, `/${coded}`, `/products/${coded}`, `/cart?card=${coded}`, `/checkout?${coded}=1`],
    ...[`/orders/${coded}`, `/checkout/return/${FORGED_TOKEN}?card_number=${coded}`],
  ];

  await expectRefused(number, [
    ...gets.map((path) => () => customer.get(path)),
    post('/cart/items', { product_id: number, quantity: '1' }),
    post('/cart/items', { product_id: 'taza-talavera', quantity: number }),
    post('/cart/items/taza-talavera', { quantity: '1', comment: number }),
    post('/checkout/card', { ...contact, card_number: number, cvv: '123' }),
    // With hyphens it has the form of a number token.
    post('/checkout/card', { ...contact, ...tokens, card_number: number.replaceAll('-', '') }),
    post('/language', { lang: 'en', back: number }),
    post(`/cart/items/${coded}`, { quantity: '1' }),
    post(`/checkout/hosted?x=${coded}`, contact),
    hosted({ last_name: `Ruiz ${number}` }),
    hosted({ email: `${number}@a.mx` }),
    hosted({ [number]: 'x' }),
    hosted({ seen: number }),
    hosted({ comment: ['a', number] }),
  ]);
});

test.each(['4111-1111-1111-1111', '3782-8224-6310-005'])(
  'the number token %s, which has a valid check digit, is sent to the gateway and not logged',
  async (card_number) => {
    const tokens = { ...control.tokenizeCard(CARDS.paid), card_number };
    shop.logged.length = 0;

    await (await Customer.withCart(shop)).post('/checkout/card', { ...contact, ...tokens });

    expect(control.calls('process').at(-1)?.body).toMatchObject({ payment_method: tokens });
    expect(shop.logged.join('')).not.toContain(card_number);
  },
);

test.each(['cvv', 'security_code'])('a security code in %s is refused', async (name) => {
  const customer = await Customer.withCart(shop);

  for (const code of [' 123 ', '１２３４'])
    await expectRefused(`value="${code}"`, [
      () => customer.payHosted({ ...contact, [name]: code }),
      () => customer.payHosted({ ...contact, [name]: ['x', code] }),
      () => customer.get(`/checkout?${name}=${encodeURIComponent(code)}`),
    ]);
});

test('a return by POST with card data redirects to the order and stores none of it', async () => {
  const { customer, returnPath } = await openHostedPage(shop);

  const back = await customer.post(returnPath, { card_number: NUMBER, cvv: '123' });

  expect(back.status).toBe(303);
  expect(await dumpDatabase(shop)).not.toContain(NUMBER);
  expect(shop.logged.join('')).not.toContain(NUMBER);
});

test('after a card payment neither database nor log holds a card token', async () => {
  await payByCard(shop, await Customer.withCart(shop));

  const body = control.calls('process').at(-1)?.body as { payment_method: Record<string, string> };
  const { type: _type, ...tokens } = body.payment_method;
  const stored = `${await dumpDatabase(shop)}${shop.logged.join('')}`;
  expect(Object.keys(tokens)).toHaveLength(5);
  for (const token of Object.values(tokens)) expect(stored).not.toContain(token);
});

test('a quantity that is no whole number from 1 to 99 is refused at its field, and the cart is unchanged', async () => {
  await expectUnchanged(async (customer) => {
    for (const quantity of [...NOT_A_QUANTITY, '0', '00']) {
      const added = await customer.post('/cart/items', { product_id: 'taza-talavera', quantity });

      expect([quantity.slice(0, 20), added.status]).toEqual([quantity.slice(0, 20), 422]);
      // Long runs of digits may be a card number and are refused before the field is read.
      if (quantity.length < 13) expect(added.text).toContain('aria-invalid="true"');
    }
    for (const quantity of NOT_A_QUANTITY) {
      const changed = await customer.post('/cart/items/taza-talavera', { quantity });

      expect([quantity.slice(0, 20), changed.status]).toEqual([quantity.slice(0, 20), 422]);
    }
  });
});

test('doubled fields, lists, objects and missing fields are refused, and the cart is unchanged', async () => {
  const quantities = 'quantity=1&quantity=2 quantity[]=1 quantity[0]=1 quantity[$gt]=1'.split(' ');
  await expectUnchanged(async (customer) => {
    for (const form of [
      ...quantities.map((fields) => `${PRODUCT}&${fields}`),
      ...[`${PRODUCT}&${PRODUCT}&quantity=1`, 'product_id[]=taza-talavera&quantity=1'],
      ...[PRODUCT, 'quantity=1', ''],
    ]) {
      const answer = await customer.send('/cart/items', form);

      expect([form, answer.status]).toEqual([form, 422]);
    }
  });
});

test('a product that the shop does not sell, and a hundredth piece, are refused', async () => {
  await expectUnchanged(
    async (customer) => {
      for (const id of UNKNOWN_PRODUCTS) {
        const added = await customer.post('/cart/items', { product_id: id, quantity: '1' });
        const changed = await customer.post(`/cart/items/${encodeURIComponent(id)}`, { quantity: '1' });

        expect([id.slice(0, 20), added.status, changed.status]).toEqual([id.slice(0, 20), 422, 422]);
      }
      const oneMore = await customer.post('/cart/items', { product_id: 'taza-talavera', quantity: '1' });
      expect(oneMore.status).toBe(422);
      expect(await cartContents(shop)).toEqual({ 'taza-talavera': 99 });
    },
    { quantity: '99' },
  );
});

test('a price, name, total or currency that the browser sends changes nothing', async () => {
  const customer = new Customer(shop);
  const forged = { unit_price: '1', price: '1', total: '1', amount: '1', currency: 'USD', name: 'Gratis' };
  const addresses = { external_id: 'mine', return_url: 'https://evil.example' };

  await customer.post('/cart/items', {
    ...{ product_id: 'taza-talavera', quantity: '1', seenPrice: '1' },
    ...forged,
  });
  const answer = await customer.payHosted({
    ...{ ...contact, ...forged, ...addresses },
    'line_items[0][unit_price]': '1',
  });

  expect(answer.status).toBe(302);
  expect(control.calls('create-session').at(-1)?.body).toMatchObject({
    amount_total: 28_900,
    currency: 'MXN',
    line_items: [{ name: 'Taza de talavera azul', unit_price: 28_900, quantity: 1 }],
    return_url: expect.stringContaining(shop.url),
  });
});
