import { beforeEach, expect, test } from '@jest/globals';
import { expectCookieHint } from '../../../../test/support/cookies.js';
import { Customer, contact } from '../../../../test/support/customer.js';
import { orderOfSession } from '../../../../test/support/inspect.js';
import { receiveMails } from '../../../../test/support/mailbox.js';
import { openHostedPage } from '../../../../test/support/purchase.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { expectUnchanged } from '../../../../test/support/unchanged.js';

const shop = await openFileShop();
const { session } = await openHostedPage(shop);
const { number, token } = await orderOfSession(shop, session);
const asked = { number, email: contact.email };
const stranger = new Customer(shop);
let mailsBefore = 0;
beforeEach(async () => {
  // Each order link is mailed at most once in ten minutes.
  shop.clock.advance(600_000);
  mailsBefore = (await receiveMails(shop)).length;
});

const newMails = async () => (await receiveMails(shop)).slice(mailsBefore);

test.each([
  ['number in any spelling', ` ${number.toLowerCase().replaceAll('-', ' ')} `],
  ['reference at the gateway', `${number}-2`],
])('a lost order link is mailed to the address of the order for its %s, and not shown', async (_what, typed) => {
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
  ['an empty form', {}, ['#email">Escribe el correo']],
  ['a number alone', { number }, ['#email">Escribe el correo']],
  ['half a number', { number: 'TG-7KMX', email: contact.email }, ['#number">Ese número no está completo.']],
  ['doubled fields', { number: ['a', 'b'], email: ['a', 'b'] }, ['#email">']],
])(
  'a lost order link asked for with %s shows the error at its field and mails nothing',
  async (_what, fields, links) => {
    await expectUnchanged(shop, async () => {
      const answer = await stranger.post('/orders', fields);

      expect(answer.status).toBe(422);
      for (const link of links) expect(answer.text).toContain(`href="${link}`);
    });
  },
);

test('a browser without cookies learns on the page of a lost order why its form is empty', async () => {
  await expectCookieHint(shop, '/orders', '/orders');
});

test('the page of the order search is sent uncompressed, and its fields take more than their limit in the browser', async () => {
  const { headers, text } = await stranger.agent.get('/orders').set('Accept-Encoding', 'gzip, br');

  expect(headers['content-encoding']).toBeUndefined();
  expect(text).toContain('name="number"');
  expect(text).not.toContain('maxlength');
});
