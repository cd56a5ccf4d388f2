import { expect, test } from '@jest/globals';
import supertest, { type Response } from 'supertest';
import { Customer, readOrderPage } from '../support/customer.js';
import { dumpDatabase } from '../support/inspect.js';
import { EN } from '../support/locales.js';
import { PRODUCTION } from '../support/production-settings.js';
import { openHostedPage } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';
import { openTestShop } from '../support/test-shop.js';

const shop = await openFileShop();
const { customer, orderPath, returnPath } = await openHostedPage(shop);
const gateway = new URL(shop.simulator.url).origin;

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
    ...(await getAll(['/', '/cart', '/checkout', '/checkout/card', orderPath, `${orderPath}/status`])),
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

test('only forms of the checkout pages may redirect to the gateway and to banks', async () => {
  const [checkout, card, ...others] = (
    await getAll(['/checkout', '/checkout/card', '/', '/cart', orderPath, '/nothing'])
  ).map(policyOf);
  const refused = policyOf(await customer.payHosted({}));

  for (const policy of [checkout, card, refused])
    expect(policy?.['form-action']).toEqual(expect.arrayContaining(["'self'", 'https:', gateway]));
  for (const policy of others) expect(policy['form-action']).toEqual(["'self'"]);
  expect(checkout?.['connect-src']).toEqual(["'self'"]);
});

test.each([
  ['', 'max-age=31536000'],
  ['on', 'max-age=31536000; includeSubDomains'],
])('with HSTS_INCLUDE_SUBDOMAINS=%s HSTS is %s and no form may redirect to loopback', async (setting, hsts) => {
  await using production = await openTestShop({
    env: { ...PRODUCTION, RATE_LIMIT: 'on', HSTS_INCLUDE_SUBDOMAINS: setting },
  });

  const page = await supertest(production.url).get('/');
  const checkout = await supertest(production.url).post('/checkout/hosted').type('form').send({});

  expect(page.headers['strict-transport-security']).toBe(hsts);
  expect(policyOf(checkout)['form-action']).toEqual(["'self'", 'https:', 'https://api.pay.example']);
});

test('cart, checkout, order and error pages are stored by no cache', async () => {
  const answers = [
    ...(await getAll(['/cart', '/checkout', '/checkout/card', returnPath, orderPath, `${orderPath}/status`])),
    ...(await getAll(['/orders/nothing', '/nothing', '/readyz'])),
    await customer.post('/cart/items', {}),
    await customer.post('/cart/items/taza-talavera', { quantity: '3' }),
  ];

  for (const { status, headers } of answers) expect([status, headers['cache-control']]).toEqual([status, 'no-store']);
});

test('files with a version in their address are cached for a year, others for five minutes, and no file outside is served', async () => {
  const page = await supertest(shop.url).get('/');
  const versioned = /href="(\/assets\/shop\.css\?v=[0-9a-f]{12})"/.exec(page.text)?.[1];

  const long = await supertest(shop.url).get(versioned ?? '/');
  const short = await supertest(shop.url).get('/assets/shop.css');
  const again = await supertest(shop.url).get('/assets/shop.css').set('If-None-Match', String(short.headers['etag']));
  const simulators = await supertest(shop.url).get('/simulator/simulator.css');
  const outside = await supertest(shop.url).get('/assets/..%2fpackage.json');

  expect(long.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(short.headers['cache-control']).toBe('public, max-age=300');
  expect([again.status, simulators.status]).toEqual([304, 404]);
  expect(outside.status).toBeGreaterThanOrEqual(400);
  expect(outside.text).not.toContain('dependencies');
});

test.each([
  ['gzip, deflate, br', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['gzip', 'gzip'],
  ['identity', undefined],
])('a public page is compressed for a browser that accepts %s with %s', async (accepted, encoding) => {
  for (const path of ['/', '/pages/privacy']) {
    const answer = await supertest(shop.url).get(path).set('Accept-Encoding', accepted);
    expect([path, answer.headers['content-encoding']]).toEqual([path, encoding]);
  }
});

test('compression is off for personal pages, because the length of a compressed page reveals its content', async () => {
  for (const path of ['/cart', '/checkout', '/checkout/card']) {
    const answer = await customer.agent.get(path).set('Accept-Encoding', 'gzip, br');
    expect([path, answer.headers['content-encoding']]).toEqual([path, undefined]);
  }
});

const MONTH_MS = 31 * 24 * 60 * 60 * 1000;

const addToCart = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  supertest(url).post('/cart/items').set(headers).type('form').send({ product_id: 'taza-talavera', quantity: '1' });

function cookiesOf({ headers }: Response): readonly string[] {
  return headers['set-cookie'] as unknown as readonly string[];
}

test('the session cookie is not set, and no session stored, for a customer who puts nothing in the cart', async () => {
  const customer = new Customer(shop);
  const before = await dumpDatabase(shop);

  const answers = await Promise.all([
    ...['/', '/cart', '/checkout', '/products/taza-de-talavera'].map((path) => customer.get(path)),
    customer.post('/cart/items/taza-talavera', { quantity: '0' }),
    customer.payHosted({}),
  ]);

  for (const answer of answers) expect(answer.headers['set-cookie']).toBeUndefined();
  expect(await dumpDatabase(shop)).toBe(before);
});

test('the session cookie is HttpOnly and SameSite=Lax, and holds a signed id without data', async () => {
  const [cookie = '', ...others] = cookiesOf(await addToCart(shop.url));

  expect(others).toEqual([]);
  expect(cookie).toMatch(/^tianguis=s%3A[\w%.-]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
});

test('the session cookie of a shop with https is Secure and bound to its host, also with X-Forwarded-Proto: http, and the cookie of the locale is Secure', async () => {
  await using secure = await openTestShop({ env: { PUBLIC_URL: 'https://shop.example' } });

  const chosen = await new Customer(secure).post('/language', { lang: EN });
  for (const headers of [undefined, { 'X-Forwarded-Proto': 'http' }]) {
    const [cookie = ''] = cookiesOf(await addToCart(secure.url, headers));
    expect(cookie).toMatch(/^__Host-tianguis=/);
    expect(cookie).toMatch(/; Path=\/;.*HttpOnly; Secure; SameSite=Lax$/);
    expect(cookie).not.toMatch(/Domain/i);
  }
  expect(String(chosen.headers['set-cookie'])).toContain('; Secure');
});

test('the session cookie with an id that the shop did not sign is replaced', async () => {
  const planted = 's%3Aattackers-own-session-id.c2lnbmF0dXJl';

  const answer = await addToCart(shop.url, { Cookie: `tianguis=${planted}` });

  expect(answer.status).toBe(303);
  expect(cookiesOf(answer).join()).not.toContain('attackers-own');
  expect(await dumpDatabase(shop)).not.toContain('attackers-own');
});

test('a session ends after a month without a visit', async () => {
  await using other = await openTestShop();
  const customer = await Customer.withCart(other);
  const inTime = await customer.get('/cart');

  other.clock.advance(MONTH_MS);
  const tooLate = await customer.get('/cart');

  expect(inTime.text).not.toContain('Tu carrito está vacío');
  expect(tooLate.text).toContain('Tu carrito está vacío');
});

test('a session that cannot be read stops cart and checkout with 503, but neither the catalog nor a paid return', async () => {
  const { customer, session, returnPath, orderPath } = await openHostedPage(shop);
  shop.simulator.control.paySession(session);
  const { schema } = shop.context.checkout.db.queries;
  await schema.alterTable('sessions').renameTo('sessions_elsewhere').execute();

  const catalog = await customer.get('/');
  const cart = await customer.get('/cart');
  const checkout = await customer.payHosted();
  const back = await customer.get(returnPath);
  const page = await customer.get(orderPath);
  await schema.alterTable('sessions_elsewhere').renameTo('sessions').execute();

  expect([catalog.status, cart.status, checkout.status]).toEqual([200, 503, 503]);
  expect(cart.headers['retry-after']).toBe('5');
  expect([back.status, back.headers['location']]).toEqual([303, orderPath]);
  expect(readOrderPage(page.text)).toMatchObject({ state: 'paid', detail: false });
});

const getPage = (path: string, locale = 'es-MX') => supertest(shop.url).get(path).set('Accept-Language', locale);

test('a cached page is equal to the first answer, also after HEAD, and has its own request id and log line', async () => {
  const completed = () => shop.logged.filter((line) => line.includes('"route":"/products/:slug"')).length;
  const before = completed();
  const read = () => getPage('/products/taza-de-talavera');

  await supertest(shop.url).head('/products/taza-de-talavera').set('Accept-Language', 'es-MX');
  const [first, second] = [await read(), await read()];

  const { 'x-request-id': firstId, date: _, 'transfer-encoding': __, ...headers } = first.headers;
  const { 'x-request-id': secondId, date: ___, 'content-length': ____, ...again } = second.headers;
  expect({ ...again, 'content-length': '' }).toEqual({ ...headers, 'content-length': '' });
  expect(second.text).toBe(first.text);
  expect(secondId).toMatch(/^[\da-f-]{36}$/);
  expect(secondId).not.toBe(firstId);
  expect(first.text).toContain('Taza de talavera');
  expect(completed()).toBe(before + 3);
});

test('a cached page is not sent to a customer with a cart', async () => {
  await getPage('/');
  const own = await (await Customer.withCart(shop)).get('/');
  const anonymous = await getPage('/');

  expect(own.text).toMatch(/data-test="cart-count"[^>]*>1</);
  expect(anonymous.text).toMatch(/data-test="cart-count"[^>]*>0</);
});
