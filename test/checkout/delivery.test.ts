import { expect, test } from '@jest/globals';
import { findHistory } from '@tianguis/payments/back-office';
import { esMx } from '../../src/locales/es-mx.js';
import { SHIPPED } from '../support/catalog.js';
import {
  Customer,
  contact,
  mugDelivery as delivery,
  mugPickup,
  delivery as option,
  pesos,
  readOrderPage,
  valueIn,
} from '../support/customer.js';
import { allFulfillments, allOrders, cartContents, theOrder } from '../support/inspect.js';
import { receiveMails } from '../support/mailbox.js';
import { openHostedPage, openPageOf, placePaidOrder } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';
import { orderStates } from './support.js';

const shop = await openSharedShop();

test('an order with delivery has a shipping line, and receipt and order page show the address to its customer only', async () => {
  const { customer, order, orderPath } = await placePaidOrder(shop, delivery);
  const page = await customer.get(orderPath);
  const other = await new Customer(shop).get(orderPath);
  const [receipt] = await receiveMails(shop);

  const total = 28_900 + option.price;
  const label = esMx.shipping[option.id].label;
  const frozen = { state: 'paid', total, shippingOption: option.id, phone: '9515550101' };
  expect(order).toMatchObject(frozen);
  expect(shop.control.calls('create-session')[0]?.body).toMatchObject({
    amount_total: total,
    line_items: [
      { product_id: SHIPPED, quantity: 1, unit_price: 28_900 },
      { product_id: 'shipping', name: label, quantity: 1, unit_price: option.price },
    ],
  });
  const street = 'Calle Macedonio Alcalá 507, Int. 4-B';
  for (const line of [street, '68000 Oaxaca de Juárez, Oaxaca', 'Tel. 951 555 0101']) {
    expect(page.text).toContain(line);
    expect(other.text).not.toContain(line);
    expect(receipt?.text).toContain(line);
  }
  expect(page.text).toContain(pesos(option.price));
  expect(await allFulfillments(shop)).toHaveLength(1);
  expect(await cartContents(shop)).toEqual({});
  expect(shop.logged.join('')).not.toMatch(/Macedonio|951 ?555 ?0101/);
});

test.each([{ last_name: 'Ruiz Peña' }, { street: 'Calle Reforma 1', state: 'CMX', postal_code: '06000' }])(
  'corrected data %j with the same total stays in the same order with its payment page',
  async (change) => {
    const first = await openHostedPage(shop, '1', delivery);
    const { customer, orderPath } = first;

    const again = await openPageOf(shop, customer, { ...delivery, ...change });

    const order = await theOrder(shop);
    const history = await findHistory(shop.queries, order.id);
    const form = await customer.get('/checkout');
    expect(again).toEqual(first);
    expect(Object.values(order)).toEqual(expect.arrayContaining(Object.values(change)));
    expect(history.map(({ kind }) => kind)).toContain('contact_corrected');
    for (const value of Object.values(change))
      expect(history.map(({ detail }) => detail).join(' ')).not.toContain(value);
    expect(form.text).toContain(`value="${Object.values(change)[0]}"`);
    expect(form.text).toMatch(new RegExp(`id="shipping-${option.id}"[^>]* checked`));
    expect(readOrderPage((await customer.get(orderPath)).text).detail).toBe(true);
  },
);

test.each([
  ['shipping option', { ...delivery, ...mugPickup, delivery_notes: '4111 1111 1111 1111', state: 'XXX' }] as const,
  ['e-mail address', { ...delivery, email: 'eva.correct@example.com' }] as const,
])('another %s makes a new order, and a pickup stores no address', async (_what, change) => {
  const first = await openHostedPage(shop, '1', delivery);

  const second = await openPageOf(shop, first.customer, change);
  const again = await openPageOf(shop, first.customer, change);

  expect(second.session).not.toBe(first.session);
  expect(again).toEqual(second);
  expect(await orderStates(shop)).toEqual(['cancelled', 'pending']);
  const orders = await allOrders(shop);
  expect(orders[0]?.supersededBy).toBe(orders[1]?.id);
  expect([orders[1]?.street, orders[1]?.deliveryState, orders[1]?.deliveryNotes]).toEqual(
    change.shipping_option === 'pickup' ? ['', '', ''] : [delivery.street, delivery.state, delivery.delivery_notes],
  );
});

test('the answer to an outdated total, loaded again after another change of the cart, names the total of then', async () => {
  const customer = await Customer.withCart(shop);
  await customer.payHosted(delivery);
  await customer.add();

  const again = await customer.get('/checkout?answer=1');

  expect(again.text).toContain('Ahora el total es $578.00');
});

test('a cart without shipped products needs no shipping option and no address', async () => {
  const customer = await Customer.withCart(shop);

  const form = await customer.get('/checkout');
  const stale = await customer.payHosted(delivery);
  const paying = await customer.send('/checkout/hosted', { ...contact, seen: valueIn(form.text, 'seen') });

  expect([stale.status, stale.text.includes('shipping_option-error')]).toEqual([409, false]);
  expect(stale.text).toContain('Ahora el total es $289.00');
  expect(form.text).not.toMatch(/id="street"|id="shipping-/);
  expect(paying.status).toBe(302);
  expect(await theOrder(shop)).toMatchObject({ total: 28_900, shippingOption: 'none', street: '' });
});
