import { expect, test } from '@jest/globals';
import { cartAt, customerAt } from '../support/addresses.js';
import { changeCheckout } from '../support/change-checkout.js';
import { numbers } from '../support/crowd.js';
import { type Customer, contact, mugOrder } from '../support/customer.js';
import { browserAt, expectLimited, LIMIT_SENTENCES, repeat } from '../support/limit-sentences.js';
import { CARDS, payByCard } from '../support/purchase.js';
import { openDoor, openWithLimit } from '../support/replica.js';
import { openFileShop } from '../support/shared-shop.js';

const INCOMPLETE = { ...mugOrder, email: 'not an address' };
const shop = await openFileShop({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } });

async function statuses(customer: Customer, times: number): Promise<number[]> {
  const seen: number[] = [];
  for (let time = 0; time < times; time += 1) seen.push((await customer.payHosted(INCOMPLETE)).status);
  return seen;
}

test('payment attempts from one cart are refused after twenty, with the time to wait and without a call to the gateway', async () => {
  const customer = await cartAt('203.0.113.1', shop);
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

test('an updated total and a change to the other payment flow are not counted as payment attempts', async () => {
  const customer = await cartAt('203.0.113.4', shop);
  const fields = { ...contact, update_total: '1', pay_again: '1' };

  const paths = numbers(30).map((at) => (at % 2 === 0 ? '/checkout/hosted' : '/checkout/card'));
  const answers = await Promise.all(paths.map((path) => customer.post(path, fields)));

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  for (const { text } of answers) expect(text).toContain('name="pay_again"');
  expect((await customer.payHosted()).status).toBe(302);
});

test('payment attempts from one address are refused after 120, and those that the limit of a cart refuses are not counted for its address', async () => {
  const insistent = await statuses(await cartAt('203.0.113.2', shop), 25);
  const carts = await Promise.all(numbers(5).map(() => cartAt('203.0.113.2', shop)));
  const others = await Promise.all(carts.map((cart) => statuses(cart, 20)));
  const refused = await (await cartAt('203.0.113.2', shop)).payHosted();

  const accepted = [...insistent, ...others.flat()].filter((status) => status === 422);
  expect([accepted.length, refused.status]).toEqual([120, 429]);
  expect((await (await cartAt('203.0.113.3', shop)).payHosted()).status).toBe(302);
});

test('payment attempts of customers without a session are counted by address only', async () => {
  const customers = numbers(25).map((at) => customerAt(`198.51.100.${at + 1}`, shop));

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

test('new carts of one address are refused after 120, while its carts and other addresses continue', async () => {
  const address = '203.0.113.120';
  const first = await cartAt(address, shop);
  const item = { product_id: 'taza-talavera', quantity: '1' };
  const carts = async () => (await shop.queries.selectFrom('carts').select('id').execute()).length;
  const before = await carts();

  const answers = await Promise.all(numbers(122).map(() => customerAt(address, shop).post('/cart/items', item)));
  const set = await customerAt(address, shop).post('/cart/items/taza-talavera', { quantity: '1' });

  const refused = [...answers, set].filter(({ status }) => status === 429);
  expect([refused.length, (await carts()) - before]).toEqual([4, 119]);
  expect(Number(set.headers['retry-after'])).toBeGreaterThan(0);
  const others = await Promise.all(
    [first, customerAt('203.0.113.121', shop)].map((client) => client.post('/cart/items', item)),
  );
  expect(others.map(({ status }) => status)).toEqual([303, 303]);
});

test.each(LIMIT_SENTENCES)(
  'each limit of payment attempts answers with one sentence and the seconds to wait, in %s',
  async (locale, sentence) => {
    const withCart = async (host: number) => {
      const customer = browserAt(`203.0.113.${host + (locale === 'en' ? 10 : 0)}`, shop, locale);
      await customer.add();
      return customer;
    };
    const [form, card] = [await withCart(200), await withCart(201)];

    const answers = [
      await repeat(21, () => form.payHosted(INCOMPLETE)),
      await repeat(4, () => payByCard(shop, card, CARDS.declined)),
    ];

    for (const answer of answers) expectLimited(answer, sentence);
  },
);

test('limits by address count the /64 network of an IPv6 address, and each IPv4 address by itself, with any port', async () => {
  await using door = await openWithLimit(shop, { name: 'address', max: 10 });
  const ask = (address: string) => customerAt(address, door).payHosted();

  for (let host = 1; host <= 10; host += 1) {
    await ask(`[2001:db8:0:1:${host}::${host}]:${20_000 + host}`);
    await ask(host === 1 ? '::ffff:192.0.2.1' : `192.0.2.2:${20_000 + host}`);
  }
  const isRefused = [];
  for (const address of ['2001:0DB8::1:ffff:0:0:1', '2001:db8:0:2::1', '192.0.2.1', '192.0.2.2', '192.0.2.2'])
    isRefused.push((await ask(address)).status === 429);

  expect(isRefused).toEqual([true, false, false, false, true]);
});
