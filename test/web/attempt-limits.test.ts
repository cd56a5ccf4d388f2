import { describe, expect, test } from '@jest/globals';
import { openDoor } from '../support/replica.js';
import { contact, Shopper } from '../support/shopper.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const TOO_EARLY = { ...contact, email: 'not an address' };

async function statuses(shopper: Shopper, times: number): Promise<number[]> {
  const seen: number[] = [];
  for (let time = 0; time < times; time += 1) seen.push((await shopper.payHosted(TOO_EARLY)).status);
  return seen;
}

function limited(env: Record<string, string> = {}): Promise<TestShop> {
  return openTestShop({ env: { ATTEMPT_LIMITS: 'on', TRUST_PROXY: '1', ...env } });
}

/** A customer behind the proxy, without a cart or a session. */
function shopperAt(shop: Pick<TestShop, 'url'>, address: string): Shopper {
  const shopper = new Shopper(shop);
  shopper.agent.set('X-Forwarded-For', address);
  return shopper;
}

async function cartAt(shop: Pick<TestShop, 'url'>, address: string): Promise<Shopper> {
  const shopper = shopperAt(shop, address);
  await shopper.add();
  return shopper;
}

describe('payment attempts', () => {
  test('from one cart are refused after a while, with the time to wait and nothing sent to the service', async () => {
    await using shop = await limited();
    const shopper = await Shopper.withCart(shop);

    const seen = await statuses(shopper, 20);
    const refused = await shopper.payHosted();
    const token = await shopper.post('/checkout/card/access-token', {});

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

    for (let shopper = 0; shopper < 7; shopper += 1) {
      answers.push(...(await statuses(await Shopper.withCart(shop), 20)));
    }
    const other = await (await cartAt(shop, '203.0.113.9')).payHosted();

    expect(answers.filter((status) => status === 429).length).toBe(20);
    expect(other.status).toBe(302);
  });

  test('that the limit of a cart refuses are not counted for its address', async () => {
    await using shop = await limited();

    await statuses(await Shopper.withCart(shop), 125);
    const neighbor = await (await Shopper.withCart(shop)).payHosted();

    expect(neighbor.status).toBe(302);
  });

  test('of visitors without a session are counted by address only, and share no count', async () => {
    await using shop = await limited();
    const answers: number[] = [];

    for (let visitor = 1; visitor <= 25; visitor += 1)
      answers.push((await shopperAt(shop, `203.0.113.${visitor}`).payHosted()).status);

    expect(answers).not.toContain(429);
  });

  test('that cannot reach the gateway are not counted for all customers', async () => {
    await using shop = await limited();
    const { web } = shop.services;
    const gatewayLimit = web.checkout.db.limiter({ name: 'one-of-all', most: 1, seconds: 60 });
    await using door = await openDoor({ ...web, gatewayLimit });
    const withoutCart = [1, 2, 3].map((visitor) => shopperAt(door, `203.0.113.${visitor}`).payHosted());
    const incomplete = [4, 5, 6].map(async (visitor) =>
      (await cartAt(door, `203.0.113.${visitor}`)).payHosted(TOO_EARLY),
    );
    await Promise.all([...withoutCart, ...incomplete]);

    const complete = await (await cartAt(door, '203.0.113.7')).payHosted();
    const next = await (await cartAt(door, '203.0.113.8')).payHosted();

    expect([complete.status, next.status]).toEqual([302, 429]);
    expect(Number(next.headers['retry-after'])).toBeGreaterThan(0);
    expect(shop.simulator.control.calls('create-session')).toHaveLength(1);
  });

  test('are not counted where the limits are off', async () => {
    await using shop = await limited({ ATTEMPT_LIMITS: 'off' });
    const shopper = await Shopper.withCart(shop);

    expect(await statuses(shopper, 30)).not.toContain(429);
  });
});

describe('limits by address', () => {
  const ask = async (shop: TestShop, address: string) =>
    (await shopperAt(shop, address).post('/orders', {})).status;

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
