import { describe, expect, test } from '@jest/globals';
import supertest, { type Response } from 'supertest';
import { Customer } from '../support/customer.js';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';

/** `form-action 'self'; …` as a map from directive to its sources. */
function policyOf(answer: Response): Record<string, string[]> {
  const directives = String(answer.headers['content-security-policy']).split(';');
  return Object.fromEntries(
    directives.map((directive) => {
      const [name = '', ...sources] = directive.trim().split(' ');
      return [name, sources];
    }),
  );
}

const PRODUCTION = {
  NODE_ENV: 'production',
  RATE_LIMIT: 'on',
  PUBLIC_URL: 'https://shop.example',
  PAYMENTS_BASE_URL: 'https://pay.example',
  CHECKOUT_API_URL: 'https://pay.example',
  TOKENIZER_URL: 'https://vault.example/token',
  PAYMENTS_API_KEY: 'k3y-of-a-real-service',
  TRUST_PROXY: '1',
};

const PAGES = ['/', '/products/taza-de-talavera', '/cart', '/checkout', '/checkout/card'];
const CHECKOUTS = ['/checkout', '/checkout/card'];

async function readAll(customer: Customer, paths: readonly string[]): Promise<readonly Response[]> {
  return Promise.all(paths.map((path) => customer.get(path)));
}

describe('headers', () => {
  test('every answer, whatever it is, forbids sniffing, framing and inline code and names no software', async () => {
    await using shop = await openTestShop();
    const { customer, orderPath, returnPath } = await openHostedPage(shop);

    const answers = [
      ...(await readAll(customer, PAGES)),
      await customer.get(orderPath),
      await customer.get(`${orderPath}/status`),
      await customer.get(returnPath),
      await customer.get('/nothing'),
      await customer.get('/%zz'),
      await customer.get('/healthz'),
      await customer.get('/assets/shop.css'),
      await customer.post('/cart/items', { product_id: 'none' }),
      await supertest(shop.url).put('/cart'),
    ];

    for (const answer of answers) {
      const policy = policyOf(answer);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers['x-frame-options']).toBe('DENY');
      expect(answer.headers['referrer-policy']).toBe('same-origin');
      expect(answer.headers['x-powered-by']).toBeUndefined();
      expect(answer.headers['server']).toBeUndefined();
      expect(policy['default-src']).toEqual(["'none'"]);
      expect(policy['script-src']).toEqual(["'self'"]);
      expect(policy['style-src']).toEqual(["'self'"]);
      expect(policy['base-uri']).toEqual(["'none'"]);
      expect(policy['frame-ancestors']).toEqual(["'none'"]);
    }
  });

  test('only the checkout pages let a form lead on to the hosted page and the banks', async () => {
    await using shop = await openTestShop();
    const { customer, orderPath } = await openHostedPage(shop);

    const checkout = policyOf(await customer.get('/checkout'));
    const card = policyOf(await customer.get('/checkout/card'));
    const refused = policyOf(await customer.payHosted({}));
    const others = await Promise.all(['/', '/cart', orderPath, '/nothing'].map((path) => customer.get(path)));

    for (const policy of [checkout, card, refused]) {
      expect(policy['form-action']).toEqual(
        expect.arrayContaining(["'self'", 'https:', new URL(shop.simulator.url).origin]),
      );
    }
    for (const other of others) expect(policyOf(other)['form-action']).toEqual(["'self'"]);
    expect(card['connect-src']).toEqual(["'self'", new URL(shop.simulator.url).origin]);
    expect(checkout['connect-src']).toEqual(["'self'"]);
  });

  test('in production no form may lead to this machine', async () => {
    await using shop = await openTestShop({ env: PRODUCTION });

    const answer = await supertest(shop.url).post('/checkout/hosted').type('form').send({});

    expect(policyOf(answer)['form-action']).toEqual(["'self'", 'https:', 'https://pay.example']);
  });

  test.each([
    ['', 'max-age=31536000'],
    ['off', 'max-age=31536000'],
    ['on', 'max-age=31536000; includeSubDomains'],
  ])('HSTS of an https shop with HSTS_INCLUDE_SUBDOMAINS=%s is %s', async (setting, header) => {
    await using shop = await openTestShop({ env: { ...PRODUCTION, HSTS_INCLUDE_SUBDOMAINS: setting } });

    const answer = await supertest(shop.url).get('/');

    expect(answer.headers['strict-transport-security']).toBe(header);
  });

  test('cart, checkout, orders and errors are kept by no cache', async () => {
    await using shop = await openTestShop();
    const { customer, orderPath, returnPath } = await openHostedPage(shop);

    const answers = [
      await customer.get('/cart'),
      await customer.post('/cart/items', {}),
      await customer.post('/cart/items/taza-talavera', { quantity: '3' }),
      ...(await readAll(customer, CHECKOUTS)),
      await customer.get(returnPath),
      await customer.get(orderPath),
      await customer.get(`${orderPath}/status`),
      await customer.get('/orders/nothing'),
      await customer.get('/nothing'),
      await customer.get('/readyz'),
    ];

    for (const answer of answers) {
      expect([answer.status, answer.headers['cache-control']]).toEqual([answer.status, 'no-store']);
    }
  });

  test('no page holds inline code', async () => {
    await using shop = await openTestShop();
    const { customer, orderPath } = await openHostedPage(shop);

    for (const path of [...PAGES, orderPath]) {
      const { text } = await customer.get(path);

      expect(text).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>/);
      expect(text).not.toMatch(/<style[\s>]|\sstyle="|\son[a-z]+="|javascript:/i);
    }
  });

  test('pictures, style and scripts are kept, for ever when their address names a version', async () => {
    await using shop = await openTestShop();
    const page = await supertest(shop.url).get('/');
    const versioned = /href="(\/assets\/shop\.css\?v=[0-9a-f]{12})"/.exec(page.text)?.[1];

    const kept = await supertest(shop.url).get(versioned ?? '/');
    const bare = await supertest(shop.url).get('/assets/shop.css');
    const again = await supertest(shop.url)
      .get('/assets/shop.css')
      .set('If-None-Match', String(bare.headers['etag']));
    const simulators = await supertest(shop.url).get('/simulator/simulator.css');
    const dotfile = await supertest(shop.url).get('/assets/..%2fpackage.json');

    expect(kept.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(bare.headers['cache-control']).toBe('public, max-age=300');
    expect(again.status).toBe(304);
    expect(simulators.status).toBe(404);
    expect(dotfile.status).toBeGreaterThanOrEqual(400);
    expect(dotfile.text).not.toContain('dependencies');
  });

  test.each(['/', '/?category=music', '/products/taza-de-talavera', '/assets/shop.css', '/assets/logo.svg'])(
    '%s travels packed in every way that a browser opens, and is the same',
    async (path) => {
      await using shop = await openTestShop();
      const travel = async (encoding: string) => {
        const answer = await fetch(new URL(path, shop.url), { headers: { 'Accept-Encoding': encoding } });
        return { encoding: answer.headers.get('content-encoding'), text: await answer.text() };
      };

      const plain = await travel('identity');
      const answers = await Promise.all(['br', 'gzip', 'gzip, deflate, br, zstd'].map(travel));

      expect(plain.encoding).toBeNull();
      expect(answers.map(({ encoding }) => encoding)).toEqual(['br', 'gzip', 'br']);
      for (const { text } of answers) expect(text).toBe(plain.text);
    },
  );

  test('a page with somebody’s data is not packed: its length would tell of what it holds', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);

    for (const path of ['/cart', '/checkout', '/checkout/card', '/orders']) {
      const answer = await customer.agent.get(path).set('Accept-Encoding', 'gzip, br');
      expect([path, answer.headers['content-encoding']]).toEqual([path, undefined]);
    }
  });
});
