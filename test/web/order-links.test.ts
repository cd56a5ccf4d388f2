import { afterAll, beforeEach, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { Customer, contact } from '../support/customer.js';
import { dumpDatabase, orderOfSession, theOrder } from '../support/inspect.js';
import { receiveMails } from '../support/mailbox.js';
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

const shop = await openTestShop();
const { session } = await openHostedPage(shop);
const { number, token } = await orderOfSession(shop, session);
const asked = { number, email: contact.email };
const stranger = new Customer(shop);
let mailsBefore = 0;
afterAll(async () => shop[Symbol.asyncDispose]());
beforeEach(async () => {
  // Each order link is mailed at most once in ten minutes.
  shop.clock.advance(600_000);
  mailsBefore = (await receiveMails(shop)).length;
});

const newMails = async () => (await receiveMails(shop)).slice(mailsBefore);

test('a lost order link is mailed to the address of the order for its number in any spelling, and not shown', async () => {
  const typed = ` ${number.toLowerCase().replaceAll('-', ' ')} `;

  const answer = await stranger.post('/orders', { number: typed, email: contact.email.toUpperCase() });
  const mails = await newMails();

  expect(answer.status).toBe(200);
  expect(answer.text).toContain('data-test="link-sent"');
  expect(answer.text).not.toContain(token);
  expect(mails.map(({ to }) => to)).toEqual([contact.email]);
  for (const part of [mails[0]?.text, mails[0]?.html]) expect(part).toContain(`/orders/${token}`);
  expect(mails[0]?.subject).toContain(number);
});

test.each([
  ['another address', { email: 'eva@example.org' }],
  ['another number', { number: 'TG-2222-2222' }],
])('a lost order link asked for with %s gets the same page, and no mail is sent', async (_what, change) => {
  const wrong = await stranger.post('/orders', { ...asked, ...change });
  const mails = await newMails();
  const correct = await stranger.post('/orders', asked);

  expect(mails).toEqual([]);
  expect([wrong.status, wrong.text]).toEqual([correct.status, correct.text]);
  expect(wrong.headers['set-cookie']).toBeUndefined();
});

test('a lost order link is mailed once in ten minutes, and again later', async () => {
  const ask = () => stranger.post('/orders', asked);

  await Promise.all([ask(), ask(), ask()]);
  const first = await newMails();
  shop.clock.advance(600_000);
  await ask();

  expect([first.length, (await newMails()).length]).toEqual([1, 2]);
});

test.each([
  ['an empty form', {}, ['#number', '#email']],
  ['half a number', { number: 'TG-7KMX', email: contact.email }, ['#number']],
  ['half an address', { number: 'TG-7KMX-2AFR', email: 'eva.ruiz' }, ['#email']],
  ['doubled fields', { number: ['a', 'b'], email: ['a', 'b'] }, ['#number', '#email']],
])(
  'a lost order link asked for with %s shows the error at its field and writes nothing',
  async (_what, fields, links) => {
    const before = await dumpDatabase(shop);

    const answer = await stranger.post('/orders', fields);

    expect(answer.status).toBe(422);
    for (const link of links) expect(answer.text).toContain(`href="${link}"`);
    expect(await dumpDatabase(shop)).toBe(before);
  },
);

test('a lost order link asked for eleven times from one address is refused with the time to wait', async () => {
  await using limited = await openTestShop({ env: { RATE_LIMIT: 'on' } });

  const answers = await Promise.all(
    Array.from({ length: 11 }, () => new Customer(limited).post('/orders', asked)),
  );

  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(1);
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
});
