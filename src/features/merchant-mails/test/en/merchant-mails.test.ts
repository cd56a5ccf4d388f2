import { expect, test } from '@jest/globals';
import { SHIPPED } from '../../../../../test/support/catalog.js';
import { Customer, mugDelivery } from '../../../../../test/support/customer.js';
import { theOrder } from '../../../../../test/support/inspect.js';
import { receiveMails } from '../../../../../test/support/mailbox.js';
import { openPageOf, payAndReturn } from '../../../../../test/support/purchase.js';
import { openFileShop } from '../../../../../test/support/shared-shop.js';

const MERCHANT = 'avisos@tienda.example';
const shop = await openFileShop({ env: { MERCHANT_EMAIL: MERCHANT } });

test('the mail about a sale to a customer who reads English is in Spanish, with the label of the delivery that the customer chose', async () => {
  const customer = await Customer.withCart(shop, { product_id: SHIPPED });
  await customer.post('/language', { lang: 'en', back: '/' });
  await payAndReturn(shop, await openPageOf(shop, customer, mugDelivery));

  const mails = await receiveMails(shop);

  const { email } = await theOrder(shop);
  const [notification, receipt] = [MERCHANT, email].map((address) => mails.find(({ to }) => to === address)?.text);
  expect(receipt).toContain('1 × Mug sent home');
  expect(notification).toContain('1 × Taza enviada a casa');
  expect(notification).not.toContain('× Mug');
  expect(notification).toContain('Home delivery');
});
