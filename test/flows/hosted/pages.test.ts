import { expect, test } from '@jest/globals';
import { Customer } from '../../support/customer.js';
import { CARDS, payByCard } from '../../support/purchase.js';
import { openFileShop } from '../../support/shared-shop.js';

const shop = await openFileShop({ env: { PAYMENT_FLOWS: 'hosted' } });

test('a shop with only the hosted flow sells through it, shows no card page and takes no card', async () => {
  const customer = await Customer.withCart(shop);

  const form = await customer.get('/checkout');
  const answers = [
    await customer.get('/checkout/card'),
    await payByCard(shop, customer, CARDS.paid),
    await customer.post('/checkout/card/access-token', {}),
  ];
  const hosted = await customer.payHosted();

  expect(form.text).not.toContain('/checkout/card');
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(shop.simulator.control.ledger()).toEqual([]);
  expect(hosted.status).toBe(302);
});

test('the sentence before the pay button links to terms and privacy notice', async () => {
  const { text } = await (await Customer.withCart(shop)).get('/checkout');

  const [sentence = ''] = text.split('data-test="pay-hosted"')[0]?.match(/<p[^>]*data-test="terms"[\s\S]*$/) ?? [];
  expect(sentence).toContain('href="/pages/terms"');
  expect(sentence).toContain('href="/pages/privacy"');
});
