import { afterAll, expect, test } from '@jest/globals';
import { Customer } from '../support/customer.js';
import { openTestShop } from '../support/test-shop.js';

const shop = await openTestShop();
afterAll(async () => shop[Symbol.asyncDispose]());

const localeOf = (html: string) => /<html lang="([^"]+)"/.exec(html)?.[1];
const accepting = (at: { readonly url: string }, header: string) =>
  new Customer(at).agent.get('/').set('Accept-Language', header);

test.each([
  ['es-MX,es;q=0.9,en;q=0.8', 'es-MX'],
  ['en-GB,en;q=0.9', 'en'],
  ['es-AR', 'es-MX'],
  ['fr-FR,en;q=0.5', 'en'],
  ['fr', 'es-MX'],
  ['*', 'es-MX'],
  ['en;q=0,es', 'es-MX'],
  ['%%%;;,,', 'es-MX'],
])('the locale of a page for a browser that accepts %s is %s', async (accepted, expected) => {
  const answer = await accepting(shop, accepted);

  expect([localeOf(answer.text), answer.headers['content-language']]).toEqual([expected, expected]);
  expect(answer.headers['vary']).toMatch(/Accept-Language.*Cookie/);
});

test('the locale of a page chosen by the customer is used instead of the browser’s, with a cookie of one year', async () => {
  const customer = new Customer(shop);

  const chosen = await customer.post('/language', { lang: 'en', back: '/cart' });
  const page = await customer.agent.get('/cart').set('Accept-Language', 'es-MX');

  expect([chosen.status, chosen.headers['location']]).toEqual([303, '/cart']);
  expect(String(chosen.headers['set-cookie'])).toMatch(
    /^lang=en; Max-Age=31536000; Path=\/;.*HttpOnly; SameSite=Lax$/,
  );
  expect(localeOf(page.text)).toBe('en');
});

test('the choice of a locale is not offered and not accepted in a shop with one locale', async () => {
  await using spanish = await openTestShop({ env: { LOCALES: 'es-MX' } });
  const customer = new Customer(spanish);

  const page = await customer.agent.get('/').set('Cookie', 'lang=en');
  const chosen = await customer.post('/language', { lang: 'en' });

  expect(page.text).not.toContain('/language');
  expect([localeOf(page.text), chosen.status]).toEqual(['es-MX', 400]);
  expect((await new Customer(shop).get('/')).text).toContain('action="/language"');
});

test('the choice of a locale is stored in a Secure cookie when the shop has https', async () => {
  await using secure = await openTestShop({ env: { PUBLIC_URL: 'https://shop.example' } });

  const chosen = await new Customer(secure).post('/language', { lang: 'en' });

  expect(String(chosen.headers['set-cookie'])).toContain('; Secure');
});

test.each([
  ...[
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/%2f/evil.example',
    '/%2e%2e//evil.example',
  ],
  ...['/\t/evil.example', '/cart\r\nSet-Cookie: a=b', 'javascript:alert(1)', '/cart?next=//evil.example'],
  ...['cart', '/'.repeat(300), ''],
])('the choice of a locale with the forged return path %j leads to the catalog', async (back) => {
  const answer = await new Customer(shop).post('/language', { lang: 'en', back });

  expect([answer.status, answer.headers['location']]).toEqual([303, '/']);
});
