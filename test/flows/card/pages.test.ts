import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { projectRoot } from '../../../src/project-root.js';
import { Customer } from '../../support/customer.js';
import { CARDS, payByCard } from '../../support/purchase.js';
import { openFileShop } from '../../support/shared-shop.js';

const shop = await openFileShop({ env: { PAYMENT_FLOWS: 'card' } });
const { control } = shop;
afterEach(() => control.clearFaults());

test('the visible card inputs have no name, so that a browser cannot post a card to the shop', () => {
  const form = readFileSync(join(projectRoot, 'views/card/pay.ejs'), 'utf8');

  for (const id of ['card-number-input', 'cardholder-input', 'expiry-input', 'cvv-input'])
    expect(form).toMatch(new RegExp(`<input id="${id}"(?![^>]*\\sname=)[^>]*>`));
});

test('a shop with only the card flow redirects the checkout to its card page, sells through it and opens no hosted page', async () => {
  const customer = await Customer.withCart(shop);

  const checkout = await customer.get('/checkout');
  const form = await customer.get('/checkout/card');
  const hosted = await customer.payHosted();
  const { headers } = await payByCard(shop, customer, CARDS.paid);
  const order = await customer.get(headers['location'] ?? '');

  expect([checkout.status, checkout.headers['location']]).toEqual([303, '/checkout/card']);
  expect(form.text).not.toContain('href="/checkout');
  expect(hosted.status).toBe(404);
  expect(order.text).toContain('data-state="paid"');
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

test('without a cart there is no access token, and the answer names the cart', async () => {
  const { status, body } = await new Customer(shop).post('/checkout/card/access-token', {});

  expect([status, body]).toEqual([409, { error: 'cart_empty', location: '/cart' }]);
});

test('the scripts of the card page may call the tokenizer, and no other origin outside the shop', async () => {
  const { headers } = await (await Customer.withCart(shop)).get('/checkout/card');

  expect(headers['content-security-policy']).toContain(`connect-src 'self' ${new URL(shop.simulator.url).origin};`);
});

test('the sentence before the pay button links to terms and privacy notice', async () => {
  const { text } = await (await Customer.withCart(shop)).get('/checkout/card');

  const [sentence = ''] = text.split('data-test="pay-card"')[0]?.match(/<p[^>]*data-test="terms"[\s\S]*$/) ?? [];
  expect(sentence).toContain('href="/pages/terms"');
  expect(sentence).toContain('href="/pages/privacy"');
});
