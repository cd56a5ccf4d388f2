import { expect, test } from '@jest/globals';
import { customerAt } from '../../../../test/support/addresses.js';
import { inParallel, numbers } from '../../../../test/support/crowd.js';
import { contact } from '../../../../test/support/customer.js';
import { allOrders } from '../../../../test/support/inspect.js';
import { browserAt, expectLimited, LIMIT_SENTENCES, repeat } from '../../../../test/support/limit-sentences.js';
import { openHostedPage, placePaidOrder } from '../../../../test/support/purchase.js';
import { openWithLimit } from '../../../../test/support/replica.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';

const shop = await openFileShop({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } });

test('the order search is refused from one address after 10 requests, with the wait', async () => {
  const customer = customerAt('203.0.113.66', shop);

  const answers = await Promise.all(numbers(11).map(() => customer.post('/orders', {})));

  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(1);
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
});

test('the order search stays open while six addresses send forms without an order and forms for one order', async () => {
  await using door = await openWithLimit(shop, { name: 'find_all', max: 20 });
  const own = await placePaidOrder(shop, { ...contact, email: 'attacker@example.com' });
  const wanted = await placePaidOrder(shop);
  const forms = [
    {},
    { number: 'TG-2222-2222', email: contact.email },
    { number: wanted.order.number, email: 'attacker@example.com' },
    { number: own.order.number, email: 'attacker@example.com' },
    { number: own.order.number, email: 'attacker@example.com' },
  ];
  const networks = numbers(6).map((network) => customerAt(`192.0.2.${100 + network}`, door));
  const sendAll = (form: object) => inParallel(networks, 6, (client) => client.post('/orders', form));
  await Promise.all([...forms, ...forms].map(sendAll));

  const answer = await customerAt('203.0.113.90', door).post('/orders', { ...contact, number: wanted.order.number });

  expect(answer.status).toBe(200);
  const mails = shop.queries.selectFrom('outbox').select('orderId').where('job', '=', 'order_link');
  const ids = [own.orderId, wanted.orderId].toSorted();
  const mailed = await mails.where('orderId', 'in', ids).orderBy('orderId').execute();
  expect(mailed).toEqual(ids.map((orderId) => ({ orderId })));
});

test('a mailbox gets the links of five unpaid orders in a day, however its address is written, and that of each paid order', async () => {
  const addresses = numbers(7).map((at) => (at % 2 === 0 ? `ofelia+${at}@example.com` : 'OFELIA@example.com'));
  for (const email of addresses) await openHostedPage(shop, '1', { ...contact, email });
  const unpaid = (await allOrders(shop)).filter(({ email }) => /^ofelia/i.test(email));
  const paid = await placePaidOrder(shop, { ...contact, email: 'ofelia@example.com' });
  const mailed = async () => {
    const mails = shop.queries.selectFrom('outbox').select('orderId').where('job', '=', 'order_link');
    return (await mails.execute()).map(({ orderId }) => orderId);
  };
  const countMailed = async () => {
    const ids = await mailed();
    return unpaid.filter(({ id }) => ids.includes(id)).length;
  };
  const ask = async ({ number, email }: { readonly number: string; readonly email: string }, at: number) =>
    (await customerAt(`198.51.100.${at}`, shop).post('/orders', { number, email })).status;

  const statuses = await Promise.all(unpaid.map(ask));
  const counts = [unpaid.length, await countMailed()];
  statuses.push(await ask(paid.order, 10));

  expect(counts).toEqual([7, 5]);
  expect(statuses).toEqual(Array(8).fill(200));
  expect(await mailed()).toContain(paid.orderId);
});

test('above the limit of mails the order search refuses only requests that would send one', async () => {
  const { order, orderId } = await placePaidOrder(shop);
  await using door = await openWithLimit(shop, { name: 'find_all', max: 0 });
  const search = async (number: string) =>
    (await customerAt('203.0.113.92', door).post('/orders', { ...contact, number })).status;

  const statuses = [await search(order.number), await search(order.number), await search('TG-2222-2222')];

  expect(statuses).toEqual([429, 429, 200]);
  const mails = shop.queries.selectFrom('outbox').selectAll().where('orderId', '=', orderId);
  expect(await mails.where('job', '=', 'order_link').execute()).toEqual([]);
});

test.each(LIMIT_SENTENCES)(
  'the limit of the order search answers with a page that counts down, in %s',
  async (locale, sentence) => {
    const search = browserAt(locale === 'en' ? '203.0.113.213' : '203.0.113.203', shop, locale);

    const answer = await repeat(11, () => search.post('/orders', {}));

    const problem = String(answer.headers['location']);
    const page = await search.get(problem);
    expectLimited(page, sentence);
    shop.clock.advance(30_000);
    const later = await search.get(problem);
    expect(Number(page.headers['retry-after']) - Number(later.headers['retry-after'])).toBeGreaterThanOrEqual(29);
  },
);
