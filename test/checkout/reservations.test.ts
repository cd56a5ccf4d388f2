/** What one client can set aside without paying. */
import { expect, test } from '@jest/globals';
import { numbers } from '../support/crowd.js';
import { Customer } from '../support/customer.js';
import { allOrders } from '../support/inspect.js';
import { openPageOf, payAndReturn } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';
import { passTime } from '../support/steps.js';
import { LIMITED, leftOf, setStock, stockOf } from '../support/stock.js';
import { MINUTE, reconcileAll } from './support.js';

const LIMITS = { RATE_LIMIT: 'on', TRUST_PROXY: '1', ORDER_TTL_MINUTES: '30' };
const NOT_SET_ASIDE = 'Mientras pagas no apartamos Guitarra';
const shop = await openSharedShop({ env: LIMITS });

async function customerAt(address: string, quantity = 1): Promise<Customer> {
  const customer = new Customer(shop);
  customer.agent.set('X-Forwarded-For', address);
  await customer.add({ product_id: LIMITED, quantity: String(quantity) });
  return customer;
}

/** Returns the status of the answer. */
async function submitAt(address: string, quantity?: number): Promise<number> {
  return (await (await customerAt(address, quantity)).payHosted()).status;
}

test('an address that reserves all pieces and never pays blocks them for 33 of 133 minutes', async () => {
  await setStock(shop, 99);
  const left: (number | null)[] = [];
  const first = await customerAt('203.0.113.1', 99);
  for (const minute of numbers(133)) {
    if (minute % 10 === 0 && minute < 33) await first.payHosted();
    if (minute % 10 === 0 && minute > 33) await submitAt('203.0.113.1', 99);
    left.push(await leftOf(shop));
    passTime(shop, MINUTE);
  }

  expect(left.filter((pieces) => pieces === 0)).toHaveLength(33);
  expect(left.slice(33)).toEqual(numbers(100).map(() => 99));
  await submitAt('203.0.113.1', 99);
  expect(await leftOf(shop)).toBe(0);
});

test('thirty customers behind one address each buy one piece of 500, and none is refused', async () => {
  await setStock(shop, 500);

  const answers = [];
  for (const _ of numbers(30)) answers.push(await submitAt('203.0.113.1'));

  expect(new Set(answers)).toEqual(new Set([302]));
  expect(await leftOf(shop)).toBe(470);
});

test('beside its first order an address sets aside a quarter of the stock, and the page says so before the payment', async () => {
  await setStock(shop, 100);
  const answers = [await submitAt('203.0.113.1', 20), await submitAt('203.0.113.1', 5)];
  const customer = await customerAt('203.0.113.1');

  const form = await customer.get('/checkout');
  const page = await openPageOf(shop, customer);
  const other = await (await customerAt('203.0.113.2')).get('/checkout');

  expect([...answers, await leftOf(shop)]).toEqual([302, 302, 75]);
  expect([form.text.includes(NOT_SET_ASIDE), other.text.includes(NOT_SET_ASIDE)]).toEqual([true, false]);
  await payAndReturn(shop, page);
  expect([(await allOrders(shop)).map(({ state }) => state), await stockOf(shop)]).toEqual([
    ['pending', 'pending', 'paid'],
    99,
  ]);
});

test('one customer may buy the last pieces', async () => {
  await setStock(shop, 3);

  expect([await submitAt('203.0.113.1', 3), await leftOf(shop)]).toEqual([302, 0]);
});

test('four orders that an IPv6 /48 network abandoned keep its other addresses from setting pieces aside', async () => {
  await setStock(shop, 50);
  for (const subnet of [1, 2, 3, 4]) await submitAt(`2001:db8:1:${subnet}::1`, 12);
  const held = await leftOf(shop);
  passTime(shop, 34 * MINUTE);

  await submitAt('2001:db8:1:5::1', 12);
  const sameNetwork = await leftOf(shop);
  await submitAt('2001:db8:2:1::1', 12);

  expect([held, sameNetwork, await leftOf(shop)]).toEqual([2, 50, 38]);
});

test('a changed cart holds its pieces no longer than the first order of the cart', async () => {
  await setStock(shop, 10);
  const customer = await customerAt('203.0.113.1', 10);
  await customer.payHosted();
  passTime(shop, 20 * MINUTE);
  await customer.add({ product_id: 'taza-talavera' });
  await openPageOf(shop, customer);
  const taken = await leftOf(shop);

  passTime(shop, 13 * MINUTE);

  expect([taken, await leftOf(shop)]).toEqual([0, 10]);
});

test('an order that is paid again after the cooldown sets its pieces aside again', async () => {
  await setStock(shop, 10);
  const customer = await customerAt('203.0.113.1', 10);
  const { session } = await openPageOf(shop, customer);
  passTime(shop, 33 * MINUTE);
  shop.control.expireSession(session);
  await reconcileAll(shop.checkout);
  const free = await leftOf(shop);
  passTime(shop, 100 * MINUTE);

  const again = await customer.payHosted();

  expect([free, again.status, await leftOf(shop), (await allOrders(shop)).length]).toEqual([10, 302, 0, 1]);
});
