import { afterAll, expect, test } from '@jest/globals';
import supertest, { type Response } from 'supertest';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';

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
const PRODUCT = '/products/taza-de-talavera';

const shop = await openTestShop();
const { customer, orderPath, returnPath } = await openHostedPage(shop);
const gateway = new URL(shop.simulator.url).origin;
afterAll(async () => shop[Symbol.asyncDispose]());

const getAll = (paths: readonly string[]) => Promise.all(paths.map((path) => customer.get(path)));

/** Returns the sources of each directive of the content security policy. */
function policyOf(answer: Response): Record<string, string[]> {
  const directives = String(answer.headers['content-security-policy']).split(';');
  return Object.fromEntries(
    directives.map((directive) => {
      const [name = '', ...sources] = directive.trim().split(' ');
      return [name, sources];
    }),
  );
}

test('every answer, errors and files included, forbids sniffing, framing and inline code and names no software', async () => {
  const answers = [
    ...(await getAll([
      '/',
      PRODUCT,
      '/cart',
      '/checkout',
      '/checkout/card',
      orderPath,
      `${orderPath}/status`,
    ])),
    ...(await getAll([returnPath, '/nothing', '/%zz', '/healthz', '/assets/shop.css'])),
    await customer.post('/cart/items', { product_id: 'none' }),
    await supertest(shop.url).put('/cart'),
  ];

  for (const answer of answers) {
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
    });
    expect(answer.headers['x-powered-by']).toBeUndefined();
    expect(answer.headers['server']).toBeUndefined();
    expect(policyOf(answer)).toMatchObject({
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'base-uri': ["'none'"],
      'frame-ancestors': ["'none'"],
    });
  }
});

test('only forms of the checkout pages may lead to the gateway and to banks', async () => {
  const [checkout, card, ...others] = (
    await getAll(['/checkout', '/checkout/card', '/', '/cart', orderPath, '/nothing'])
  ).map(policyOf);
  const refused = policyOf(await customer.payHosted({}));

  for (const policy of [checkout, card, refused])
    expect(policy?.['form-action']).toEqual(expect.arrayContaining(["'self'", 'https:', gateway]));
  for (const policy of others) expect(policy['form-action']).toEqual(["'self'"]);
  expect(card?.['connect-src']).toEqual(["'self'", gateway]);
  expect(checkout?.['connect-src']).toEqual(["'self'"]);
});

test.each([
  ['', 'max-age=31536000'],
  ['off', 'max-age=31536000'],
  ['on', 'max-age=31536000; includeSubDomains'],
])(
  'with https and HSTS_INCLUDE_SUBDOMAINS=%s, HSTS is %s and no form may lead to loopback',
  async (setting, hsts) => {
    await using production = await openTestShop({
      env: { ...PRODUCTION, HSTS_INCLUDE_SUBDOMAINS: setting },
    });

    const page = await supertest(production.url).get('/');
    const checkout = await supertest(production.url).post('/checkout/hosted').type('form').send({});

    expect(page.headers['strict-transport-security']).toBe(hsts);
    expect(policyOf(checkout)['form-action']).toEqual(["'self'", 'https:', 'https://pay.example']);
  },
);

test('cart, checkout, order and error pages are stored by no cache', async () => {
  const answers = [
    ...(await getAll(['/cart', '/checkout', '/checkout/card', returnPath, orderPath, `${orderPath}/status`])),
    ...(await getAll(['/orders/nothing', '/nothing', '/readyz'])),
    await customer.post('/cart/items', {}),
    await customer.post('/cart/items/taza-talavera', { quantity: '3' }),
  ];

  for (const { status, headers } of answers)
    expect([status, headers['cache-control']]).toEqual([status, 'no-store']);
});

test('files with a version in their address are cached for a year, others for five minutes, and none lies outside', async () => {
  const page = await supertest(shop.url).get('/');
  const versioned = /href="(\/assets\/shop\.css\?v=[0-9a-f]{12})"/.exec(page.text)?.[1];

  const long = await supertest(shop.url).get(versioned ?? '/');
  const short = await supertest(shop.url).get('/assets/shop.css');
  const again = await supertest(shop.url)
    .get('/assets/shop.css')
    .set('If-None-Match', String(short.headers['etag']));
  const simulators = await supertest(shop.url).get('/simulator/simulator.css');
  const outside = await supertest(shop.url).get('/assets/..%2fpackage.json');

  expect(long.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(short.headers['cache-control']).toBe('public, max-age=300');
  expect([again.status, simulators.status]).toEqual([304, 404]);
  expect(outside.status).toBeGreaterThanOrEqual(400);
  expect(outside.text).not.toContain('dependencies');
});

test.each(['/', '/?category=music', PRODUCT, '/assets/shop.css', '/assets/logo.svg'])(
  'compression of %s changes nothing in its content',
  async (path) => {
    const read = async (encoding: string) => {
      const answer = await fetch(new URL(path, shop.url), { headers: { 'Accept-Encoding': encoding } });
      return [answer.headers.get('content-encoding'), await answer.text()] as const;
    };

    const [, plain] = await read('identity');
    const answers = await Promise.all(['identity', 'br', 'gzip', 'gzip, deflate, br, zstd'].map(read));

    expect(answers).toEqual([null, 'br', 'gzip', 'br'].map((encoding) => [encoding, plain]));
  },
);

test('compression is off for personal pages, because the length of a compressed page reveals its content', async () => {
  for (const path of ['/cart', '/checkout', '/checkout/card', '/orders']) {
    const answer = await customer.agent.get(path).set('Accept-Encoding', 'gzip, br');
    expect([path, answer.headers['content-encoding']]).toEqual([path, undefined]);
  }
});
