import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Customer } from '../support/customer.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const langOf = (html: string) => /<html lang="([^"]+)"/.exec(html)?.[1];

describe('language', () => {
  // Nothing here changes the shop, so one serves all.
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop();
  });
  afterAll(async () => {
    await shop[Symbol.asyncDispose]();
  });

  test.each([
    ['es-MX,es;q=0.9,en;q=0.8', 'es-MX'],
    ['en-GB,en;q=0.9', 'en'],
    ['es-AR', 'es-MX'],
    ['fr-FR,en;q=0.5', 'en'],
    ['fr', 'es-MX'],
    ['*', 'es-MX'],
    ['en;q=0,es', 'es-MX'],
    ['%%%;;,,', 'es-MX'],
  ])('a browser that asks for %s reads %s', async (accepted, expected) => {
    const customer = new Customer(shop);

    const answer = await customer.agent.get('/').set('Accept-Language', accepted);

    expect(langOf(answer.text)).toBe(expected);
    expect(answer.headers['content-language']).toBe(expected);
    expect(answer.headers['vary']).toMatch(/Accept-Language.*Cookie/);
  });

  test('the language chosen by hand beats the browser and stays', async () => {
    const customer = new Customer(shop);

    const chosen = await customer.post('/language', { lang: 'en', back: '/cart' });
    const page = await customer.agent.get('/cart').set('Accept-Language', 'es-MX');

    const [cookie = ''] = chosen.headers['set-cookie'] as unknown as string[];
    expect([chosen.status, chosen.headers['location']]).toEqual([303, '/cart']);
    expect(cookie).toMatch(/^lang=en; Max-Age=31536000; Path=\/;.*HttpOnly; SameSite=Lax$/);
    expect(langOf(page.text)).toBe('en');
  });

  test.each([
    [{ DEFAULT_LOCALE: 'en' }, { fr: 'en', '*': 'en', 'es-AR': 'es-MX', 'es,en;q=0.5': 'es-MX' }],
    [{ LOCALES: 'en,es-MX' }, { fr: 'en', '*': 'en', 'es-AR': 'es-MX' }],
    [{ LOCALES: 'es-MX' }, { fr: 'es-MX', en: 'es-MX', '*': 'es-MX' }],
    [{ LOCALES: 'en' }, { fr: 'en', 'es-MX': 'en', 'en-GB': 'en' }],
  ])('by the settings %j browsers read %j', async (env, expected) => {
    await using other = await openTestShop({ env });

    for (const [accepted, language] of Object.entries(expected)) {
      const answer = await new Customer(other).agent.get('/').set('Accept-Language', accepted);
      expect([accepted, langOf(answer.text)]).toEqual([accepted, language]);
    }
  });

  test('a shop with one language has no switch, and takes no other by hand or by an old cookie', async () => {
    await using spanish = await openTestShop({ env: { LOCALES: 'es-MX' } });
    const customer = new Customer(spanish);

    const page = await customer.agent.get('/').set('Cookie', 'lang=en');
    const chosen = await customer.post('/language', { lang: 'en' });

    expect(page.text).not.toContain('/language');
    expect(langOf(page.text)).toBe('es-MX');
    expect(chosen.status).toBe(400);
    expect((await new Customer(shop).get('/')).text).toContain('action="/language"');
  });

  test('with a public address in https the choice is kept in a Secure cookie', async () => {
    await using secure = await openTestShop({ env: { PUBLIC_URL: 'https://shop.example' } });
    const customer = new Customer(secure);

    const chosen = await customer.post('/language', { lang: 'en' });

    expect(String(chosen.headers['set-cookie'])).toContain('; Secure');
  });

  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/%2f/evil.example',
    '/%2e%2e//evil.example',
    '/\t/evil.example',
    '/cart\r\nSet-Cookie: a=b',
    'javascript:alert(1)',
    '/cart?next=//evil.example',
    'cart',
    '/'.repeat(300),
    '',
  ])('the way back %j leads to the shop', async (back) => {
    const customer = new Customer(shop);

    const answer = await customer.post('/language', { lang: 'en', back });

    expect([answer.status, answer.headers['location']]).toEqual([303, '/']);
  });

  test.each([
    {},
    { lang: 'fr' },
    { lang: ['en', 'es-MX'] },
    { lang: '__proto__' },
    { lang: 'x'.repeat(10_000) },
  ])('a language that the shop does not speak is a bad request: %#', async (fields) => {
    const customer = new Customer(shop);

    const answer = await customer.post('/language', fields);

    expect(answer.status).toBe(400);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });
});
