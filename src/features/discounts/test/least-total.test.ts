/** A code that is worth at least the products: they are free beside a paid delivery, and else the order costs $1.00. */
import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { openBackOffice } from '../../../../test/support/admin.js';
import { MUG, SHIPPED } from '../../../../test/support/catalog.js';
import { address, Customer, contact, valueIn } from '../../../../test/support/customer.js';
import { theOrder } from '../../../../test/support/inspect.js';
import { receiveMails } from '../../../../test/support/mailbox.js';
import { openPageOf, payAndReturn, payByCard } from '../../../../test/support/purchase.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { addCode, applyCode, deliverFor } from './support.js';

const shop = await openSharedShop();
const WITH_DELIVERY = 'Con envío este código descuenta $289.00.';
const LOWERED = 'El pedido cuesta al menos $1.00, así que el código TODO descuenta $288.00.';

/** A customer with one product of $289.00 and a code of $300.00. */
async function withCode(product_id = SHIPPED): Promise<Customer> {
  await addCode(shop, { code: 'TODO', kind: 'amount', value: 300_00 });
  const customer = await Customer.withCart(shop, { product_id });
  await applyCode(customer, 'TODO');
  return customer;
}

const hosted = (customer: Customer, fields: object) => openPageOf(shop, customer, { ...contact, ...fields });
const delivered = { ...address, shipping_option: 'standard' };
const pickedUp = { shipping_option: 'pickup' };

test('with a paid delivery the products are free, and cart, checkout, gateway, order, mail and back office agree', async () => {
  await deliverFor(shop, 99);
  const customer = await withCode();
  const [cart, checkout] = [await customer.get('/cart'), await customer.get('/checkout')];
  const seen = valueIn(checkout.text, 'seen');
  const quotes = await customer.get(`/checkout/quotes?state=OAX&postal_code=68000&seen=${seen}`);

  const opened = await hosted(customer, delivered);
  await payAndReturn(shop, opened);

  for (const shown of ['−$289.00', '$0.00', 'desde $99.00', WITH_DELIVERY]) expect(cart.text).toContain(shown);
  expect(checkout.text).toMatch(/value="standard"[^>]*data-total="\$99\.00"[^>]*data-discount="−\$289\.00"/);
  expect(checkout.text).toMatch(/value="pickup"[^>]*data-total="\$1\.00"[^>]*data-discount="−\$288\.00"/);
  expect(checkout.text).toContain(LOWERED);
  expect(quotes.body.options).toMatchObject([
    { id: 'standard', totalText: '$99.00', discount: { amount: '−$289.00' } },
    { id: 'pickup', totalText: '$1.00', discount: { amount: '−$288.00' } },
  ]);
  const [session] = shop.control.sessions();
  expect(session?.request).toMatchObject({ amount_total: 99_00, line_items: [{ quantity: 1, unit_price: 99_00 }] });
  const order = await theOrder(shop);
  expect(order).toMatchObject({ state: 'paid', total: 99_00, discountCode: 'TODO' });
  const [mail] = await receiveMails(shop);
  const page = await customer.get(opened.orderPath);
  const record = await (await openBackOffice(shop)).get(`/admin/orders/${order.number}`);
  for (const text of [page.text, record.text, mail?.html])
    for (const shown of ['Descuento (TODO)', '−$289.00', '$99.00']) expect(text).toContain(shown);
});

test('picked up, the order costs $1.00, and the checkout of the chosen option says so', async () => {
  await deliverFor(shop, 99);
  const customer = await withCode();
  await customer.send('/checkout/hosted', { ...contact, shipping_option: 'pickup', update_total: '1' });
  const { text } = await customer.get('/checkout?answer=1');

  const opened = await hosted(customer, pickedUp);
  await payAndReturn(shop, opened);

  for (const shown of ['data-shown-total>$1.00<', '−$288.00', LOWERED]) expect(text).toContain(shown);
  expect(await theOrder(shop)).toMatchObject({ state: 'paid', total: 1_00, discountCode: 'TODO' });
  const [session] = shop.control.sessions();
  expect(session?.request).toMatchObject({ amount_total: 1_00, line_items: [{ quantity: 1, unit_price: 1_00 }] });
});

test.each([
  ['whose delivery is free', SHIPPED, { ...address, shipping_option: 'standard' }],
  ['that is not shipped', MUG, {}],
])('a product %s costs $1.00 by card, which the cart and the checkout say', async (_name, product, fields) => {
  await deliverFor(shop, 0);
  const customer = await withCode(product);
  const pages = [await customer.get('/cart'), await customer.get('/checkout')];

  await payByCard(shop, customer, undefined, { ...contact, ...fields });

  for (const { text } of pages) expect(text).toContain('El pedido cuesta al menos $1.00');
  for (const { text } of pages) expect(text).toContain('−$288.00');
  expect(shop.control.payments().map(({ amountMinor }) => amountMinor)).toEqual([1_00]);
  expect(await theOrder(shop)).toMatchObject({ state: 'paid', total: 1_00 });
});

test('an option chosen after another one has its own discount in a new order', async () => {
  await deliverFor(shop, 99);
  const customer = await withCode();
  await hosted(customer, delivered);
  await hosted(customer, pickedUp);

  const orders = await shop.queries.selectFrom('orders').select(['total', 'discountCode']).orderBy('id').execute();

  expect(orders).toEqual([
    { total: 99_00, discountCode: 'TODO' },
    { total: 1_00, discountCode: 'TODO' },
  ]);
});

test('the products after the code count for a delivery that is free from an amount', async () => {
  await deliverFor(shop, 99);
  await addCode(shop, { kind: 'amount', value: 80_00 });
  const customer = await Customer.withCart(shop, { product_id: SHIPPED });
  const total = async () => (await customer.readCheckout()).total;

  await applyCode(customer);
  const reached = await total();
  await addCode(shop, { code: 'MAS', kind: 'amount', value: 90_00 });
  await applyCode(customer, 'MAS');

  expect([reached, await total()]).toEqual([209_00, 199_00 + 99_00]);
});

test('the checkout names a code whose minimum is not reached', async () => {
  await addCode(shop, { minimum: centavos(500_00) });
  const customer = await Customer.withCart(shop);
  await applyCode(customer);

  const { text } = await customer.get('/checkout');

  expect(text).toContain('El código DIEZ no descuenta nada: se aplica a partir de $500.00 en productos.');
});
