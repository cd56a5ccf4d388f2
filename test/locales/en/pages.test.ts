import { expect, test } from '@jest/globals';
import { openBackOffice } from '../../support/admin.js';
import { Customer } from '../../support/customer.js';
import { openFileShop } from '../../support/shared-shop.js';
import { openTestShop } from '../../support/test-shop.js';

const shop = await openFileShop();

const MUG = '/products/taza-de-talavera';
const langOf = (html: string) => /<html lang="([^"]+)"/.exec(html)?.[1];

/** A customer whose browser prefers this language. */
function browserIn(language: string): Customer {
  const customer = new Customer(shop);
  customer.agent.set('Accept-Language', language);
  return customer;
}

test('a browser that prefers English gets the cart in English', async () => {
  const { headers } = await new Customer(shop).agent.get('/cart').set('Accept-Language', 'fr-FR,en;q=0.5');

  expect(headers['content-language']).toBe('en');
});

test('a path below the English pages with a slash at its end redirects', async () => {
  const { status, headers } = await new Customer(shop).get('/en/');

  expect([status, headers['location']]).toEqual([301, '/en']);
});

test('a search in the Spanish catalog finds the English name of a product', async () => {
  const { text } = await new Customer(shop).get('/?q=sugar+skull');

  expect(text.match(/href="\/products\/[\w-]+"/g)).toContain('href="/products/calaverita-de-azucar"');
});

test('the address decides the locale of a public page, and the preference of the browser does not', async () => {
  for (const [path, lang] of [
    ['/', 'es-MX'],
    ['/en', 'en'],
    [MUG, 'es-MX'],
    [`/en${MUG}`, 'en'],
  ] as const) {
    // One request for each address, because the page cache would hide a dependency on the preference.
    const { text, headers } = await browserIn(lang === 'en' ? 'es' : 'en').get(path);

    expect([path, langOf(text)]).toEqual([path, lang]);
    expect(headers['vary']).not.toMatch(/language/i);
  }
});

test('an error below the address of a locale is in this locale', async () => {
  for (const [path, lang] of [
    ['/en/nowhere', 'en'],
    ['/enchiladas', 'es-MX'],
  ] as const) {
    const { status, text } = await browserIn('es').get(path);
    expect([path, status, langOf(text)]).toEqual([path, 404, lang]);
  }
});

test('a product added on an English page opens the cart in English, unless the customer selected a locale', async () => {
  const customer = browserIn('es');
  const item = { product_id: 'taza-talavera', quantity: '1', lang: 'en' };

  const refused = await customer.post('/cart/items', { ...item, quantity: '0' });
  await customer.post('/cart/items', item);
  const cart = await customer.get('/cart');
  await customer.post('/language', { lang: 'es-MX', back: '/cart' });
  await customer.post('/cart/items', item);
  const later = await customer.get('/cart');

  expect([refused, cart, later].map(({ text }) => langOf(text))).toEqual(['en', 'en', 'es-MX']);
  expect(cart.text).toContain(`href="/en${MUG}"`);
});

test('a shop whose second locale is es-MX has its pages below /es', async () => {
  await using english = await openTestShop({ env: { LOCALES: 'en,es-MX' } });

  expect(langOf((await new Customer(english).get(`/es${MUG}`)).text)).toBe('es-MX');
});

test('the locale of a page chosen by the customer is used instead of the browser’s, with a cookie of one year', async () => {
  const customer = new Customer(shop);

  const chosen = await customer.post('/language', { lang: 'en', back: '/cart' });
  const page = await customer.agent.get('/cart').set('Accept-Language', 'es-MX');
  const back = await customer.post('/language', { lang: 'es-MX', back: '/en?q=taza' });
  await customer.add();
  const refused = await customer.payHosted({});

  expect([chosen.status, chosen.headers['location']]).toEqual([303, '/cart']);
  expect(String(chosen.headers['set-cookie'])).toMatch(/^lang=en; Max-Age=31536000; Path=\/;.*HttpOnly; SameSite=Lax$/);
  expect(langOf(page.text)).toBe('en');
  expect(back.headers['location']).toBe('/?q=taza');
  // A GET request of the address that the form was posted to is refused.
  expect(refused.text).toContain('name="back" value="/checkout"');
});

const LISTS = ['/?q=jab%C3%B3n*&sort=price_asc', '/admin/orders?q=mar%C3%ADa+ruiz&state=paid'];

test.each(LISTS)('the choice of a locale at %s keeps the filters of the list', async (list) => {
  const merchant = await openBackOffice(shop);
  const { text } = await merchant.get(list);
  const [, back = ''] = /name="back" value="([^"]*)"/.exec(text) ?? [];

  const { headers } = await merchant.post('/language', {
    lang: 'es-MX',
    back: back.replaceAll('&amp;', '&'),
  });

  const kept = new URL(headers['location'] ?? '', shop.url);
  expect(kept.pathname).toBe(new URL(list, shop.url).pathname);
  expect(Object.fromEntries(kept.searchParams)).toMatchObject(Object.fromEntries(new URL(list, shop.url).searchParams));
});

test.each(['https://evil.example', '//evil.example', '/cart\r\nSet-Cookie: a=b', '/'.repeat(300), ''])(
  'the choice of a locale with the forged return path %j redirects to the catalog',
  async (back) => {
    const answer = await new Customer(shop).post('/language', { lang: 'en', back });

    expect([answer.status, answer.headers['location']]).toEqual([303, '/en']);
  },
);
