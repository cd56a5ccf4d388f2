import { expect, test } from '@jest/globals';
import { Customer } from '../support/customer.js';
import { EN, testInEnglish } from '../support/locales.js';
import { openPaidPage } from '../support/purchase.js';
import { openFileShop } from '../support/shared-shop.js';
import { openTestShop } from '../support/test-shop.js';

const shop = await openFileShop();

const MUG = '/products/taza-de-talavera';
const langOf = (html: string) => /<html lang="([^"]+)"/.exec(html)?.[1];

/** A customer whose browser prefers this language. */
function browserIn(language: string): Customer {
  const customer = new Customer(shop);
  customer.agent.set('Accept-Language', language);
  return customer;
}

testInEnglish(
  'the address decides the locale of a public page, and the preference of the browser does not',
  async () => {
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
  },
);

testInEnglish('an error below the address of a locale is in this locale', async () => {
  for (const [path, lang] of [
    ['/en/nowhere', 'en'],
    ['/enchiladas', 'es-MX'],
  ] as const) {
    const { status, text } = await browserIn('es').get(path);
    expect([path, status, langOf(text)]).toEqual([path, 404, lang]);
  }
});

testInEnglish(
  'a product added on an English page opens the cart in English, unless the customer selected a locale',
  async () => {
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
  },
);

test('order, errors and search results are not indexed, and the other pages are', async () => {
  const { customer, orderPath } = await openPaidPage(shop);
  await customer.get(orderPath.replace('/orders/', '/checkout/return/'));
  const isHidden = async (path: string) =>
    (await customer.get(path)).text.includes('<meta name="robots" content="noindex">');

  for (const path of [orderPath, '/?q=taza', '/nowhere']) expect([path, await isHidden(path)]).toEqual([path, true]);
  for (const path of ['/', MUG, '/pages/terms', '/cart']) expect([path, await isHidden(path)]).toEqual([path, false]);
});

testInEnglish('a shop whose second locale is es-MX has its pages below /es', async () => {
  await using english = await openTestShop({ env: { LOCALES: 'en,es-MX' } });

  expect(langOf((await new Customer(english).get(`/es${MUG}`)).text)).toBe('es-MX');
});

test('a shop with one locale has no address of another locale and no language form', async () => {
  await using single = await openTestShop({ env: { LOCALES: EN } });
  const { text } = await new Customer(single).get('/');

  expect(langOf(text)).toBe(EN);
  expect(text).not.toContain('action="/language"');
  expect((await new Customer(single).get('/en')).status).toBe(404);
});
