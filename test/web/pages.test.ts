import { afterEach, expect, test } from '@jest/globals';
import { i18nIn } from '../../src/locales/i18n.js';
import { deliveryTime } from '../../src/locales/shipping-text.js';
import { openBackOffice, PASSWORD } from '../support/admin.js';
import { SHIPPED, testProducts } from '../support/catalog.js';
import { Customer, contact } from '../support/customer.js';
import { dumpDatabase } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';

const products = testProducts();
const shop = await openFileShop();
const { control } = shop.simulator;
const visitor = new Customer(shop);
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

test('an empty cart and a search without result suggest available products, and the catalog marks the sold-out ones', async () => {
  const suggestionsIn = async (path: string) => {
    const [, html = ''] = (await new Customer(shop).get(path)).text.split('data-test="suggestions"');
    return slugsIn(html);
  };
  const available = products.filter(({ stock, visible }) => visible && stock !== 0).map(({ slug }) => slug);
  const [first = ''] = available;
  const { text: catalog } = await visitor.get('/');

  expect(await suggestionsIn('/cart')).toEqual(available.slice(0, 4));
  expect(await suggestionsIn('/?q=nada')).toEqual(available.slice(0, 4));
  expect(await suggestionsIn('/')).toEqual([]);
  await shop.queries.updateTable('products').set({ stock: 0 }).where('slug', '=', first).execute();
  expect(await suggestionsIn('/cart')).toEqual(available.slice(1, 5));
  await shop.queries.updateTable('products').set({ stock: null }).where('slug', '=', first).execute();
  expect(catalog.match(/data-test="sold-out"/g)?.length ?? 0).toBe(products.filter(({ stock }) => stock === 0).length);
});

test('the page of a product says what its delivery costs unless it is not shipped, and links to the returns', async () => {
  const [shipped, download] = [true, false].map((ships) => products.find((each) => each.requiresShipping === ships));
  const { text } = await visitor.get(`/products/${shipped?.slug}`);
  const [, said = ''] = /data-test="shipping">([^<]*)/.exec(text) ?? [];
  const cart = await Customer.withCart(shop, { product_id: shipped?.id, quantity: '1' });
  const [, price = ''] = /data-test="shipping">.*?(\$[\d,.]+|Gratis)/.exec((await cart.get('/cart')).text) ?? [];

  expect(said.toLowerCase()).toContain(price.toLowerCase());
  expect((await visitor.get(`/products/${download?.slug}`)).text).not.toContain('data-test="shipping"');
  const hasPage = shop.context.web.settings.current().contentIn('es-MX').has('shipping');
  expect(text.includes('href="/pages/shipping" data-test="returns"')).toBe(hasPage);
});

test('product, cart and checkout say when a parcel arrives', async () => {
  const { translations } = shop.context.web.settings.current();
  const time = deliveryTime(i18nIn(translations, 'es-MX'), { days: { min: 3, max: 10 } }) ?? '';
  const product = products.find(({ id }) => id === SHIPPED);
  const customer = await Customer.withCart(shop, { product_id: SHIPPED });

  const pages = await Promise.all(
    [`/products/${product?.slug}`, '/cart', '/checkout'].map(async (path) => (await customer.get(path)).text),
  );

  expect(time).toMatch(/\d/);
  for (const html of pages) expect(html).toContain(time);
});

const ALL = products.map(({ slug }) => slug);

test.each([
  ['?q=cafe+CHIAPAS', ['cafe-de-chiapas']],
  ['?category=musica', ['guitarra-de-paracho']],
  ['?q=taza,+%C2%BFazul%3F', ['taza-de-talavera']],
  ['?q=aza', []],
  // The seventh word is not searched.
  ['?q=ta+taz+taza+tala+talavera+azul+nada', ['taza-de-talavera']],
  ['?q=talavera&category=musica', []],
  ['?q=%20%09', ALL],
  ['?q=a&q=b', ALL],
  ['?category=__proto__', ALL],
])('the catalog filtered by %s shows what matches', async (query, slugs) => {
  const { status, text } = await visitor.get(`/${query}`);

  expect(status).toBe(200);
  const [found = ''] = text.split('data-test="suggestions"');
  expect(new Set(slugsIn(found))).toEqual(new Set(slugs));
});

test('the catalog lists the chosen category before the others, where a phone shows it', async () => {
  const { text } = await visitor.get('/?category=musica');

  const [list = ''] = /<ul class="categories">[\s\S]*?<\/ul>/.exec(text) ?? [];
  const links = [...list.matchAll(/href="([^"]+)"( aria-current)?/g)].map(([, href, current]) => [href, !!current]);
  expect(links.slice(0, 2)).toEqual([
    ['/', false],
    ['/?category=musica', true],
  ]);
  expect(new Set(links.map(([href]) => href)).size).toBe(links.length);
});

test.each(['/nothing', '/products/constructor', '/.env', '/administrator'])(
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

  const refused = await customer.payHosted({ ...contact, first_name: evil, last_name: evil, email: evil });
  const names = { first_name: evil, last_name: "O'Neill & <b>" };
  const placed = await customer.payHosted({ ...contact, ...names, email: 'a@b.mx' });
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

test('the checkout with an empty cart redirects to the cart and calls no gateway', async () => {
  const calls = control.calls().length;

  const pages = await Promise.all(['/checkout', '/checkout/card'].map((path) => visitor.get(path)));
  const submitted = await visitor.payHosted();

  for (const { status, headers } of [...pages, submitted])
    expect([status, headers['location']]).toEqual([303, '/cart']);
  expect(control.calls()).toHaveLength(calls);
});

const GET_PATHS = ['/Admin', '/ADMIN/orders.csv', '/Cart', '/checkout/Card', '/Metrics', '/HEALTHZ'];
const POST_PATHS = ['/Admin/sign-in', '/Cart/items', '/CHECKOUT/hosted', '/Checkout/card', '/ORDERS'];

test('a path in another case than the shop’s own is not found, with and without a session', async () => {
  const { customer, returnPath, orderPath } = await openHostedPage(shop);
  const merchant = await openBackOffice(shop);
  const upper = (path: string) => path.replace(/^\/\w+/, (prefix) => prefix.toUpperCase());
  const gets = [...GET_PATHS, upper(returnPath), upper(orderPath)];
  const form = { ...contact, name: 'admin', password: PASSWORD };
  const before = await dumpDatabase(shop);

  for (const client of [new Customer(shop), customer, merchant]) {
    for (const path of gets) expect([path, (await client.get(path)).status]).toEqual([path, 404]);
    for (const path of POST_PATHS) expect([path, (await client.post(path, form)).status]).toEqual([path, 404]);
  }
  expect(await dumpDatabase(shop)).toBe(before);
});

const localeOf = (html: string) => /<html lang="([^"]+)"/.exec(html)?.[1];
const accepting = (at: { readonly url: string }, header: string) =>
  new Customer(at).agent.get('/cart').set('Accept-Language', header);

test.each([
  ['es-AR,es;q=0.9,en;q=0.8', 'es-MX'],
  ['en;q=0,fr', 'es-MX'],
  ['%%%;;,,', 'es-MX'],
])('the locale of a page for a browser that accepts %s is %s', async (accepted, expected) => {
  const answer = await accepting(shop, accepted);

  expect([localeOf(answer.text), answer.headers['content-language']]).toEqual([expected, expected]);
  expect(answer.headers['vary']).toMatch(/Accept-Language/);
});

test.each([
  ['/products/taza-de-talavera/', '/products/taza-de-talavera'],
  ['/pages/privacy//', '/pages/privacy'],
  ['/cart/?a=1', '/cart?a=1'],
])('%s redirects to %s', async (path, target) => {
  const { status, headers } = await visitor.get(path);

  expect([status, headers['location']]).toEqual([301, target]);
});

test.each(['//evil.example/', '/\\evil.example/', '/%2f%2fevil.example/'])(
  '%s redirects to no other site',
  async (path) => {
    const { status, headers } = await visitor.get(path);

    expect([status, headers['location']]).toEqual([404, undefined]);
  },
);
