import { afterAll, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { processOutbox } from '../../src/checkout/process-outbox.js';
import type { TaxRate } from '../../src/domain/product.js';
import { openBackOffice } from '../support/admin.js';
import { Customer, contact, mugDelivery, sessionIdOf } from '../support/customer.js';
import { orderOfSession } from '../support/inspect.js';
import { receiveMails } from '../support/mailbox.js';
import { openTestShop } from '../support/test-shop.js';

const shop = await openTestShop();
const { queries } = shop.context.checkout.db;
afterAll(async () => shop[Symbol.asyncDispose]());

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
  const customer = await Customer.withCart(shop);

  const pages = [(await customer.get('/cart')).text, (await customer.get('/checkout')).text];
  const order = await pay(customer, mugDelivery);
  pages.push((await customer.get(`/orders/${order.token}`)).text);
  // The jobs of other tests come first, in batches.
  while ((await processOutbox(shop.context.checkout)) > 0);
  const receipt = (await receiveMails(shop)).find(({ subject }) => subject.includes(order.number));

  expect(pages.map(taxesIn)).toEqual([['$39.86'], ['$53.52'], ['$53.52']]);
  for (const page of pages) expect(page).toContain('IVA incluido');
  expect(receipt?.text).toContain('Total: $388.00\nIVA incluido: $53.52\n');
  expect(receipt?.html).toContain('>$53.52<');
});

test('a cart without IVA shows none, and its delivery adds the IVA of the shipping price', async () => {
  const customer = await Customer.withCart(shop, { product_id: UNTAXED[0] });
  await customer.add({ product_id: UNTAXED[1] });

  const cart = (await customer.get('/cart')).text;
  const delivered = (await customer.get('/checkout')).text;
  const order = await pay(customer);
  const paid = (await customer.get(`/orders/${order.token}`)).text;

  expect([cart, delivered, paid].map(taxesIn)).toEqual([[], ['$13.66'], []]);
  expect(cart + paid).not.toContain('IVA');
  expect(delivered).toMatch(/value="pickup"[^>]* data-tax=""/);
});

test('a later change of a product leaves the rate of an ordered line, and the request to the gateway has no rate', async () => {
  const customer = await Customer.withCart(shop, { product_id: 'papel-picado' });
  const order = await pay(customer);
  await queries.updateTable('products').set({ taxRate: '8' }).where('id', '=', 'papel-picado').execute();

  const page = await customer.get(`/orders/${order.token}`);

  const request = shop.simulator.control.sessions().at(-1)?.request;
  expect(taxesIn(page.text)).toEqual(['$17.92']);
  expect(request?.line_items).toEqual([
    { product_id: 'papel-picado', name: 'Papel picado de fiesta', quantity: 1, unit_price: 12_990 },
  ]);
});

test('the CSV export and the page of an order in the back office hold rate, base and IVA of each line', async () => {
  const customer = await Customer.withCart(shop, { quantity: '3' });
  for (const product_id of UNTAXED) await customer.add({ product_id });
  const order = await pay(customer);
  const merchant = await openBackOffice(shop);

  const page = (await merchant.get(`/admin/orders/${order.number}`)).text;
  const file = await merchant.get('/admin/orders.csv');

  const rows = parse(file.text, { bom: true, columns: true }) as Record<string, string>[];
  const lines = rows.filter((row) => row['Pedido'] === order.number);
  expect(lines.map((row) => [row['Tasa de IVA (%)'], row['Base'], row['IVA'], row['Importe']])).toEqual([
    ['16', '747.41', '119.59', '867.00'],
    ['0', '218.50', '0.00', '218.50'],
    ['Exento', '189.00', '', '189.00'],
  ]);
  expect(taxesIn(page)).toEqual(['$119.59']);
  for (const text of ['IVA 16 %: $119.59', 'IVA 0 %<', 'Exento de IVA']) expect(page).toContain(text);
});

test.each<TaxRate>(['16', '8', '0', 'exempt'])(
  'the total that the gateway gets does not depend on the rate %s',
  async (taxRate) => {
    await queries.updateTable('products').set({ taxRate }).where('id', '=', 'canasta-palma').execute();
    const customer = await Customer.withCart(shop, { product_id: 'canasta-palma', quantity: '7' });

    const { total } = await pay(customer);

    expect(total).toBe(244_300);
    expect(shop.simulator.control.sessions().at(-1)?.request.amount_total).toBe(244_300);
  },
);
