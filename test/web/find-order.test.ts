import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { Customer, contact } from '../support/customer.js';
import { dumpDatabase, orderOfSession } from '../support/inspect.js';
import { receiveMails } from '../support/mailbox.js';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';

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
