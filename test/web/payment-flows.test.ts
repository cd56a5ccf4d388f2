import { expect, test } from '@jest/globals';
import { Customer } from '../support/customer.js';
import { CARDS, payByCard } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';

test('a shop with the hosted flow only sells by it, shows no card page and takes no card', async () => {
  await using shop = await openTestShop({ env: { PAYMENT_FLOWS: 'hosted' } });
  const customer = await Customer.withCart(shop);

  const form = await customer.get('/checkout');
  const answers = [
    await customer.get('/checkout/card'),
    await payByCard(shop, customer, CARDS.paid),
    await customer.post('/checkout/card/access-token', {}),
    await customer.get('/checkout/card/access-token'),
  ];
  const hosted = await customer.payHosted();

  expect(form.text).not.toContain('/checkout/card');
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect(shop.simulator.control.ledger()).toEqual([]);
  expect(hosted.headers['location']).toContain(`${shop.simulator.url}/checkout/`);
});

test('a shop with the card flow only leads from the cart to its card page, sells by it and opens no hosted page', async () => {
  await using shop = await openTestShop({ env: { PAYMENT_FLOWS: 'card' } });
  const customer = await Customer.withCart(shop);

  const checkout = await customer.get('/checkout');
  const form = await customer.get('/checkout/card');
  const hosted = await customer.payHosted();
  const { headers } = await payByCard(shop, customer, CARDS.paid);
  const order = await customer.get(headers['location'] ?? '');

  expect([checkout.status, checkout.headers['location']]).toEqual([303, '/checkout/card']);
  expect(form.text).not.toContain('href="/checkout"');
  expect(hosted.status).toBe(404);
  expect(order.text).toContain('data-state="paid"');
});
