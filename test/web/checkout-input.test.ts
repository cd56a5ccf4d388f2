import { describe, expect, test } from '@jest/globals';
import { Customer, contact } from '../support/customer.js';
import { allOrders, dumpDatabase, theOrder } from '../support/inspect.js';
import { openTestShop } from '../support/test-shop.js';

const BAD_NAMES = [
  '',
  '   ',
  '...',
  'x'.repeat(121),
  'x'.repeat(10_000),
  'Eva\u0000',
  'Eva\r\nBcc: all@example.com',
  'Eva\u202egnp.exe',
  'Eva\u2066x',
  '\ufeffEva\ufeff\u0007',
];

const BAD_EMAILS = [
  '',
  'eva',
  '@',
  'a@b',
  'eva@example.com\r\nBcc: all@example.com',
  'eva@example.com\n',
  'eva@example.com,ada@example.com',
  'eva@example.com ada@example.com',
  'Eva <eva@example.com>',
  '"eva x"@example.com',
  'eva@-example.com',
  'eva@example..com',
  `${'a'.repeat(65)}@example.com`,
  `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.mx`,
  `${'a.'.repeat(5000)}@example.com`,
  'eva@example.com\u202e',
  'eva@exam\u0000ple.com',
];

describe('the contact form', () => {
  test('names that are none are refused at their field, with the rest kept, and nothing is placed', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    const before = await dumpDatabase(shop);

    for (const name of BAD_NAMES) {
      const answer = await customer.payHosted({ ...contact, first_name: name });

      expect([name.slice(0, 20), answer.status]).toEqual([name.slice(0, 20), 422]);
      expect(answer.text).toContain('id="first_name-error"');
      expect(answer.text).not.toContain('id="email-error"');
      expect(answer.text).toContain('value="eva.ruiz@example.com"');
    }
    expect(await dumpDatabase(shop)).toBe(before);
    expect(shop.simulator.control.calls()).toEqual([]);
  });

  test('e-mail addresses that are none are refused at their field, on both ways to pay', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    const before = await dumpDatabase(shop);

    for (const email of BAD_EMAILS.filter((text) => text.trim() !== 'eva@example.com')) {
      const hosted = await customer.payHosted({ ...contact, email });
      const card = await customer.post('/checkout/card', { ...contact, email });

      expect([email.slice(0, 30), hosted.status, card.status]).toEqual([email.slice(0, 30), 422, 422]);
      expect(hosted.text).toContain('id="email-error"');
    }
    expect(await dumpDatabase(shop)).toBe(before);
    expect(shop.simulator.control.calls()).toEqual([]);
  });

  test('doubled contact fields and lists are refused, and no field is a list on the page', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);

    for (const fields of [
      'first_name=A&first_name=B&last_name=C&email=a%40example.com',
      'first_name[]=A&last_name=C&email=a%40example.com',
      'first_name=A&last_name=C&email=a%40example.com&email=b%40example.com',
    ]) {
      const answer = await customer.agent.post('/checkout/hosted').type('form').redirects(0).send(fields);

      expect([fields, answer.status]).toEqual([fields, 422]);
    }
    expect(await allOrders(shop)).toEqual([]);
  });

  test.each([
    ['محمد', 'بن سلمان'],
    ['👩‍👩‍👧 Ñandú', '𝕏'],
    ["D'Arcy-Łukasz", '李'],
    ['Jose\u0301', "Robert'); DROP TABLE orders;--"],
    ['x'.repeat(120), 'y'.repeat(120)],
  ])('%s %s may buy, and the gateway gets the name whole', async (first, last) => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);

    const answer = await customer.payHosted({ ...contact, first_name: ` ${first} `, last_name: last });

    const order = await theOrder(shop);
    expect(answer.status).toBe(302);
    expect([order.firstName, order.lastName]).toEqual([first.normalize('NFC'), last.normalize('NFC')]);
    expect(shop.simulator.control.calls('create-session')[0]?.body).toMatchObject({
      customer: { first_name: first.normalize('NFC'), last_name: last.normalize('NFC') },
    });
  });

  test.each(['eva+tag@example.com', "o'neill@example.com", 'e.v.a@sub.sub.example.mx'])(
    'the address %s is one',
    async (email) => {
      await using shop = await openTestShop();
      const customer = await Customer.withCart(shop);

      const answer = await customer.payHosted({ ...contact, email });

      expect([answer.status, (await allOrders(shop))[0]?.email]).toEqual([302, email.normalize('NFC')]);
    },
  );

  test('a card form without tokens is refused and says so', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    const tokens = shop.simulator.control.tokenizeCard('4000000000000077');
    const before = await dumpDatabase(shop);

    for (const spoilt of [
      {},
      { ...tokens, cvv: 'not-a-token' },
      { ...tokens, card_number: tokens.cvv },
      { ...tokens, expiration_year: [tokens.expiration_year, tokens.expiration_year] },
      { ...tokens, cardholder_name: `${tokens.cardholder_name}\n` },
    ]) {
      const answer = await customer.post('/checkout/card', { ...contact, ...spoilt });

      expect(answer.status).toBe(422);
    }
    expect(await dumpDatabase(shop)).toBe(before);
    expect(shop.simulator.control.calls()).toEqual([]);
  });
});
