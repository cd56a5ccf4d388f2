import { describe, expect, test } from '@jest/globals';
import { Customer, contact } from '../support/customer.js';
import { openDoor } from '../support/replica.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const TOO_EARLY = { ...contact, email: 'not an address' };

async function statuses(customer: Customer, times: number): Promise<number[]> {
  const seen: number[] = [];
  for (let time = 0; time < times; time += 1) seen.push((await customer.payHosted(TOO_EARLY)).status);
  return seen;
}

function limited(env: Record<string, string> = {}): Promise<TestShop> {
  return openTestShop({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '1', ...env } });
}

/** A customer behind the proxy, without a cart or a session. */
function customerAt(shop: Pick<TestShop, 'url'>, address: string): Customer {
  const customer = new Customer(shop);
  customer.agent.set('X-Forwarded-For', address);
  return customer;
}

async function cartAt(shop: Pick<TestShop, 'url'>, address: string): Promise<Customer> {
  const customer = customerAt(shop, address);
  await customer.add();
  return customer;
}

describe('payment attempts', () => {
  test('from one cart are refused after a while, with the time to wait and nothing sent to the gateway', async () => {
    await using shop = await limited();
    const customer = await Customer.withCart(shop);

    const seen = await statuses(customer, 20);
    const refused = await customer.payHosted();
    const token = await customer.post('/checkout/card/access-token', {});

    expect(new Set(seen)).toEqual(new Set([422]));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.text).toContain('Demasiados intentos');
    expect(token.status).toBe(429);
    expect(shop.simulator.control.calls()).toHaveLength(0);
  });

  test('from one address are refused although each comes with another cart', async () => {
    await using shop = await limited();
    const answers: number[] = [];

    for (let customer = 0; customer < 7; customer += 1) {
      answers.push(...(await statuses(await Customer.withCart(shop), 20)));
    }
    const other = await (await cartAt(shop, '203.0.113.9')).payHosted();

    expect(answers.filter((status) => status === 429).length).toBe(20);
    expect(other.status).toBe(302);
  });

  test('that the limit of a cart refuses are not counted for its address', async () => {
    await using shop = await limited();

    await statuses(await Customer.withCart(shop), 125);
    const neighbor = await (await Customer.withCart(shop)).payHosted();

    expect(neighbor.status).toBe(302);
  });

  test('of customers without a session are counted by address only, and share no count', async () => {
    await using shop = await limited();
    const answers: number[] = [];

    for (let customer = 1; customer <= 25; customer += 1)
      answers.push((await customerAt(shop, `203.0.113.${customer}`).payHosted()).status);

    expect(answers).not.toContain(429);
  });

  test('that cannot reach the gateway are not counted for all customers', async () => {
    await using shop = await limited();
    const { web } = shop.context;
    const gatewayLimit = web.checkout.db.limiter({ name: 'one-of-all', most: 1, seconds: 60 });
    await using door = await openDoor({ ...web, gatewayLimit });
    const withoutCart = [1, 2, 3].map((customer) => customerAt(door, `203.0.113.${customer}`).payHosted());
    const incomplete = [4, 5, 6].map(async (customer) =>
      (await cartAt(door, `203.0.113.${customer}`)).payHosted(TOO_EARLY),
    );
    await Promise.all([...withoutCart, ...incomplete]);

    const complete = await (await cartAt(door, '203.0.113.7')).payHosted();
    const next = await (await cartAt(door, '203.0.113.8')).payHosted();

    expect([complete.status, next.status]).toEqual([302, 429]);
    expect(Number(next.headers['retry-after'])).toBeGreaterThan(0);
    expect(shop.simulator.control.calls('create-session')).toHaveLength(1);
  });

  test('are not counted where the limits are off', async () => {
    await using shop = await limited({ RATE_LIMIT: 'off' });
    const customer = await Customer.withCart(shop);

    expect(await statuses(customer, 30)).not.toContain(429);
  });
});

describe('limits by address', () => {
  const ask = async (shop: TestShop, address: string) =>
    (await customerAt(shop, address).post('/orders', {})).status;

  test('count the /64 network of an IPv6 address, and each IPv4 address by itself', async () => {
    await using shop = await limited();

    for (let host = 1; host <= 10; host += 1) {
      await ask(shop, `2001:db8:0:1:${host}::${host}`);
      await ask(shop, `::ffff:203.0.113.${host === 1 ? 1 : 2}`);
    }

    expect(await ask(shop, '2001:0DB8::1:ffff:0:0:1')).toBe(429);
    expect(await ask(shop, '2001:db8:0:2::1')).toBe(422);
    expect(await ask(shop, '203.0.113.1')).toBe(422);
    expect(await ask(shop, '203.0.113.2')).toBe(422);
    expect(await ask(shop, '203.0.113.2')).toBe(429);
  });
});
