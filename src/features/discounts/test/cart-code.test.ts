/** The field of the cart for a discount code, and what the cart, the checkout and the order show of it. */
import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { cartIdOf, DAY } from '../../../../test/checkout/support.js';
import { MUG, SHIPPED } from '../../../../test/support/catalog.js';
import { Customer, delivery, pesos, shownTotal } from '../../../../test/support/customer.js';
import { theOrder } from '../../../../test/support/inspect.js';
import { openPageOf, payAndReturn, payByCard } from '../../../../test/support/purchase.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { priceWithCode } from '../../../shop/price-cart.js';
import { findCart } from '../../../tables/carts.js';
import { addCode, applyCode } from './support.js';

const shop = await openSharedShop();
const UNUSABLE = 'Este código no existe o ya no se puede usar.';

test('a code in lower case, in full width and with spaces takes its percent off, and its button removes it', async () => {
  await addCode(shop);
  const customer = await Customer.withCart(shop, { quantity: '2' });

  await applyCode(customer, ' ｄｉｅｚ ');
  const { text } = await customer.get('/cart');
  const removed = await customer.send('/cart/discount', { code: '' });
  const without = await customer.get('/cart');

  for (const shown of ['Código DIEZ', 'Descuento (DIEZ)', '−$57.80', '$520.20']) expect(text).toContain(shown);
  expect([removed.status, without.text.includes('DIEZ'), without.text.includes('$578.00')]).toEqual([303, false, true]);
});

test('the cart’s form stores quantities and a code together, also with the payment button', async () => {
  await addCode(shop);
  const customer = await Customer.withCart(shop);

  const answer = await customer.send('/cart', { [`quantity[${MUG}][1]`]: '3', code: 'diez', next: 'checkout' });
  const { text } = await customer.get('/checkout');

  expect(answer.headers['location']).toBe('/checkout');
  expect(shownTotal(text)).toBe(780_30);
  expect(text).toContain('−$86.70');
});

test('a refused code stays in its field, and the quantities that were posted with it are stored', async () => {
  const customer = await Customer.withCart(shop);

  const { status, text } = await customer.send('/cart/discount', { [`quantity[${MUG}][1]`]: '2', code: 'NADA' });

  expect([status, text.includes(UNUSABLE), text.includes('value="NADA"')]).toEqual([422, true, true]);
  expect(text).toContain('$578.00');
});

test.each([
  ['unknown', undefined],
  ['ended', { endedAt: 1, endedBy: 'admin' }],
  ['not begun', { startsOn: '2999-01-01' }],
  ['past', { endsOn: '2020-01-01' }],
  ['used up', { maxUses: 0 }],
])('a code that is %s is refused with one answer', async (_why, change) => {
  if (change) await addCode(shop, change);

  const { status, text } = await (await Customer.withCart(shop)).send('/cart/discount', { code: 'DIEZ' });

  expect([status, text.includes(UNUSABLE)]).toEqual([422, true]);
});

test('the payment button goes on without a code that was refused before', async () => {
  const customer = await Customer.withCart(shop);
  const fields = { code: 'NADA', next: 'checkout' };

  const [refused, again] = [await customer.send('/cart', fields), await customer.send('/cart', fields)];

  expect([refused.status, again.status, again.headers['location']]).toEqual([422, 303, '/checkout']);
});

test('a card number as a code is refused, and not shown again', async () => {
  const number = '4111111111111111';
  const { status, text } = await (await Customer.withCart(shop)).send('/cart/discount', { code: number });

  expect([status, text.includes(number), text.includes(UNUSABLE)]).toEqual([422, false, true]);
});

test('a code whose minimum is not reached stays in the cart with the reason, and applies later', async () => {
  await addCode(shop, { minimum: centavos(500_00) });
  const customer = await Customer.withCart(shop);

  await applyCode(customer);
  const below = await customer.get('/cart');
  await customer.add();
  const reached = await customer.get('/cart');

  expect(below.text).toContain('a partir de $500.00');
  expect([below.text.includes('$289.00'), below.text.includes('−$')]).toEqual([true, false]);
  expect(reached.text).toContain('−$57.80');
});

test('an order freezes its code and the share of each line, and pages, receipt and export show both', async () => {
  await addCode(shop, { kind: 'amount', value: 100_00 });
  const customer = await Customer.withCart(shop, { product_id: MUG });
  await customer.add({ product_id: SHIPPED, quantity: '2' });
  await applyCode(customer);

  const opened = await openPageOf(shop, customer);
  await payAndReturn(shop, opened);

  const order = await theOrder(shop);
  const lines = await shop.queries.selectFrom('orderLines').selectAll().orderBy('position').execute();
  expect(lines.map(({ productId, unitPrice, discount }) => [productId, unitPrice, discount])).toEqual([
    [MUG, 28_900, 33_33],
    [SHIPPED, 28_900, 66_67],
    ['shipping', delivery.price, 0],
  ]);
  expect(order).toMatchObject({ state: 'paid', total: 767_00 + delivery.price, discountCode: 'DIEZ' });
  const { text } = await customer.get(opened.orderPath);
  for (const shown of ['Descuento (DIEZ)', '−$100.00', pesos(767_00 + delivery.price)]) expect(text).toContain(shown);
});

test('the gateway gets positive lines that add up to the discounted total', async () => {
  await addCode(shop, { kind: 'amount', value: 50 });
  const customer = await Customer.withCart(shop, { quantity: '99' });
  await applyCode(customer);

  await openPageOf(shop, customer);

  const [session] = shop.control.sessions();
  const lines = session?.request.line_items ?? [];
  expect(lines.map(({ quantity, unit_price }) => [quantity, unit_price])).toEqual([
    [50, 28_899],
    [49, 28_900],
  ]);
  expect(session?.request.amount_total).toBe(99 * 28_900 - 50);
});

test('a card payment charges the discounted total', async () => {
  await addCode(shop);
  const customer = await Customer.withCart(shop);
  await applyCode(customer);

  await payByCard(shop, customer);

  expect(shop.control.payments().map(({ amountMinor }) => amountMinor)).toEqual([260_10]);
  expect(await theOrder(shop)).toMatchObject({ state: 'paid', total: 260_10 });
});

test('a payment removes the code of its order from the cart, and no other code', async () => {
  await addCode(shop);
  await addCode(shop, { code: 'CINCO', value: 5 });
  const customer = await Customer.withCart(shop);
  await applyCode(customer);
  const opened = await openPageOf(shop, customer);
  await customer.add({ product_id: SHIPPED });
  await applyCode(customer, 'CINCO');

  await payAndReturn(shop, opened);

  const { text } = await customer.get('/cart');
  expect([text.includes('CINCO'), text.includes('DIEZ')]).toEqual([true, false]);
  await applyCode(customer, 'DIEZ');
  await payAndReturn(shop, await openPageOf(shop, customer));
  await customer.add();
  expect((await customer.get('/cart')).text).not.toContain('DIEZ');
});

test('a code that ended is named, and the cart shows the field for another one in its place', async () => {
  await addCode(shop);
  const customer = await Customer.withCart(shop);
  await applyCode(customer);
  await shop.queries.updateTable('discountCodes').set({ endedAt: 1, endedBy: 'admin' }).execute();

  const { text } = await customer.get('/cart');

  expect([
    text.includes('se quitó de tu carrito'),
    text.includes('id="remove-code"'),
    text.includes('id="code"'),
  ]).toEqual([true, false, true]);
});

test('in a shop without discount codes, the code of a cart has ended', async () => {
  await addCode(shop);
  await applyCode(await Customer.withCart(shop));
  const at = shop.clock.now();
  const cart = await findCart(shop.queries, await cartIdOf(shop), at);
  if (!cart) throw new Error('no cart');

  const { endedCode, total } = await priceWithCode(shop.queries, {}, cart, { at });

  expect([endedCode, total]).toEqual(['DIEZ', 289_00]);
});

test('the last day of a code is included, in Mexico City', async () => {
  const [today] = new Date(shop.clock.now() - 6 * 3_600_000).toISOString().split('T');
  await addCode(shop, { startsOn: today, endsOn: today });
  const customer = await Customer.withCart(shop);

  await applyCode(customer);
  shop.clock.advance(DAY);

  const { text } = await customer.get('/cart');
  expect([text.includes('El código DIEZ ya no está disponible'), text.includes('$289.00')]).toEqual([true, true]);
});
