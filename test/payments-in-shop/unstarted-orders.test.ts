/** An order that was placed and whose payment did not start: the process stopped between the two. */
import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { startAttempt } from '../../packages/payments/src/start-attempt.js';
import { ownershipMarkOf } from '../../src/shop/order-ownership.js';
import { cancelOrder } from '../../src/shop/order-requests.js';
import type { Transaction } from '../../src/tables/database.js';
import { attemptStates, MINUTE, orderStates, reconcileAll } from '../checkout/support.js';
import { Customer, contact, readOrderPage } from '../support/customer.js';
import { allAttempts, allOrders, theOrder } from '../support/inspect.js';
import { openSharedShop } from '../support/shared-shop.js';
import { passTime } from '../support/steps.js';
import { LIMITED, leftOf, setStock } from '../support/stock.js';

const shop = await openSharedShop();

/** Submits the cart of a customer to a process that stops before the payment starts. Returns the sessions that it stored until then. */
async function placeOnly(customer: Customer): Promise<readonly string[]> {
  const { host } = shop.checkout;
  const { prepareStart } = host;
  const sessions: string[] = [];
  const stop = async (tx: Transaction) => {
    for (const { data } of await tx.selectFrom('sessions').select('data').execute()) sessions.push(data);
    throw new Error('the process stopped');
  };
  Object.assign(host, { prepareStart: stop });
  try {
    await customer.payHosted();
  } finally {
    Object.assign(host, { prepareStart });
  }
  expect(await allAttempts(shop)).toHaveLength(0);
  expect(await orderStates(shop)).toEqual(['created']);
  return sessions;
}

test('case 190: the same form again pays an order that was placed only', async () => {
  const customer = await Customer.withCart(shop);
  await placeOnly(customer);

  const again = await customer.payHosted();

  expect(again.status).toBe(302);
  expect(await orderStates(shop)).toEqual(['pending']);
  expect(await attemptStates(shop)).toEqual(['open']);
});

test('case 190: an order belongs to its customer before its payment starts, also if the start fails', async () => {
  const customer = await Customer.withCart(shop);

  const stored = await placeOnly(customer);
  const order = await theOrder(shop);
  const page = await customer.get(`/orders/${order.token}`);

  expect(stored.filter((data) => data.includes(ownershipMarkOf(order)))).toHaveLength(1);
  expect(readOrderPage(page.text)).toMatchObject({ number: order.number, detail: true });
});

test.each<[string, (customer: Customer) => Promise<unknown>]>([
  ['a changed cart', (customer) => customer.add().then(() => customer.payHosted())],
  ['another e-mail address', (customer) => customer.payHosted({ ...contact, email: 'otra@example.com' })],
])('case 190: %s replaces an order that was placed only', async (_name, submit) => {
  const customer = await Customer.withCart(shop);
  await placeOnly(customer);

  await submit(customer);

  const [first, second] = await allOrders(shop);
  expect(first).toMatchObject({ state: 'cancelled', supersededBy: second?.id, payableUntil: null });
  expect(second).toMatchObject({ state: 'pending' });
});

test('case 190: the merchant cancels an order that was placed only, and the same form places another', async () => {
  const customer = await Customer.withCart(shop);
  await placeOnly(customer);
  const { id: orderId, version } = await theOrder(shop);

  const cancelled = await cancelOrder(shop.checkout, {
    orderId,
    version,
    by: 'ana',
    cancellation: { reason: 'other', text: '' },
  });
  const again = await customer.payHosted();

  expect(cancelled).toBe('cancelled');
  expect(again.status).toBe(302);
  expect(await orderStates(shop)).toEqual(['cancelled', 'pending']);
});

test('case 190: the pieces of an order that was placed only are free 2 min after the offer that it did not get', async () => {
  await setStock(shop, 1);
  const customer = new Customer(shop);
  await customer.add({ product_id: LIMITED });
  await placeOnly(customer);

  expect(await leftOf(shop)).toBe(0);
  passTime(shop, shop.checkout.config.orderTtlMs + 2 * MINUTE);
  await reconcileAll(shop.checkout);

  expect(await leftOf(shop)).toBe(1);
  expect(await orderStates(shop)).toEqual(['created']);
});

test('case 191: a start of an order that another one replaced starts no attempt, and shows the successor', async () => {
  const customer = await Customer.withCart(shop);
  await placeOnly(customer);
  const earlier = await theOrder(shop);
  await customer.add();
  await customer.payHosted();
  const [, successor] = await allOrders(shop);

  const started = await shop.checkout.payments.startHosted(earlier.id, {});
  const fromLink = await shop.checkout.payments.startHosted(earlier.id, { isFromLink: true });

  expect(started).toMatchObject({ kind: 'show_order', order: { id: successor?.id } });
  expect(fromLink).toMatchObject({ kind: 'show_order', order: { id: earlier.id } });
  expect((await allAttempts(shop)).map(({ orderId }) => orderId)).toEqual([successor?.id]);
});

test('an order of $0.00 starts no payment by either flow, and the gateway is not called', async () => {
  const customer = await Customer.withCart(shop);
  await placeOnly(customer);
  const { id } = await theOrder(shop);
  await shop.queries
    .updateTable('orders')
    .set({ total: centavos(0) })
    .execute();
  await shop.queries
    .updateTable('orderLines')
    .set({ discount: centavos(28_900) })
    .execute();

  for (const flow of ['hosted', 'card'] as const)
    await expect(startAttempt(shop.checkout, id, flow, {})).rejects.toThrow(RangeError);

  expect([await allAttempts(shop), shop.control.sessions()]).toEqual([[], []]);
});
