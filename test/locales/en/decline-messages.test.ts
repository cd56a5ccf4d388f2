import { expect, test } from '@jest/globals';
import { Customer } from '../../support/customer.js';
import { CARDS, payByCard } from '../../support/purchase.js';
import { openFileShop } from '../../support/shared-shop.js';

const shop = await openFileShop();

test('a decline is explained in English to an English customer, and to no other holder of the link', async () => {
  const error = { code: 'insufficient_funds', message: 'Declined', type: 'request_error' };
  shop.control.fault('process', { kind: 'status', status: 402, body: { error } }, 1);
  const customer = await Customer.withCart(shop);
  customer.agent.set('Accept-Language', 'en');

  const answer = await payByCard(shop, customer, CARDS.declined);
  const path = answer.headers['location'] ?? '';
  const [own, stranger] = [await customer.get(path), await new Customer(shop).get(path)];

  expect(own.text).toContain('<p>The bank declined this payment.</p>');
  expect(own.text).toContain('The card does not have enough funds.');
  expect(stranger.text).toContain('<p>El banco rechazó este pago.</p>');
  expect(stranger.text).not.toMatch(/fondos|funds/);
});
