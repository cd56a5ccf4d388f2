import { expect, test } from '@jest/globals';
import { settlePayment } from '../../src/checkout/settle-payment.js';
import { Customer, sessionIdOf } from '../support/customer.js';
import { allFulfillments, allOrders, theOrder } from '../support/inspect.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';
import { MINUTE, orderStates, sessionLookups } from './support.js';

/** Pays the sessions of new orders and settles none. Returns the ids of the orders. */
async function payOrders(shop: TestShop, count: number): Promise<readonly string[]> {
  for (let made = 0; made < count; made += 1) {
    const redirect = await (await Customer.withCart(shop)).payHosted();
    shop.simulator.control.paySession(sessionIdOf(redirect.headers['location']));
  }
  return (await allOrders(shop)).map(({ id }) => id);
}

test('six orders settled four times at once by two processes are each fulfilled once', async () => {
  await using shop = await openTestShop();
  const replica = await shop.openReplica();
  const ids = await payOrders(shop, 6);

  await Promise.all(
    ids.flatMap((id) => [
      settlePayment(shop.context.checkout, id, 'return'),
      settlePayment(replica.checkout, id, 'webhook'),
      settlePayment(shop.context.checkout, id, 'order_page'),
      settlePayment(replica.checkout, id, 'checkout'),
    ]),
  );

  expect(await orderStates(shop)).toEqual(ids.map(() => 'paid'));
  const fulfilled = (await allFulfillments(shop)).map(({ orderId }) => orderId);
  expect(fulfilled).toHaveLength(ids.length);
  expect(new Set(fulfilled)).toEqual(new Set(ids));
});

test('one order settled by a hundred callers at once asks the gateway once and is fulfilled once', async () => {
  await using shop = await openTestShop();
  const [id = ''] = await payOrders(shop, 1);

  const settled = await Promise.all(
    Array.from({ length: 100 }, () => settlePayment(shop.context.checkout, id, 'return')),
  );

  expect(new Set(settled.map(({ order }) => order.state))).toEqual(new Set(['paid']));
  expect(sessionLookups(shop)).toHaveLength(1);
  expect(await allFulfillments(shop)).toHaveLength(1);
});

test('a lookup that reports an expired session after the payment leaves the order paid', async () => {
  await using shop = await openTestShop();
  const [id = ''] = await payOrders(shop, 1);
  await settlePayment(shop.context.checkout, id, 'return');
  shop.simulator.control.fault('read-session', {
    kind: 'rewrite',
    set: { status: 'expired', transaction_status: 'Declined' },
  });
  shop.clock.advance(MINUTE);

  const { order } = await settlePayment(shop.context.checkout, id, 'checkout');

  expect(order).toMatchObject({ state: 'paid', reviewReason: null });
});

test('a settlement whose fulfillment cannot be stored changes nothing, and the next one is complete', async () => {
  await using shop = await openTestShop();
  const [id = ''] = await payOrders(shop, 1);
  const { schema } = shop.context.checkout.db.queries;
  await schema.alterTable('fulfillments').renameTo('fulfillments_elsewhere').execute();

  await expect(settlePayment(shop.context.checkout, id, 'return')).rejects.toThrow();
  const between = await theOrder(shop);
  await schema.alterTable('fulfillments_elsewhere').renameTo('fulfillments').execute();
  shop.clock.advance(5_000);
  await settlePayment(shop.context.checkout, id, 'return');

  expect(between.state).toBe('pending');
  expect((await theOrder(shop)).state).toBe('paid');
  expect(await allFulfillments(shop)).toHaveLength(1);
});
