import { afterAll, afterEach, expect, test } from '@jest/globals';
import { Customer } from '../support/customer.js';
import { sampleProducts } from '../support/sample-products.js';
import { openTestShop } from '../support/test-shop.js';

const products = sampleProducts();
const shop = await openTestShop();
const { control } = shop.simulator;
const visitor = new Customer(shop);
afterAll(async () => shop[Symbol.asyncDispose]());
afterEach(() => control.clearFaults());

const slugsIn = (html: string) => [...html.matchAll(/href="\/products\/([\w-]+)"/g)].map(([, slug]) => slug);

test('the catalog links to the page of every product, and each page has the form to add it unless it is sold out', async () => {
  const catalog = await visitor.get('/');
  const pages = await Promise.all(products.map(({ slug }) => visitor.get(`/products/${slug}`)));

  expect(products.length).toBeGreaterThanOrEqual(12);
  expect(new Set(slugsIn(catalog.text))).toEqual(new Set(products.map(({ slug }) => slug)));
  for (const [index, { status, text }] of pages.entries()) {
    expect(status).toBe(200);
    expect(text).toContain(products[index]?.stock === 0 ? 'data-test="sold-out"' : 'name="product_id"');
  }
});

test.each([
  ['?q=TALAVERA', ['taza-de-talavera']],
  ['?q=cafe+chiapas', ['cafe-de-chiapas']],
  ['?q=sugar+skull', ['calaverita-de-azucar']],
  ['?category=musica', ['guitarra-de-paracho']],
  ['?q=guitarras', ['guitarra-de-paracho']],
  ['?q=taza,+%C2%BFazul%3F', ['taza-de-talavera']],
  ['?q=aza', []],
  ['?q=miel+de+marte', []],
  ['?q=talavera&category=musica', []],
])('the catalog filtered by %s shows %j, in any language and without accents', async (query, slugs) => {
  const { status, text } = await visitor.get(`/${query}`);

  expect(status).toBe(200);
  expect(slugsIn(text)).toEqual(slugs);
  expect(text).toContain('data-test="found"');
});

test.each(['?q=', '?q=%20%09', '?q=a&q=b', '?category=nothing', '?category=__proto__', '?q[]=a'])(
  'the catalog with the empty or invalid filter %s shows every product',
  async (query) => {
    const { status, text } = await visitor.get(`/${query}`);

    expect(status).toBe(200);
    expect(new Set(slugsIn(text)).size).toBe(products.length);
  },
);

test.each([
  '/nothing',
  '/products/no-such-thing',
  '/products/constructor',
  '/products/%00',
  '/.env',
  '/administrator',
])(
  'a page that does not exist, such as %s, is answered 404 with a link to the catalog, and stored by no cache',
  async (path) => {
    const answer = await visitor.get(path);

    expect([answer.status, answer.headers['cache-control']]).toEqual([404, 'no-store']);
    expect(answer.text).toContain('href="/"');
  },
);

test('a page shows what a customer typed as text', async () => {
  const customer = await Customer.withCart(shop);
  const evil = '"><img src=x onerror=alert(1)>';

  const refused = await customer.payHosted({ first_name: evil, last_name: evil, email: evil });
  const names = { first_name: evil, last_name: "O'Neill & <b>" };
  const placed = await customer.payHosted({ ...names, email: 'a@b.mx' });
  const form = await customer.get('/checkout');
  const cart = await customer.post('/cart/items/taza-talavera', { quantity: evil });

  expect([refused.status, placed.status]).toEqual([422, 302]);
  for (const page of [refused, form, cart]) {
    expect(page.text).not.toMatch(/<img src=x|<b>/);
    expect(page.text).toContain('&lt;img src=x');
  }
});

test('a page and a redirect hold no address of a forged Host header', async () => {
  const customer = await Customer.withCart(shop);
  const evil = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example' };
  customer.agent.set(evil);

  const page = await customer.get('/');
  const redirect = await customer.payHosted();

  expect(redirect.status).toBe(302);
  const sent = JSON.stringify(control.calls('create-session').at(-1)?.body);
  for (const text of [page.text, sent, JSON.stringify(redirect.headers)]) expect(text).not.toContain('evil');
});

test('the checkout with an empty cart leads to the cart and calls no gateway', async () => {
  const calls = control.calls().length;

  const pages = await Promise.all(['/checkout', '/checkout/card'].map((path) => visitor.get(path)));
  const submitted = await visitor.payHosted();
  const token = await visitor.post('/checkout/card/access-token', {});

  for (const { status, headers } of pages) expect([status, headers['location']]).toEqual([303, '/cart']);
  expect(submitted.status).toBe(409);
  expect([token.status, token.body]).toEqual([409, { error: 'cart_empty', location: '/cart' }]);
  expect(control.calls()).toHaveLength(calls);
});

test('the checkout gives the card page an access token for the tokenizer, and 503 while the gateway has none', async () => {
  const customer = await Customer.withCart(shop);

  const answer = await customer.post('/checkout/card/access-token', {});
  control.fault('tokenization-auth', { kind: 'status', status: 500 });
  const failed = await customer.post('/checkout/card/access-token', {});

  expect([answer.status, Object.keys(answer.body as object)]).toEqual([200, ['access_token']]);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect([failed.status, failed.body]).toEqual([503, { error: 'gateway_unavailable' }]);
});
