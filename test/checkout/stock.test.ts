import { expect, test } from '@jest/globals';
import { numbers, until } from '../support/crowd.js';
import { Customer, contact, valueIn } from '../support/customer.js';
import { allOrders, cartContents } from '../support/inspect.js';
import { CARDS, openPageOf, payAndReturn, payByCard } from '../support/purchase.js';
import { openDoor } from '../support/replica.js';
import { openSharedShop } from '../support/shared-shop.js';
import { passTime } from '../support/steps.js';
import { LIMITED, leftOf, openLimitedPage, setStock, stockOf, takesOf } from '../support/stock.js';
import { attemptStates, MINUTE, orderStates, reconcileAll } from './support.js';

const shop = await openSharedShop();

test('of 12 customers at two replicas who submit at once for the last 5 pieces, 5 get the hosted page and 7 the message that they are sold out', async () => {
  await using door = await openDoor((await shop.openReplica()).web);
  await setStock(shop, 5);
  const customers = await Promise.all(
    numbers(12).map((index) =>
      Customer.withCart(index % 2 === 0 ? shop : door, { product_id: LIMITED, quantity: '1' }),
    ),
  );

  // On a busy machine the other replica may hold the write lock too long.
  const submit = async (customer: Customer) => {
    const answer = await customer.payHosted();
    return answer.status === 503 ? customer.payHosted() : answer;
  };
  const answers = await Promise.all(customers.map(submit));

  const refused = answers.filter(({ status }) => status === 409);
  expect([answers.filter(({ status }) => status === 302).length, refused.length]).toEqual([5, 7]);
  for (const { text } of refused) expect(text).toContain('Se agotó por ahora: Guitarra');
  expect(shop.control.sessions()).toHaveLength(5);
  expect(await allOrders(shop)).toHaveLength(5);
  expect([await leftOf(shop), await stockOf(shop)]).toEqual([0, 5]);

  passTime(shop, 70 * MINUTE);
  await reconcileAll(shop.checkout);
  expect(await leftOf(shop)).toBe(5);
  expect(await orderStates(shop)).toEqual(numbers(5).map(() => 'expired'));
}, 60_000);

test('the customer of the last piece keeps it while the order is repeated and corrected, and others see it as sold out', async () => {
  await setStock(shop, 1);
  const { customer, session } = await openLimitedPage(shop);
  const other = new Customer(shop);

  passTime(shop, 50 * MINUTE);
  const again = await customer.payHosted();
  const corrected = await customer.payHosted({ ...contact, last_name: 'Nava' });
  const refused = await other.post('/cart/items', { product_id: LIMITED, quantity: '1' });
  const [catalog, product] = [await other.get('/'), await other.get('/products/guitarra-de-paracho')];

  for (const answer of [again, corrected]) expect(answer.headers['location']).toContain(session);
  expect([refused.status, refused.text.includes('Este producto está agotado.')]).toEqual([422, true]);
  expect(catalog.text).toContain('Agotado');
  expect(product.text).toContain('Agotado por ahora');
  expect(product.text).not.toContain('add-to-cart');
  // The repeated order did not renew its reservation.
  passTime(shop, 13 * MINUTE);
  expect(await leftOf(shop)).toBe(1);
});

test('a changed cart takes over the reservation, and both payments take one piece', async () => {
  await setStock(shop, 1);
  const first = await openLimitedPage(shop);
  await first.customer.add();
  const second = await openPageOf(shop, first.customer);

  const rows = await shop.queries.selectFrom('reservations').select(['orderId', 'quantity']).execute();
  expect(rows).toEqual([{ orderId: second.orderId, quantity: 1 }]);

  for (const page of [first, second]) await payAndReturn(shop, page);
  await reconcileAll(shop.checkout);
  expect([await stockOf(shop), await takesOf(shop)]).toEqual([0, [1]]);
  expect((await allOrders(shop)).map(({ reviewReason }) => reviewReason)).toEqual([null, 'second_payment']);
});

test('a cart with more pieces than are left is reduced at the checkout, after the customer saw it', async () => {
  await setStock(shop, 5);
  const customer = await Customer.withCart(shop, { product_id: LIMITED, quantity: '5' });
  await setStock(shop, 3);

  const cart = await customer.get('/cart');
  const more = await customer.post(`/cart/items/${LIMITED}`, { quantity: '4' });
  const withoutTotal = { ...contact, shipping_option: 'none' };
  const submitted = await customer.send('/checkout/hosted', withoutTotal);
  const confirmed = await customer.payHosted({ ...withoutTotal, seen: valueIn(submitted.text, 'seen') });

  expect(cart.text).toContain('Solo quedan 3 piezas de Guitarra clásica de Paracho y pediste 5.');
  expect([more.status, more.text.includes('Solo quedan 3 piezas, contando')]).toEqual([422, true]);
  expect(more.text).toContain('value="4"');
  expect([submitted.status, submitted.text.includes('Solo quedan 3 piezas')]).toEqual([409, true]);
  expect(await cartContents(shop)).toEqual({ [LIMITED]: 3 });
  expect(confirmed.status).toBe(302);
  expect(await leftOf(shop)).toBe(0);
});

test('after a decline the pieces stay reserved for 15 more minutes, and a new attempt does not renew them', async () => {
  await setStock(shop, 1);
  const customer = await Customer.withCart(shop, { product_id: LIMITED });
  const left = async (minutes: number) => {
    passTime(shop, minutes * MINUTE);
    return leftOf(shop);
  };

  await payByCard(shop, customer, CARDS.declined);
  expect(await left(14)).toBe(0);
  await payByCard(shop, customer, CARDS.declined);
  expect(await left(2)).toBe(1);
  await payByCard(shop, customer, CARDS.paid);

  expect([await orderStates(shop), await stockOf(shop)]).toEqual([['paid'], 0]);
});

test('a cancelled payment page releases its pieces at once, and the same order can still be paid', async () => {
  await setStock(shop, 1);
  const page = await openLimitedPage(shop);
  shop.control.cancelSession(page.session);
  await page.customer.get(page.orderPath);
  const released = [await orderStates(shop), await leftOf(shop)];

  const retry = await page.customer.payHosted();

  expect(released).toEqual([['cancelled'], 1]);
  expect([retry.status, await leftOf(shop)]).toEqual([302, 1]);
});

test('a customer whose payment page ended gets no new attempt if the stock fell to 0 during its lookup', async () => {
  await setStock(shop, 1);
  const page = await openLimitedPage(shop);
  shop.control.cancelSession(page.session);
  passTime(shop, MINUTE);
  shop.control.fault('read-session', { kind: 'hold' }, 1);

  const submission = page.customer.payHosted();
  await until(() => shop.control.calls('read-session').length > 0);
  await setStock(shop, 0);
  shop.control.release();
  const answer = await submission;

  expect([answer.status, answer.text.includes('Se agotó por ahora: Guitarra')]).toEqual([409, true]);
  expect([await orderStates(shop), await attemptStates(shop)]).toEqual([['cancelled'], ['cancelled']]);
});
