import { expect, test } from '@jest/globals';
import { findHistory, recordEvent } from '@tianguis/payments/back-office';
import { isPostgres } from '@tianguis/payments/database';
import {
  attemptRow,
  insertAttempt,
  insertRefund,
  paymentsOf,
  refundRow,
  updateRefund,
} from '@tianguis/payments/testing';
import { DAY, isLockAwaited, MINUTE, reconcileAll } from '../../../../test/checkout/support.js';
import { until } from '../../../../test/support/crowd.js';
import { NO_ADDRESS, readOrderPage } from '../../../../test/support/customer.js';
import { theOrder } from '../../../../test/support/inspect.js';
import { openHostedPage } from '../../../../test/support/purchase.js';
import { LINE, orderRow } from '../../../../test/support/rows.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { findOrder, insertOrder, lockOrder } from '../../../tables/orders.js';
import type { OrdersTable } from '../../../tables/schema.js';
import { applyRetention } from '../apply-retention.js';

const shop = await openSharedShop();
const { checkout, queries } = shop;
const erasing = { ...checkout, config: { ...checkout.config, piiRetentionMs: 30 * DAY } };

async function storeOrder(change: Partial<OrdersTable>): Promise<string> {
  const order = orderRow(change);
  await insertOrder(queries, order, [LINE]);
  return order.id;
}

const OPEN: readonly Partial<OrdersTable>[] = [
  { state: 'pending' },
  { state: 'outcome_unknown' },
  { state: 'review', reviewReason: 'other_amount' },
  { state: 'paid', reviewReason: 'second_payment' },
];

test('personal data of a final order is erased after the retention time, not without that setting, and never of another order', async () => {
  const now = shop.clock.now();
  const home = { street: 'Calle 1', postalCode: '68000', phone: '9515550101', contactHash: 'x' };
  const old = await storeOrder({ ...home, state: 'paid', createdAt: now - 31 * DAY });
  const kept = [await storeOrder({ state: 'paid', createdAt: now - 29 * DAY })];
  for (const change of OPEN) kept.push(await storeOrder({ ...change, createdAt: 1 }));
  await recordEvent(queries, { orderId: old, at: 1, kind: 'placed', detail: { total: 100 } });

  await applyRetention(checkout);
  const without = await findOrder(queries, old);
  await applyRetention(erasing);

  const names = { firstName: '', lastName: '', searchName: '', searchSurname: '' };
  const erased = { ...names, ...NO_ADDRESS, email: '', contactHash: '', total: 100 };
  expect(await findOrder(queries, old)).toMatchObject(erased);
  expect(without?.email).toBe('eva@example.com');
  for (const id of kept) expect(await findOrder(queries, id)).toMatchObject({ firstName: 'Eva' });
  const kinds = (await findHistory(queries, old)).map(({ kind }) => kind);
  expect(kinds).toEqual(['placed', 'personal_data_erased']);
});

test('personal data of an old order is kept while a refund is not resolved, because the mail about it needs the address', async () => {
  const orderId = await storeOrder({ state: 'paid', createdAt: 1 });
  const attempt = attemptRow(orderId, { state: 'paid' });
  await insertAttempt(queries, attempt);
  const refund = await insertRefund(queries, refundRow(orderId, { attemptId: attempt.id, state: 'unknown' }));

  await applyRetention(erasing);
  const kept = await findOrder(queries, orderId);
  await updateRefund(queries, refund.id, { state: 'succeeded' });
  await applyRetention(erasing);

  expect(kept?.email).toBe('eva@example.com');
  expect((await findOrder(queries, orderId))?.email).toBe('');
});

test('personal data of an order whose payment never started is erased after the retention time', async () => {
  const id = await storeOrder({ state: 'created', createdAt: shop.clock.now() - 31 * DAY });

  await applyRetention(erasing);

  expect(await findOrder(queries, id)).toMatchObject({
    state: 'created',
    firstName: '',
    email: '',
    payableUntil: null,
  });
});

test('an erased order has a new version, so that an address form that was opened before is outdated', async () => {
  const address = { ...NO_ADDRESS, street: 'Calle 1', postalCode: '68000' };
  const orderId = await storeOrder({ ...address, state: 'paid', createdAt: 1, version: 4 });

  await applyRetention(erasing);

  expect(await findOrder(queries, orderId)).toMatchObject({ version: 5, street: '' });
});

test('retention locks orders by ascending id, so that it and another transaction cause no deadlock', async () => {
  const second = await storeOrder({ id: 'b', state: 'paid', createdAt: 1 });
  const first = await storeOrder({ id: 'a', state: 'paid', createdAt: 2 });

  await using other = await shop.connect();
  const retention = await other.transaction(async (transaction) => {
    await lockOrder(transaction, first);
    const running = applyRetention(erasing);
    if (isPostgres(transaction)) await until(() => isLockAwaited(shop));
    await lockOrder(transaction, second);
    return { running };
  });
  await retention.running;

  for (const id of [first, second]) expect(await findOrder(queries, id)).toMatchObject({ email: '', version: 2 });
});

test('an attempt of another environment ends with the merchant’s decision, also after retention', async () => {
  const { session, orderPath, customer } = await openHostedPage(shop);
  shop.clock.advance(MINUTE);
  const other = { ...erasing, config: { ...erasing.config, environment: 'https://other.example' } };
  await reconcileAll(other);

  shop.clock.advance(40 * DAY);
  await applyRetention(other);
  const erased = await theOrder(shop);
  const { id: orderId, version } = erased;
  const decided = await paymentsOf(other).decide({ orderId, decision: 'refund', by: 'ana', version, note: '' });
  shop.control.completeSession(session);
  const page = await customer.get(orderPath);

  expect(erased.email).toBe('');
  expect(decided).toBe('done');
  expect(await theOrder(shop)).toMatchObject({ state: 'cancelled', reviewReason: null });
  expect(readOrderPage(page.text).state).toBe('cancelled');
});
