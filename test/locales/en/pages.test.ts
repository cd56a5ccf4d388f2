import { expect, test } from '@jest/globals';
import { Customer } from '../../support/customer.js';
import { openFileShop } from '../../support/shared-shop.js';

const shop = await openFileShop();

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
