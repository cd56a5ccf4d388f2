import { describe, expect, test } from '@jest/globals';
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
    const elsewhere = await Shopper.withCart(shop);
    const other = await elsewhere.agent
      .post('/checkout/hosted')
      .set('X-Forwarded-For', '203.0.113.9')
      .type('form')
      .redirects(0)
      .send(contact);

    expect(answers.filter((status) => status === 429).length).toBe(20);
    expect(other.status).toBe(302);
  });

  test('are not counted where the limits are off', async () => {
    await using shop = await limited({ ATTEMPT_LIMITS: 'off' });
    const shopper = await Shopper.withCart(shop);

    expect(await statuses(shopper, 30)).not.toContain(429);
  });
});
