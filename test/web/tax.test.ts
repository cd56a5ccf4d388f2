import { expect, test } from '@jest/globals';
import { processOutbox } from '@tianguis/payments/testing';
import { openBackOffice } from '../support/admin.js';
import { SHIPPED } from '../support/catalog.js';
import { Customer, contact, delivery, mugDelivery, mugDeliveryTotal, pesos, sessionIdOf } from '../support/customer.js';
import { orderOfSession } from '../support/inspect.js';
import { receiveMails } from '../support/mailbox.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop();
const { queries } = shop.context.checkout.db;

/** Products without IVA: one at 0 %, one exempt. */
const UNTAXED = ['cafe-chiapas', 'vainilla-papantla'] as const;
await queries.updateTable('products').set({ taxRate: 'exempt' }).where('id', '=', UNTAXED[1]).execute();

/** Returns the amounts of the IVA rows of a page. */
const taxesIn = (html: string) =>
  [...html.matchAll(/data-test="tax"(?! hidden)>.*?<span class="amount">([^<]*)</g)].map(([, tax]) => tax);

async function pay(customer: Customer, fields: object = contact) {
  const session = sessionIdOf((await customer.payHosted(fields)).headers['location']);
  shop.simulator.control.paySession(session);
  const order = await orderOfSession(shop, session);
  await customer.get(`/checkout/return/${order.token}`);
  return order;
}

test('cart, checkout, order page and receipt show the IVA that the total includes', async () => {
  const customer = await Customer.withCart(shop, { product_id: SHIPPED });
  const shippingTax = delivery.price - Math.round((delivery.price * 100) / 116);
  const tax = pesos(39_86 + shippingTax);

  const pages = [(await customer.get('/cart')).text, (await customer.get('/checkout')).text];
  const order = await pay(customer, mugDelivery);
  pages.push((await customer.get(`/orders/${order.token}`)).text);
  // The jobs of other tests come first, in batches.
  while ((await processOutbox(shop.context.checkout)) > 0);
  const receipt = (await receiveMails(shop)).find(({ subject }) => subject.includes(order.number));

  expect(pages.map(taxesIn)).toEqual([['$39.86'], [tax, tax], [tax]]);
  for (const page of pages) expect(page).toContain('IVA incluido');
  expect(receipt?.text).toContain(`Total: ${pesos(mugDeliveryTotal)}\nIVA incluido: ${tax}\n`);
  expect(receipt?.html).toContain(`>${tax}<`);
});

test('a later change of a product leaves the rate of an ordered line, and the gateway gets the price without a rate', async () => {
  const customer = await Customer.withCart(shop, { product_id: 'papel-picado' });
  const order = await pay(customer);
  await queries.updateTable('products').set({ taxRate: '8' }).where('id', '=', 'papel-picado').execute();

  const page = await customer.get(`/orders/${order.token}`);

  expect(taxesIn(page.text)).toEqual(['$17.92']);
  const request = shop.simulator.control.sessions().at(-1)?.request;
  expect(request?.amount_total).toBe(12_990);
  expect(request?.line_items).toEqual([
    { product_id: 'papel-picado', name: 'Papel picado de fiesta', quantity: 1, unit_price: 12_990 },
  ]);
});

test('the page of an order in the back office holds rate and IVA of each line', async () => {
  const customer = await Customer.withCart(shop, { quantity: '3' });
  for (const product_id of UNTAXED) await customer.add({ product_id });
  const order = await pay(customer);
  const merchant = await openBackOffice(shop);

  const { text } = await merchant.get(`/admin/orders/${order.number}`);

  expect(taxesIn(text)).toEqual(['$119.59']);
  for (const part of ['IVA 16 %: $119.59', 'IVA 0 %<', 'Exento de IVA']) expect(text).toContain(part);
});
