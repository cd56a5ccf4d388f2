import { expect, test } from '@jest/globals';
import { LOCALES } from '../../src/shop/rules/locales.js';
import { MUG } from '../support/catalog.js';
import { Customer } from '../support/customer.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop();

test('the rules prefetch the catalog and products of each locale, and no other page', async () => {
  const { body, headers } = await new Customer(shop).get('/prefetch-rules.json');

  expect(headers['content-type']).toContain('application/speculationrules+json');
  const english = LOCALES.length > 1 ? ['/en', '/en/products/*'] : [];
  const patterns = ['/', '/products/*', ...english];
  expect(body).toEqual({ prefetch: [{ where: { href_matches: patterns }, eagerness: 'moderate' }] });
});

test('catalog and products name the rules, also from the cache, and are animated; other pages are not', async () => {
  const customer = await Customer.withCart(shop);
  const visitor = new Customer(shop);
  const windows = [
    await visitor.get('/'),
    await visitor.get('/'),
    await visitor.get('/products/taza-de-talavera'),
    await customer.get('/?q=taza'),
  ];
  const others = [await customer.get('/cart'), await customer.get('/checkout'), await visitor.get('/pages/privacy')];

  for (const { headers, text } of windows) {
    expect(headers['speculation-rules']).toBe('"/prefetch-rules.json"');
    expect(text).toContain('/transitions.css');
  }
  for (const { headers, text } of others) {
    expect(headers['speculation-rules']).toBeUndefined();
    expect(text).not.toContain('/transitions.css');
  }
});

test('a prefetch with a session sets no cookie, and each post to the cart discards prefetched pages', async () => {
  const customer = await Customer.withCart(shop);
  const prefetched = await customer.agent.get('/products/taza-de-talavera').set('Sec-Purpose', 'prefetch');
  const posts = [
    await customer.post('/cart/items', { product_id: MUG, quantity: '1' }),
    await customer.post(`/cart/items/${MUG}`, { quantity: '3' }),
  ];

  expect([prefetched.status, prefetched.headers['set-cookie']]).toEqual([200, undefined]);
  for (const { headers } of posts) expect(headers['clear-site-data']).toBe('"prefetchCache"');
  expect((await customer.get('/cart')).headers['clear-site-data']).toBeUndefined();
});
