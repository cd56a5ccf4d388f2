import { describe, expect, test } from '@jest/globals';
import { CARDS, payByCard } from '../support/purchase.js';
import { Shopper } from '../support/shopper.js';
import { openTestShop } from '../support/test-shop.js';

describe('a shop with the hosted page only', () => {
  const env = { WAYS_TO_PAY: 'hosted' };

  test('sells by it, and shows no other way', async () => {
    await using shop = await openTestShop({ env });
    const shopper = await Shopper.withCart(shop);

    const form = await shopper.get('/checkout');
    const { status, headers } = await shopper.payHosted();

    expect(form.text).not.toContain('/checkout/card');
    expect(status).toBe(302);
    expect(headers['location']).toContain(`${shop.simulator.url}/checkout/`);
  });

  test('takes no card, by no address and no method', async () => {
    await using shop = await openTestShop({ env });
    const shopper = await Shopper.withCart(shop);

    const answers = [
      await shopper.get('/checkout/card'),
      await payByCard(shop, shopper, CARDS.paid),
      await shopper.post('/checkout/card/access-token', {}),
      await shopper.get('/checkout/card/access-token'),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(shop.simulator.control.ledger()).toEqual([]);
  });
});

describe('a shop with cards only', () => {
  const env = { WAYS_TO_PAY: 'card' };

  test('leads from the cart to its card page, and sells', async () => {
    await using shop = await openTestShop({ env });
    const shopper = await Shopper.withCart(shop);

    const checkout = await shopper.get('/checkout');
    const form = await shopper.get('/checkout/card');
    const { headers } = await payByCard(shop, shopper, CARDS.paid);
    const order = await shopper.get(headers['location'] ?? '');

    expect([checkout.status, checkout.headers['location']]).toEqual([303, '/checkout/card']);
    expect(form.text).not.toContain('href="/checkout"');
    expect(order.text).toContain('data-state="paid"');
  });

  test('leads to no hosted page', async () => {
    await using shop = await openTestShop({ env });
    const shopper = await Shopper.withCart(shop);

    expect((await shopper.payHosted()).status).toBe(404);
  });
});
