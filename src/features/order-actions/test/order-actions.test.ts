/** The actions on an order in the back office: send the receipt again, cancel, erase the data of the customer. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { AttemptState } from '@tianguis/payments/rules';
import { attemptRow, insertAttempt } from '@tianguis/payments/testing';
import { openBackOffice, resultOf } from '../../../../test/support/admin.js';
import { numbers } from '../../../../test/support/crowd.js';
import { readOrderPage } from '../../../../test/support/customer.js';
import { orderOfSession } from '../../../../test/support/inspect.js';
import { receiveMails } from '../../../../test/support/mailbox.js';
import { openHostedPage, payAndReturn } from '../../../../test/support/purchase.js';
import { LINE, orderRow } from '../../../../test/support/rows.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { leftOf, openLimitedPage, setStock } from '../../../../test/support/stock.js';
import { expectUnchanged } from '../../../../test/support/unchanged.js';
import { insertFulfillment } from '../../../tables/fulfillments.js';
import { findOrder, insertOrder } from '../../../tables/orders.js';
import type { OrdersTable } from '../../../tables/schema.js';

const shop = await openFileShop();
const { queries } = shop.context.checkout.db;
const merchant = await openBackOffice(shop);
const manager = 'Usuario: admin.';

test('the receipt of a paid order is sent again at most five times a day', async () => {
  const opened = await openHostedPage(shop);
  await payAndReturn(shop, opened);

  const results: unknown[] = [];
  for (const _time of numbers(6)) {
    await receiveMails(shop);
    const { number, version } = await orderOfSession(shop, opened.session);
    results.push(resultOf(await merchant.post(`/admin/orders/${number}/receipt`, { version: String(version) })));
  }

  expect(results).toEqual([...Array(5).fill('receipt_queued'), 'receipt_waiting']);
});

test('the receipt of a paid order is sent again once per request, with its own Message-ID, and the history names the user', async () => {
  const { session, returnPath, customer } = await openHostedPage(shop);
  const unpaid = await orderOfSession(shop, session);
  const path = `/admin/orders/${unpaid.number}`;
  const resend = async () => {
    const version = String((await orderOfSession(shop, session)).version);
    return () => merchant.post(`${path}/receipt`, { version });
  };
  const early = resultOf(await (await resend())());
  shop.simulator.control.paySession(session);
  await customer.get(returnPath);
  const waiting = resultOf(await (await resend())());
  await receiveMails(shop);
  const receipts = async () =>
    (await readdir(join(shop.directory, 'mail'))).filter((name) => name.startsWith(`receipt.${unpaid.id}.`));
  const sent = await receipts();
  const post = await resend();

  const answers = await Promise.all([post(), post()]);
  const jobs = queries.selectFrom('outbox').selectAll().where('orderId', '=', unpaid.id);
  const queued = await jobs.where('doneAt', 'is', null).execute();
  await receiveMails(shop);
  const again = await post();
  await receiveMails(shop);
  const page = await merchant.get(path);

  expect([early, waiting, resultOf(again)]).toEqual(['no_receipt', 'receipt_waiting', 'changed']);
  expect(answers.map(resultOf).sort()).toEqual(['changed', 'receipt_queued']);
  expect(queued.map(({ job }) => job)).toEqual(['receipt']);
  // The first Message-ID has the key of the job alone.
  expect(sent.map((name) => name.split('.').length)).toEqual([3]);
  expect(await receipts()).toHaveLength(2);
  expect(page.text).toContain('admin-resend');
  expect(page.text).not.toContain('admin-cancel');
  expect(page.text).toContain(`reenvió el recibo.</strong> ${manager}`);
});

test('a pending order that is cancelled releases its stock, has a page that shows it, and is paid by a late payment', async () => {
  await setStock(shop, 1);
  const opened = await openLimitedPage(shop);
  const { number, version, id } = await orderOfSession(shop, opened.session);
  const reason = { cancel_reason: 'other', cancel_text: 'Llamó por teléfono' };
  const post = () => merchant.post(`/admin/orders/${number}/cancel`, { version: String(version), ...reason });
  const reserved = await leftOf(shop);
  const open = await merchant.get(`/admin/orders/${number}`);

  const stale = await merchant.post(`/admin/orders/${number}/cancel`, { ...reason, version: '0' });
  const answers = await Promise.all([post(), post()]);
  const left = await leftOf(shop);
  const shown = await opened.customer.get(opened.orderPath);
  const page = await merchant.get(`/admin/orders/${number}`);
  await payAndReturn(shop, opened);

  expect(answers.map(({ status, ...answer }) => resultOf(answer) ?? status)).toEqual(
    expect.arrayContaining(['cancelled', 409]),
  );
  expect([stale.status, stale.text.includes('Llamó por teléfono')]).toEqual([409, true]);
  expect([reserved, left]).toEqual([0, 1]);
  expect(open.text).toContain('admin-cancel');
  expect(open.text).not.toContain('admin-resend');
  expect(readOrderPage(shown.text).state).toBe('cancelled');
  expect(shown.text).toContain('Este pedido se cerró');
  expect(page.text).toContain('Un usuario del panel lo cerró');
  expect(page.text).toContain(
    `El pedido se canceló.</strong> ${manager} Motivo: Otro motivo. Nota: Llamó por teléfono`,
  );
  expect(await findOrder(queries, id)).toMatchObject({ state: 'paid', reviewReason: null });
});

/** Stores an order with one attempt. */
async function storeOrder(order: Partial<OrdersTable>, state: AttemptState, fulfilled?: 'preparing' | 'delivered') {
  const row = orderRow({ number: orderNumber(), ...order });
  await insertOrder(queries, row, [LINE]);
  const gatewayId = `pay-${row.id}`;
  const attempt = attemptRow(row.id, { state, gatewayId, environment: 'other' });
  await insertAttempt(queries, attempt);
  if (!fulfilled) return row;
  await insertFulfillment(queries, { orderId: row.id, attemptId: attempt.id, at: 1, stockTaken: 1 });
  await queries.updateTable('fulfillments').set({ state: fulfilled }).where('orderId', '=', row.id).execute();
  const paid = { paidAttemptId: attempt.id, paidAt: 1 };
  await queries.updateTable('orders').set(paid).where('id', '=', row.id).execute();
  return row;
}

let stored = 0;
function orderNumber(): string {
  stored += 1;
  return `TG-AAAA-${String(stored + 2000)}`;
}

test.each<[Partial<OrdersTable>, AttemptState, string]>([
  [{ state: 'created' }, 'failed', 'cancelled'],
  [{ state: 'declined' }, 'declined', 'cancelled'],
  [{ state: 'created' }, 'creating', 'answer_awaited'],
  [{ state: 'pending' }, 'unknown', 'answer_awaited'],
  [{ state: 'outcome_unknown' }, 'unknown', 'not_cancellable'],
  [{ state: 'expired', reviewReason: 'other_environment' }, 'expired', 'not_cancellable'],
  [{ state: 'review', reviewReason: 'other_amount' }, 'review', 'not_cancellable'],
  [{ state: 'cancelled' }, 'cancelled', 'not_cancellable'],
  [{ state: 'paid' }, 'paid', 'not_cancellable'],
])('a cancellation with %j and an attempt in %s is answered with %s', async (order, attempt, result) => {
  const { id, number, version } = await storeOrder(order, attempt);

  const cancellation = { version: String(version), cancel_reason: 'paid_outside' };
  const answer = await merchant.post(`/admin/orders/${number}/cancel`, cancellation);

  expect(resultOf(answer)).toBe(result);
  const after = await findOrder(queries, id);
  expect(after?.state).toBe(result === 'cancelled' ? 'cancelled' : order.state);
  const [found] = await queries.selectFrom('attempts').select('state').where('orderId', '=', id).execute();
  expect(found?.state).toBe(attempt);
});

test.each([
  [{}, 'cancel_reason'],
  [{ cancel_reason: 'free' }, 'cancel_reason'],
  [{ cancel_reason: 'other' }, 'cancel_text'],
  [{ cancel_reason: 'other', cancel_text: 'a'.repeat(201) }, 'cancel_text'],
  [{ cancel_reason: 'not_wanted', cancel_text: 'Pagó con 4456 5300 0000 1005' }, 'cancel_text'],
])('a cancellation with the reason %j changes nothing, and its form shows the error', async (reason, field) => {
  const { number, version } = await storeOrder({ state: 'declined' }, 'declined');

  await expectUnchanged(shop, async () => {
    const answer = await merchant.post(`/admin/orders/${number}/cancel`, { version: String(version), ...reason });
    expect([answer.status, answer.text.includes(`id="${field}-error"`)]).toEqual([422, true]);
    expect(answer.text).not.toContain('4456 5300');
  });
});

test('an order that the gateway cancelled, and one without an attempt, lose their payment link', async () => {
  const open = { payableUntil: Date.now() + 60_000 };
  const unstarted = orderRow({ ...open, number: orderNumber() });
  await insertOrder(queries, unstarted, [LINE]);

  for (const { id, number } of [unstarted, await storeOrder({ ...open, state: 'cancelled' }, 'cancelled')]) {
    const fields = { version: '1', cancel_reason: 'paid_outside' };
    expect(resultOf(await merchant.post(`/admin/orders/${number}/cancel`, fields))).toBe('cancelled');
    expect(await findOrder(queries, id)).toMatchObject({ state: 'cancelled', payableUntil: null });
  }
});
