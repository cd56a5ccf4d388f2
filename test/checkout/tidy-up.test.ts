import { describe, expect, test } from '@jest/globals';
import { applyRetention } from '../../src/checkout/apply-retention.js';
import { insertCart } from '../../src/db/carts.js';
import { findHistory, recordEvent } from '../../src/db/history.js';
import { findOrder, insertOrder } from '../../src/db/orders.js';
import type { OrdersTable, Schema } from '../../src/db/schema.js';
import { putSession } from '../../src/db/sessions.js';
import { Customer } from '../support/customer.js';
import { theOrder } from '../support/inspect.js';
import { CARDS, payByCard } from '../support/purchase.js';
import { LINE, orderRow } from '../support/rows.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const DAY = 24 * 60 * 60 * 1000;

const queriesOf = (shop: TestShop) => shop.context.checkout.db.queries;

async function count(shop: TestShop, table: keyof Schema): Promise<number> {
  return (await queriesOf(shop).selectFrom(table).selectAll().execute()).length;
}

async function putOrder(shop: TestShop, change: Partial<OrdersTable>): Promise<string> {
  const order = orderRow(change);
  await insertOrder(queriesOf(shop), order, [LINE]);
  return order.id;
}

describe('what is over', () => {
  test('goes when its time is up, and not before', async () => {
    await using shop = await openTestShop();
    const { checkout } = shop.context;
    await payByCard(shop, await Customer.withCart(shop), CARDS.paid);
    await checkout.db.queries.updateTable('outbox').set({ doneAt: shop.clock.now() }).execute();
    const sizes = async () => [
      await count(shop, 'carts'),
      await count(shop, 'outbox'),
      await count(shop, 'sessions'),
    ];
    const before = await sizes();

    const seen: (readonly number[])[] = [];
    for (const days of [29, 2, 30, 30]) {
      shop.clock.advance(days * DAY);
      await applyRetention(checkout);
      seen.push(await sizes());
    }

    expect(before).toEqual([1, 2, 2]);
    expect(seen).toEqual([
      [1, 2, 1],
      [1, 2, 0],
      [0, 2, 0],
      [0, 0, 0],
    ]);
    expect((await theOrder(shop)).state).toBe('paid');
  });

  test('is taken out a part at a time, and the rest in the next turns', async () => {
    await using shop = await openTestShop();
    const { queries } = shop.context.checkout.db;
    for (let turn = 0; turn < 250; turn += 1)
      await putSession(queries, { sid: `old-${turn}`, data: '{}', expiresAt: 1 });

    await applyRetention(shop.context.checkout);
    const left = await count(shop, 'sessions');
    await applyRetention(shop.context.checkout);

    expect(left).toBe(50);
    expect(await count(shop, 'sessions')).toBe(0);
  });

  test('is looked for now and then only', async () => {
    await using shop = await openTestShop();
    const { checkout } = shop.context;
    await applyRetention(checkout);
    await insertCart(checkout.db.queries, 'left', 1);

    await applyRetention(checkout);
    const soon = await count(shop, 'carts');
    shop.clock.advance(11 * 60_000);
    await applyRetention(checkout);

    expect([soon, await count(shop, 'carts')]).toEqual([1, 0]);
  });
});

describe('the name and e-mail of an order', () => {
  test('stay unless the merchant wants them gone', async () => {
    await using shop = await openTestShop();
    const id = await putOrder(shop, { state: 'paid', createdAt: 1 });

    await applyRetention(shop.context.checkout);

    expect((await findOrder(queriesOf(shop), id))?.email).toBe('eva@example.com');
  });

  test('go after as many days as are set, and the order stays with what was sold', async () => {
    await using shop = await openTestShop({ env: { PII_RETENTION_DAYS: '30' } });
    const now = shop.clock.now();
    const old = await putOrder(shop, { state: 'paid', createdAt: now - 31 * DAY });
    const young = await putOrder(shop, { state: 'paid', createdAt: now - 29 * DAY });
    await recordEvent(queriesOf(shop), { orderId: old, at: 1, kind: 'placed', detail: { total: 100 } });

    await applyRetention(shop.context.checkout);

    expect(await findOrder(queriesOf(shop), old)).toMatchObject({
      firstName: '',
      lastName: '',
      email: '',
      total: 100,
    });
    expect(await findOrder(queriesOf(shop), young)).toMatchObject({
      firstName: 'Eva',
      email: 'eva@example.com',
    });
    const kinds = (await findHistory(queriesOf(shop), old)).map(({ kind }) => kind);
    expect(kinds).toEqual(['placed', 'personal_data_erased']);
  });

  test.each([
    ['waits for its payment', { state: 'pending' }],
    ['has an outcome that nobody knows', { state: 'outcome_unknown' }],
    ['is under review', { state: 'review', reviewReason: 'other_amount' }],
    ['was paid twice', { state: 'paid', reviewReason: 'second_payment' }],
  ] as const)('stay while the order %s', async (_what, change) => {
    await using shop = await openTestShop({ env: { PII_RETENTION_DAYS: '30' } });
    const id = await putOrder(shop, { ...change, createdAt: 1 });

    await applyRetention(shop.context.checkout);

    expect((await findOrder(queriesOf(shop), id))?.email).toBe('eva@example.com');
  });
});
