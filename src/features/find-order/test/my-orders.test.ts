import { expect, test } from '@jest/globals';
import { customerAt } from '../../../../test/support/addresses.js';
import { numbers } from '../../../../test/support/crowd.js';
import { Customer, contact } from '../../../../test/support/customer.js';
import { allOrders } from '../../../../test/support/inspect.js';
import { receiveMails } from '../../../../test/support/mailbox.js';
import { openHostedPage, placePaidOrder } from '../../../../test/support/purchase.js';
import { openWithLimit } from '../../../../test/support/replica.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';

const shop = await openSharedShop({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } });
const { email } = contact;
const ask = (fields: object, at = 1, door: Pick<typeof shop, 'url'> = shop) =>
  customerAt(`203.0.113.${at}`, door).post('/orders', fields);
const linksIn = (text = '') => [...text.matchAll(/\/orders\/([\w-]{30,})/g)].map(([, token = '']) => token);
const readListMails = async () => (await receiveMails(shop)).filter(({ subject }) => subject.includes('Los enlaces'));

test('the address alone mails one message with the links of all its orders, with state, day and total, and those of no other customer', async () => {
  await placePaidOrder(shop, { ...contact, email: 'otra@example.com' });
  const paid = await placePaidOrder(shop);
  await openHostedPage(shop, '2', { ...contact, email: 'Eva.Ruiz@Example.com' });
  const unpaid = (await allOrders(shop)).find((order) => order.email === 'Eva.Ruiz@Example.com');

  const answer = await ask({ email: email.toUpperCase(), number: ' ' });

  const [mail, ...others] = await readListMails();
  expect(answer.text).toContain('data-test="link-sent"');
  expect(others).toEqual([]);
  expect(mail?.to).toBe(email);
  for (const part of [mail?.text, mail?.html]) expect(linksIn(part)).toEqual([paid.order.token, unpaid?.token]);
  expect(mail?.text).toMatch(
    new RegExp(`Pedido ${paid.order.number}:\n {2}Pagado\n {2}\\d+ de \\w+ de \\d{4}\n {2}\\$289\\.00\n {2}http`),
  );
  expect(mail?.text).toMatch(/En espera del pago\n {2}.*\n {2}\$578\.00/);
  for (const token of linksIn(mail?.text)) expect(shop.logged.join('')).not.toContain(token);
  expect(shop.logged.join('')).not.toContain(email);
});

test('the address alone gets the same answer whether it has orders or not, and a mail only with orders', async () => {
  const { orderId } = await placePaidOrder(shop);

  const without = await ask({ email: 'nadie@example.com' });
  const before = await readListMails();
  const found = await ask({ email });

  expect(before).toEqual([]);
  expect([without.status, without.text]).toEqual([found.status, found.text]);
  expect([without, found].map(({ headers }) => headers['set-cookie'])).toEqual([undefined, undefined]);
  const jobs = await shop.queries.selectFrom('outbox').select('orderId').where('job', '=', 'order_list').execute();
  expect(jobs).toEqual([{ orderId }]);
});

test('the mail has the ten newest orders, and unpaid ones of an attacker hide no paid one', async () => {
  const { order } = await placePaidOrder(shop);
  for (const at of numbers(11)) {
    shop.clock.advance(1_000);
    await openHostedPage(shop, '1', { ...contact, first_name: `Mal ${at}` });
  }
  const newest = (await allOrders(shop)).toSorted((one, other) => other.createdAt - one.createdAt).slice(0, 9);

  await ask({ email });

  const [mail] = await readListMails();
  expect(linksIn(mail?.text)).toEqual([order.token, ...newest.map(({ token }) => token)]);
});

test('an order whose money was returned is listed as refunded', async () => {
  await placePaidOrder(shop);
  await shop.queries.updateTable('attempts').set({ state: 'refunded' }).execute();

  await ask({ email });

  expect((await readListMails())[0]?.text).toMatch(/:\n {2}Reembolsado\n/);
});

test('an address whose data was erased before the mail is sent gets none', async () => {
  await placePaidOrder(shop);

  await ask({ email });
  await shop.queries.updateTable('orders').set({ email: '' }).execute();

  expect(await readListMails()).toEqual([]);
});

test('a mailbox gets the links of its orders once in ten minutes and five times a day, with the same answer to further requests', async () => {
  await placePaidOrder(shop);
  const sent = [];

  const statuses = (await Promise.all(numbers(3).map(() => ask({ email }, 50)))).map(({ status }) => status);
  sent.push((await readListMails()).length);
  for (const at of numbers(6)) {
    shop.clock.advance(600_000);
    statuses.push((await ask({ email }, 60 + at)).status);
  }
  sent.push((await readListMails()).length);

  expect(statuses).toEqual(Array(9).fill(200));
  expect(sent).toEqual([1, 5]);
});

test('above the limit of mails an address is refused whether it has orders or not', async () => {
  await placePaidOrder(shop);
  await openHostedPage(shop, '1', { ...contact, email: 'otra@example.com' });
  // With PostgreSQL, the mails of the other tests count too.
  const used = await shop.checkout.db.limiter({ name: 'find_all', max: 600, seconds: 600 }).used('find');
  await using door = await openWithLimit(shop, { name: 'find_all', max: used + 1 });

  const statuses = [];
  for (const each of [{ email }, { email: 'otra@example.com' }, { email: 'nadie@example.com' }])
    statuses.push((await ask(each, 2, door)).status);

  expect(statuses).toEqual([200, 429, 429]);
});

test('the link of a mailed list shows on another device what was bought', async () => {
  await placePaidOrder(shop);
  await ask({ email });
  const [token] = linksIn((await readListMails())[0]?.text);

  const page = await new Customer(shop).get(`/orders/${token}`);

  expect(page.text).toContain('Taza de talavera');
  expect(page.text).not.toContain(email);
});
