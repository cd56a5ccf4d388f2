import { expect, test } from '@jest/globals';
import type { Response } from 'supertest';
import { changeCheckout } from '../support/change-checkout.js';
import { inParallel, numbers } from '../support/crowd.js';
import { Customer, contact, mugOrder } from '../support/customer.js';
import { allOrders } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard, placePaidOrder } from '../support/purchase.js';
import { openDoor, openWithLimit } from '../support/replica.js';
import { openFileShop } from '../support/shared-shop.js';

const INCOMPLETE = { ...mugOrder, email: 'not an address' };
const shop = await openFileShop({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } });

/** A customer behind the proxy, without a cart or a session. */
function customerAt(address: string, at: { readonly url: string } = shop): Customer {
  const customer = new Customer(at);
  customer.agent.set('X-Forwarded-For', address);
  return customer;
}

async function cartAt(address: string, at: { readonly url: string } = shop): Promise<Customer> {
  const customer = customerAt(address, at);
  await customer.add();
  return customer;
}

async function statuses(customer: Customer, times: number): Promise<number[]> {
  const seen: number[] = [];
  for (let time = 0; time < times; time += 1) seen.push((await customer.payHosted(INCOMPLETE)).status);
  return seen;
}

test('payment attempts from one cart are refused after twenty, with the time to wait and without a call to the gateway', async () => {
  const customer = await cartAt('203.0.113.1');
  const calls = shop.simulator.control.calls().length;

  const seen = await statuses(customer, 20);
  const refused = await customer.payHosted();

  expect(new Set(seen)).toEqual(new Set([422]));
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.text).toContain(`Espera ${refused.headers['retry-after']} segundos`);
  expect(shop.simulator.control.calls()).toHaveLength(calls);

  shop.clock.advance(600_000);
  const reloaded = await customer.get('/checkout?answer=1');
  expect([reloaded.status, reloaded.headers['retry-after']]).toEqual([200, undefined]);
  expect(reloaded.text).not.toContain('Espera');
  expect(reloaded.text).toContain(`value="${contact.email}"`);
});

const repeat = async (times: number, send: () => Promise<Response>) => {
  for (let time = 1; time < times; time += 1) await send();
  return send();
};

test.each([
  ['es-MX', /Hubo demasiados intentos y no se cobró nada\. Espera (\d+) segundos y vuelve a intentarlo\./],
  ['en', /There were too many attempts, and nothing was charged\. Wait (\d+) seconds and try again\./],
])('each limit answers with one sentence and the seconds to wait, in %s', async (locale, sentence) => {
  const clientAt = (host: number) => {
    const customer = customerAt(`203.0.113.${host + (locale === 'en' ? 10 : 0)}`);
    customer.agent.set({ 'Accept-Language': locale, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Site': 'same-origin' });
    return customer;
  };
  const withCart = async (host: number) => {
    const customer = clientAt(host);
    await customer.add();
    return customer;
  };
  const [form, card, link, search] = [await withCart(200), await withCart(201), await withCart(202), clientAt(203)];
  await link.payHosted();
  const { token } = (await allOrders(shop)).at(-1) ?? { token: '' };
  const tokens = () => shop.control.tokenizeCard(CARDS.declined);
  const pay = () => link.post(`/orders/${token}/pay/card`, { ...tokens(), pay_again: '1' });
  const answers = [
    await repeat(21, () => form.payHosted(INCOMPLETE)),
    await repeat(4, () => payByCard(shop, card, CARDS.declined)),
    await repeat(5, pay),
    await repeat(11, () => search.post('/orders', {})),
  ];

  const problem = String(answers[3]?.headers['location']);
  const pages = [...answers.slice(0, 3), await search.get(problem)];
  for (const [place, { status, text, headers }] of pages.entries()) {
    const [, seconds] = sentence.exec(text) ?? [];
    expect([place, status, seconds]).toEqual([place, 429, headers['retry-after']]);
  }
  shop.clock.advance(30_000);
  const later = await search.get(problem);
  expect(Number(pages[3]?.headers['retry-after']) - Number(later.headers['retry-after'])).toBeGreaterThanOrEqual(29);
});

test('an updated total and a change to the other payment flow are not counted as payment attempts', async () => {
  const customer = await cartAt('203.0.113.4');
  const fields = { ...contact, update_total: '1', pay_again: '1' };

  const paths = numbers(30).map((at) => (at % 2 === 0 ? '/checkout/hosted' : '/checkout/card'));
  const answers = await Promise.all(paths.map((path) => customer.post(path, fields)));

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  for (const { text } of answers) expect(text).toContain('name="pay_again"');
  expect((await customer.payHosted()).status).toBe(302);
});

test('payment attempts from one address are refused after 120, and those that the limit of a cart refuses are not counted for its address', async () => {
  const insistent = await statuses(await cartAt('203.0.113.2'), 25);
  const carts = await Promise.all(numbers(5).map(() => cartAt('203.0.113.2')));
  const others = await Promise.all(carts.map((cart) => statuses(cart, 20)));
  const refused = await (await cartAt('203.0.113.2')).payHosted();

  const accepted = [...insistent, ...others.flat()].filter((status) => status === 422);
  expect([accepted.length, refused.status]).toEqual([120, 429]);
  expect((await (await cartAt('203.0.113.3')).payHosted()).status).toBe(302);
});

test('payment attempts of customers without a session are counted by address only', async () => {
  const customers = numbers(25).map((at) => customerAt(`198.51.100.${at + 1}`));

  const answers = await Promise.all(customers.map((customer) => customer.payHosted()));

  expect(answers.map(({ status }) => status)).not.toContain(429);
});

test('payment attempts that cannot reach the gateway are not counted for all customers together', async () => {
  const { web } = shop.context;
  const limiter = web.checkout.db.limiter({ name: 'one-of-all', max: 1, seconds: 60 });
  const count = async () => {
    const seconds = await limiter.count('starts');
    return seconds === undefined ? undefined : { kind: 'limited' as const, limit: 'all' as const, seconds };
  };
  const startLimits = { ...web.checkout.startLimits, count };
  await using door = await openDoor({ ...web, checkout: changeCheckout(web.checkout, { startLimits }) });
  const calls = shop.simulator.control.calls('create-session').length;
  const withoutCart = [11, 12, 13].map((host) => customerAt(`203.0.113.${host}`, door).payHosted());
  const incomplete = [14, 15, 16].map(async (host) => (await cartAt(`203.0.113.${host}`, door)).payHosted(INCOMPLETE));
  await Promise.all([...withoutCart, ...incomplete]);

  const complete = await (await cartAt('203.0.113.17', door)).payHosted();
  const next = await (await cartAt('203.0.113.18', door)).payHosted();

  expect([complete.status, next.status]).toEqual([302, 429]);
  expect(Number(next.headers['retry-after'])).toBeGreaterThan(0);
  expect(shop.simulator.control.calls('create-session')).toHaveLength(calls + 1);
});

test('limits by address count the /64 network of an IPv6 address, and each IPv4 address by itself, with any port', async () => {
  const ask = (address: string) => customerAt(address).post('/orders', {});

  for (let host = 1; host <= 10; host += 1) {
    await ask(`[2001:db8:0:1:${host}::${host}]:${20_000 + host}`);
    await ask(host === 1 ? '::ffff:192.0.2.1' : `192.0.2.2:${20_000 + host}`);
  }
  const answers = [];
  for (const address of ['2001:0DB8::1:ffff:0:0:1', '2001:db8:0:2::1', '192.0.2.1', '192.0.2.2', '192.0.2.2'])
    answers.push((await ask(address)).status);

  expect(answers).toEqual([429, 422, 422, 422, 429]);
});

test('the order search is refused from one address after 10 requests, with the wait', async () => {
  const customer = customerAt('203.0.113.66');

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
  for (const form of [...forms, ...forms]) await inParallel(networks, 6, (client) => client.post('/orders', form));

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
    (await customerAt(`198.51.100.${at}`).post('/orders', { number, email })).status;

  const statuses = [];
  for (const [at, order] of unpaid.entries()) statuses.push(await ask(order, at));
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

test('new carts of one address are refused after 120, while its carts and other addresses continue', async () => {
  const address = '203.0.113.120';
  const first = await cartAt(address);
  const item = { product_id: 'taza-talavera', quantity: '1' };
  const carts = async () => (await shop.queries.selectFrom('carts').select('id').execute()).length;
  const before = await carts();

  const answers = await Promise.all(numbers(122).map(() => customerAt(address).post('/cart/items', item)));
  const set = await customerAt(address).post('/cart/items/taza-talavera', { quantity: '1' });

  const refused = [...answers, set].filter(({ status }) => status === 429);
  expect([refused.length, (await carts()) - before]).toEqual([4, 119]);
  expect(Number(set.headers['retry-after'])).toBeGreaterThan(0);
  const others = await Promise.all(
    [first, customerAt('203.0.113.121')].map((client) => client.post('/cart/items', item)),
  );
  expect(others.map(({ status }) => status)).toEqual([303, 303]);
});
