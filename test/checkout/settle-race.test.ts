import { describe, expect, test } from '@jest/globals';
import { settlePayment } from '../../src/checkout/settle-payment.js';
import { Customer, sessionIdOf } from '../support/customer.js';
import { allFulfilments, allOrders } from '../support/inspect.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

/** Orders whose pages have been paid and that nobody here knows about yet. */
async function payOrders(shop: TestShop, count: number): Promise<readonly string[]> {
  for (let made = 0; made < count; made += 1) {
    const customer = await Customer.withCart(shop);
    const redirect = await customer.payHosted();
    shop.simulator.control.paySession(sessionIdOf(redirect.headers['location']));
  }
  return (await allOrders(shop)).map(({ id }) => id);
}

describe('settling', () => {
  test('thirty orders from two processes at the same instant fulfils each exactly once', async () => {
    await using shop = await openTestShop();
    const replica = await shop.openReplica();
    const ids = await payOrders(shop, 30);

    await Promise.all(
      ids.flatMap((id) => [
        settlePayment(shop.context.checkout, id, 'return'),
        settlePayment(replica.checkout, id, 'webhook'),
        settlePayment(shop.context.checkout, id, 'order_page'),
        settlePayment(replica.checkout, id, 'checkout'),
      ]),
    );

    expect((await allOrders(shop)).map(({ state }) => state)).toEqual(ids.map(() => 'paid'));
    const fulfilled = (await allFulfilments(shop)).map(({ orderId }) => orderId);
    expect(fulfilled).toHaveLength(30);
    expect(new Set(fulfilled)).toEqual(new Set(ids));
  });

  test('one order from a hundred callers asks the gateway once and fulfils once', async () => {
    await using shop = await openTestShop();
    const [id = ''] = await payOrders(shop, 1);

    const settled = await Promise.all(
      Array.from({ length: 100 }, () => settlePayment(shop.context.checkout, id, 'return')),
    );

    expect(new Set(settled.map(({ order }) => order.state))).toEqual(new Set(['paid']));
    expect(shop.simulator.control.calls('read-session')).toHaveLength(1);
    expect(await allFulfilments(shop)).toHaveLength(1);
  });

  test('older news after paid changes nothing', async () => {
    await using shop = await openTestShop();
    const [id = ''] = await payOrders(shop, 1);
    await settlePayment(shop.context.checkout, id, 'return');
    shop.simulator.control.fault('read-session', {
      kind: 'rewrite',
      set: { status: 'expired', transaction_status: 'Declined' },
    });
    shop.clock.advance(60_000);

    const { order } = await settlePayment(shop.context.checkout, id, 'checkout');

    expect(order).toMatchObject({ state: 'paid', reviewReason: null });
  });

  test('when fulfilling fails midway nothing of it remains, and the next one does it all', async () => {
    await using shop = await openTestShop();
    const [id = ''] = await payOrders(shop, 1);
    const { schema } = shop.context.checkout.db.queries;
    await schema.alterTable('fulfillments').renameTo('fulfillments_elsewhere').execute();

    await expect(settlePayment(shop.context.checkout, id, 'return')).rejects.toThrow();
    const between = await allOrders(shop);
    await schema.alterTable('fulfillments_elsewhere').renameTo('fulfillments').execute();
    shop.clock.advance(5_000);
    await settlePayment(shop.context.checkout, id, 'return');

    expect(between[0]?.state).toBe('pending');
    expect((await allOrders(shop))[0]?.state).toBe('paid');
    expect(await allFulfilments(shop)).toHaveLength(1);
  });

  test('a clock that was set back does not silence the lookups', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    const session = sessionIdOf((await customer.payHosted()).headers['location']);
    const [order] = await allOrders(shop);
    await settlePayment(shop.context.checkout, order?.id ?? '', 'return');
    shop.simulator.control.paySession(session);

    shop.clock.advance(-60 * 60_000);
    const settled = await settlePayment(shop.context.checkout, order?.id ?? '', 'return');

    expect(settled.order.state).toBe('paid');
  });
});
