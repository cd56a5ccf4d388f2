import { describe, expect, test } from '@jest/globals';
import { Customer } from '../support/customer.js';
import { CARDS, payByCard } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';

describe('a shop with the hosted page only', () => {
  const env = { PAYMENT_FLOWS: 'hosted' };

  test('sells by it, and shows no other way', async () => {
    await using shop = await openTestShop({ env });
    const customer = await Customer.withCart(shop);

    const form = await customer.get('/checkout');
    const { status, headers } = await customer.payHosted();

    expect(form.text).not.toContain('/checkout/card');
    expect(status).toBe(302);
    expect(headers['location']).toContain(`${shop.simulator.url}/checkout/`);
  });

  test('takes no card, by no address and no method', async () => {
    await using shop = await openTestShop({ env });
    const customer = await Customer.withCart(shop);

    const answers = [
      await customer.get('/checkout/card'),
      await payByCard(shop, customer, CARDS.paid),
      await customer.post('/checkout/card/access-token', {}),
      await customer.get('/checkout/card/access-token'),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(shop.simulator.control.ledger()).toEqual([]);
  });
});

describe('a shop with cards only', () => {
  const env = { PAYMENT_FLOWS: 'card' };

  test('leads from the cart to its card page, and sells', async () => {
    await using shop = await openTestShop({ env });
    const customer = await Customer.withCart(shop);

    const checkout = await customer.get('/checkout');
    const form = await customer.get('/checkout/card');
    const { headers } = await payByCard(shop, customer, CARDS.paid);
    const order = await customer.get(headers['location'] ?? '');

    expect([checkout.status, checkout.headers['location']]).toEqual([303, '/checkout/card']);
    expect(form.text).not.toContain('href="/checkout"');
    expect(order.text).toContain('data-state="paid"');
  });

  test('leads to no hosted page', async () => {
    await using shop = await openTestShop({ env });
    const customer = await Customer.withCart(shop);

    expect((await customer.payHosted()).status).toBe(404);
  });
});
