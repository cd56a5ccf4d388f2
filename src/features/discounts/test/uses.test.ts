/** The uses of a code: set aside by unpaid orders, counted by payments, and released. */
import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { attemptStates, MINUTE, orderStates, reconcileAll } from '../../../../test/checkout/support.js';
import { customerAt } from '../../../../test/support/addresses.js';
import { MUG } from '../../../../test/support/catalog.js';
import { numbers } from '../../../../test/support/crowd.js';
import { type Customer, contact } from '../../../../test/support/customer.js';
import { hasFeature } from '../../../../test/support/features.js';
import { allOrders, orderOfSession } from '../../../../test/support/inspect.js';
import { CARDS, openPageOf, payAndReturn, payByCard } from '../../../../test/support/purchase.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { passTime } from '../../../../test/support/steps.js';
import { LIMITED, setStock } from '../../../../test/support/stock.js';
import { cancelOrder } from '../../../shop/order-requests.js';
import { discountCodes } from '../code-uses.js';
import { addCode, applyCode, usesOf } from './support.js';

const shop = await openSharedShop({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '1', ORDER_TTL_MINUTES: '30' } });
const ENDED = 'El código DIEZ ya no está disponible';

/** The catalog stays as a test leaves it. */
const setPrice = (price: number) =>
  shop.queries
    .updateTable('products')
    .set({ price: centavos(price) })
    .where('id', '=', MUG)
    .execute();

/** A customer at an address of its own with a mug and the code. */
async function withCode(address = '203.0.113.1'): Promise<Customer> {
  const customer = customerAt(address, shop);
  await customer.add();
  await applyCode(customer);
  return customer;
}

/** The customer cancels the order of an open page. */
async function cancel({ session }: { readonly session: string }) {
  const { id: orderId, version } = await orderOfSession(shop, session);
  return cancelOrder(shop.checkout, { orderId, version, cancellation: { reason: 'not_wanted', text: '' } });
}

const testLink = hasFeature('pay-link') ? test : test.skip;

test('of 20 customers of 20 networks, 5 place an order with a code of 5 uses, and the others see that it has ended', async () => {
  await addCode(shop, { maxUses: 5 });
  const customers = await Promise.all(numbers(20).map((index) => withCode(`203.0.${index}.1`)));

  // On a busy machine the lock may take too long. The next page then shows the full price, if the code was removed.
  const answers = await Promise.all(
    customers.map(async (customer) => {
      const answer = await customer.payHosted();
      return answer.status === 503 ? customer.payHosted() : answer;
    }),
  );

  const refused = answers.filter(({ status }) => status === 409);
  for (const { text } of refused) expect([text.includes(ENDED), text.includes('$289.00')]).toEqual([true, true]);
  const orders = await allOrders(shop);
  expect(orders.filter(({ discountCode }) => discountCode === 'DIEZ')).toHaveLength(5);
  expect(refused.length + orders.length).toBe(20);
  expect(await usesOf(shop)).toEqual({ paid: 0, held: 5 });
});

test('one client sets aside a quarter of the uses, and another client gets one', async () => {
  await addCode(shop, { maxUses: 8 });
  for (const _ of numbers(2)) await (await withCode()).payHosted();

  const third = customerAt('203.0.113.1', shop);
  await third.add();
  const refused = await third.send('/cart/discount', { code: 'DIEZ' });
  const other = await (await withCode('203.0.113.2')).payHosted();

  expect([refused.status, other.status, await usesOf(shop)]).toEqual([422, 302, { paid: 0, held: 3 }]);
});

test.each(['2001:db8:1:100::/56', '2001:db8:1::/48'])(
  'the addresses of the network %s count as one client',
  async (network) => {
    await addCode(shop, { maxUses: 4 });
    const [first, second] = network.endsWith('56')
      ? ['2001:db8:1:101::1', '2001:db8:1:102::1']
      : ['2001:db8:1:100::1', '2001:db8:1:200::1'];
    await (await withCode(first)).payHosted();

    const customer = customerAt(second, shop);
    await customer.add();

    expect((await customer.send('/cart/discount', { code: 'DIEZ' })).status).toBe(422);
  },
);

test('a use is free again 2 min after the offer of its unpaid order', async () => {
  await addCode(shop, { maxUses: 1 });
  await (await withCode()).payHosted();
  const held = await usesOf(shop);
  passTime(shop, 33 * MINUTE);

  const next = await (await withCode('203.0.113.2')).payHosted();

  expect([held.held, next.status, (await usesOf(shop)).held]).toEqual([1, 302, 1]);
});

test('a start after a decline sets the use aside until its own offer ends', async () => {
  await addCode(shop, { maxUses: 1 });
  const customer = await withCode();
  await payByCard(shop, customer, CARDS.declined);
  passTime(shop, 10 * MINUTE);

  const opened = await openPageOf(shop, customer);
  passTime(shop, 29 * MINUTE);
  const held = await usesOf(shop);
  await payAndReturn(shop, opened);

  expect([held, await usesOf(shop)]).toEqual([
    { paid: 0, held: 1 },
    { paid: 1, held: 0 },
  ]);
});

test('the next order of the cart takes the use over, and an order without the code releases it', async () => {
  await addCode(shop, { maxUses: 1 });
  const customer = await withCode();
  await customer.payHosted();
  await customer.add();
  const replaced = await customer.payHosted();
  const taken = await usesOf(shop);

  await customer.send('/cart/discount', { code: '' });
  await customer.payHosted();

  expect([replaced.status, taken, await usesOf(shop)]).toEqual([302, { paid: 0, held: 1 }, { paid: 0, held: 0 }]);
});

test('a declined order releases its use at once when its cart places another order, which may have the code', async () => {
  await addCode(shop, { maxUses: 1 });
  const customer = await withCode();
  await payByCard(shop, customer, CARDS.declined);
  await customer.add();
  await payByCard(shop, customer, CARDS.declined);
  const taken = await usesOf(shop);

  await customer.send('/cart/discount', { code: '' });
  await customer.payHosted();

  expect((await allOrders(shop)).map(({ discountCode }) => discountCode)).toEqual(['DIEZ', 'DIEZ', null]);
  expect([taken, await usesOf(shop)]).toEqual([
    { paid: 0, held: 1 },
    { paid: 0, held: 0 },
  ]);
});

test('a cart keeps the code that its unpaid order has set aside, also when all uses are taken', async () => {
  await addCode(shop, { maxUses: 1 });
  const customer = await withCode();
  const first = await openPageOf(shop, customer);
  await shop.queries.updateTable('discountCodes').set({ maxUses: 0 }).execute();

  const { text } = await customer.get('/cart');
  const again = await openPageOf(shop, customer);

  expect([text.includes('Descuento (DIEZ)'), again.session]).toEqual([true, first.session]);
});

test('the next order of a cart does not take over the use of an order in review', async () => {
  await addCode(shop, { maxUses: 1 });
  const customer = await withCode();
  const { orderId } = await openPageOf(shop, customer);
  const review = { state: 'review', reviewReason: 'unclear_status' } as const;
  await shop.queries.updateTable('orders').set(review).where('id', '=', orderId).execute();

  const { text } = await customer.get('/cart');

  expect([text.includes(ENDED), await usesOf(shop)]).toEqual([true, { paid: 0, held: 1 }]);
});

test('the same order is reused with the same code only', async () => {
  await addCode(shop);
  await addCode(shop, { code: 'OTRO' });
  const customer = await withCode();
  const first = await openPageOf(shop, customer);

  const again = await openPageOf(shop, customer);
  await applyCode(customer, 'OTRO');
  const other = await openPageOf(shop, customer);

  expect([again.session, other.session === first.session]).toEqual([first.session, false]);
  expect((await allOrders(shop)).map(({ discountCode }) => discountCode)).toEqual(['DIEZ', 'OTRO']);
});

test('a tab whose code another tab replaced shows the new total before it pays', async () => {
  await addCode(shop);
  await addCode(shop, { code: 'VEINTE', value: 20 });
  const customer = await withCode();
  const first = { ...contact, ...(await customer.readDelivery()) };
  await applyCode(customer, 'VEINTE');

  const changed = await customer.payHosted(first);
  const confirmed = await customer.payHosted();

  expect([changed.status, changed.text.includes('$231.20'), confirmed.status]).toEqual([409, true, 302]);
  expect((await allOrders(shop)).map(({ total, discountCode }) => [total, discountCode])).toEqual([[231_20, 'VEINTE']]);
});

test('a payment whose code is used up meanwhile is accepted, counts, and needs no review', async () => {
  await addCode(shop, { maxUses: 1 });
  const late = await openPageOf(shop, await withCode());
  shop.control.paySession(late.session);
  passTime(shop, 33 * MINUTE);
  await payByCard(shop, await withCode('203.0.113.2'));

  await late.customer.get(late.returnPath);

  const order = await orderOfSession(shop, late.session);
  expect(order).toMatchObject({ state: 'paid', reviewReason: null, discountCode: 'DIEZ' });
  expect(await usesOf(shop)).toEqual({ paid: 2, held: 0 });
});

test('a late payment counts although its expired use was deleted', async () => {
  await addCode(shop, { maxUses: 1 });
  const late = await openPageOf(shop, await withCode());
  await shop.queries.deleteFrom('discountUses').execute();

  await payAndReturn(shop, late);

  expect(await usesOf(shop)).toEqual({ paid: 1, held: 0 });
});

test('a code that ends between form and payment is a changed cart, and the next try buys without it', async () => {
  await addCode(shop);
  const customer = await withCode();
  const form = await customer.readDelivery();
  await shop.queries.updateTable('discountCodes').set({ endedAt: 1, endedBy: 'admin' }).execute();

  const changed = await customer.payHosted({ ...contact, ...form });
  const next = await customer.payHosted();

  expect([changed.status, changed.text.includes(ENDED), next.status]).toEqual([409, true, 302]);
  expect((await allOrders(shop)).map(({ total, discountCode }) => [total, discountCode])).toEqual([[289_00, null]]);
});

test('a price, a stock and a code that change together are named on one page', async () => {
  await addCode(shop);
  const customer = await withCode();
  await setStock(shop, 2);
  await customer.add({ product_id: LIMITED, quantity: '2' });
  const fields = { ...contact, ...(await customer.readDelivery()) };
  await setStock(shop, 1);
  await setPrice(300_00);
  await shop.queries.updateTable('discountCodes').set({ endedAt: 1, endedBy: 'admin' }).execute();

  const { status, text } = await customer.send('/checkout/hosted', fields);
  await setPrice(289_00);

  expect(status).toBe(409);
  for (const named of [ENDED, 'Guitarra', '$300.00']) expect(text).toContain(named);
});

testLink(
  'an order whose code ended is not paid from its link after its offer, and its cart is offered without the code',
  async () => {
    await addCode(shop, { maxUses: 5 });
    const customer = await withCode();
    const opened = await openPageOf(shop, customer);
    await shop.queries.updateTable('discountCodes').set({ endedAt: 1, endedBy: 'admin' }).execute();
    passTime(shop, 33 * MINUTE);
    shop.control.expireSession(opened.session);
    await reconcileAll(shop.checkout);

    const { status, text } = await customer.send(`${opened.orderPath}/pay/hosted`, {});

    expect([status, text.includes(ENDED), text.includes('data-test="fill-cart"')]).toEqual([409, true, true]);
    expect(await usesOf(shop)).toEqual({ paid: 0, held: 0 });
  },
);

testLink('a start without a free use says that the code has ended, and offers the cart without it', async () => {
  await addCode(shop, { maxUses: 1 });
  const customer = await withCode();
  const opened = await openPageOf(shop, customer);
  passTime(shop, 33 * MINUTE);
  shop.control.expireSession(opened.session);
  await reconcileAll(shop.checkout);
  await payByCard(shop, await withCode('203.0.113.2'));

  const answer = await customer.post(`${opened.orderPath}/pay/hosted`, {});

  expect(answer.text).toContain('El código DIEZ ya no está disponible');
  expect(answer.text).toContain('data-test="fill-cart"');
  expect(await attemptStates(shop)).toEqual(['expired', 'paid']);
  await customer.post(`${opened.orderPath}/pay/cart`, {});
  const cart = await customer.get('/cart');
  expect([cart.text.includes(ENDED), cart.text.includes('$289.00')]).toEqual([true, true]);
});

testLink('a start by a client that has its share of the uses says that the code has ended', async () => {
  await addCode(shop, { maxUses: 5 });
  const customer = await withCode();
  const opened = await openPageOf(shop, customer);
  passTime(shop, 33 * MINUTE);
  shop.control.expireSession(opened.session);
  await reconcileAll(shop.checkout);
  await (await withCode()).payHosted();

  const { status, text } = await customer.send(`${opened.orderPath}/pay/hosted`, {});

  expect([status, text.includes(ENDED), text.includes('data-test="fill-cart"')]).toEqual([409, true, true]);
});

test('a cancelled order releases its use', async () => {
  await addCode(shop, { maxUses: 2 });
  const customer = await withCode();
  const opened = await openPageOf(shop, customer);
  await payByCard(shop, await withCode('203.0.113.2'));

  await cancel(opened);

  expect([await orderStates(shop), await usesOf(shop)]).toEqual([['cancelled', 'paid'], { paid: 1, held: 0 }]);
});

test('a longer offer extends the use of an open order, and not that of a cancelled one', async () => {
  await addCode(shop, { maxUses: 2 });
  const [open, cancelled] = [
    await openPageOf(shop, await withCode()),
    await openPageOf(shop, await withCode('203.0.113.2')),
  ];
  await cancel(cancelled);

  for (const { session } of [open, cancelled]) {
    const order = await orderOfSession(shop, session);
    await discountCodes.extend(shop.queries, order, { at: shop.clock.now(), byMs: 60 * MINUTE });
  }
  passTime(shop, 33 * MINUTE);

  expect(await usesOf(shop)).toEqual({ paid: 0, held: 1 });
});

test('placings, payments and cancellations of one code at once end without a deadlock and within its uses', async () => {
  await addCode(shop, { maxUses: 6 });
  const opened = await Promise.all(
    numbers(6).map(async (index) => openPageOf(shop, await withCode(`203.0.${index}.1`))),
  );
  const waiting = await Promise.all(
    numbers(6).map(async (index) => {
      const customer = customerAt(`203.1.${index}.1`, shop);
      await customer.add();
      await shop.queries.updateTable('carts').set({ discountCode: 'DIEZ' }).execute();
      return customer;
    }),
  );
  for (const { session } of opened.slice(0, 3)) shop.control.paySession(session);

  const [answers, results] = await Promise.all([
    Promise.all([
      ...opened.slice(0, 3).map(({ customer, returnPath }) => customer.get(returnPath)),
      ...waiting.map((customer) => customer.payHosted()),
    ]),
    Promise.all(opened.slice(3).map(cancel)),
  ]);

  const accepted = [302, 303, 409];
  expect(new Set(results)).toEqual(new Set(['cancelled']));
  expect(answers.map(({ status }) => status).filter((status) => !accepted.includes(status))).toEqual([]);
  const { paid, held } = await usesOf(shop);
  expect(paid).toBe(3);
  expect(held).toBeLessThanOrEqual(3);
});

test('wrong codes are limited by session and by address, and right ones are not', async () => {
  await addCode(shop);
  const customer = customerAt('203.0.113.9', shop);
  await customer.add();
  const statuses: number[] = [];
  for (const _ of numbers(5)) statuses.push((await customer.send('/cart/discount', { code: 'DIEZ' })).status);
  for (const index of numbers(11))
    statuses.push((await customer.send('/cart/discount', { code: `MAL-${index}` })).status);

  expect(statuses.slice(0, 5)).toEqual(numbers(5).map(() => 303));
  expect(statuses.slice(5)).toEqual([...numbers(10).map(() => 422), 429]);
  const { text } = await customer.send('/cart/discount', { code: 'DIEZ' });
  expect(text).toContain('Probaste demasiados códigos');
});
