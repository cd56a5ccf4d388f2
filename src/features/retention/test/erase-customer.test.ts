import { expect, test } from '@jest/globals';
import type { AttemptState } from '@tianguis/payments/rules';
import { attemptRow, insertAttempt, storeWebhook } from '@tianguis/payments/testing';
import { attemptStates, MINUTE, orderStates, reconcileAfter } from '../../../../test/checkout/support.js';
import { openBackOffice, resultOf } from '../../../../test/support/admin.js';
import { Customer, contact } from '../../../../test/support/customer.js';
import { theOrder } from '../../../../test/support/inspect.js';
import { CARDS, openHostedPage, openPageOf, payAndReturn, payByCard } from '../../../../test/support/purchase.js';
import { LINE, orderRow } from '../../../../test/support/rows.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { expectUnchanged } from '../../../../test/support/unchanged.js';
import { insertFulfillment } from '../../../tables/fulfillments.js';
import { findOrder, insertOrder } from '../../../tables/orders.js';
import type { OrdersTable } from '../../../tables/schema.js';
import { eraseCustomer } from '../erase-customer.js';

const shop = await openSharedShop();
const { checkout, queries } = shop;
const TTL = checkout.config.orderTtlMs;

let stored = 0;

/** Stores an order with one attempt. */
async function storeOrder(order: Partial<OrdersTable>, state: AttemptState, fulfilled?: 'preparing' | 'delivered') {
  stored += 1;
  const row = orderRow({ number: `TG-AAAA-${stored + 2000}`, ...order });
  await insertOrder(queries, row, [LINE]);
  const attempt = attemptRow(row.id, { state, gatewayId: `pay-${row.id}`, environment: 'other' });
  await insertAttempt(queries, attempt);
  if (!fulfilled) return row;
  await insertFulfillment(queries, { orderId: row.id, attemptId: attempt.id, at: 1, stockTaken: 1 });
  await setFulfillment(row.id, fulfilled);
  const paid = { paidAttemptId: attempt.id, paidAt: 1 };
  await queries.updateTable('orders').set(paid).where('id', '=', row.id).execute();
  return row;
}

async function setFulfillment(orderId: string, state: 'preparing' | 'delivered'): Promise<void> {
  await queries.updateTable('fulfillments').set({ state }).where('orderId', '=', orderId).execute();
}

test('an erasure covers the final orders of a customer and their webhook events, and counts the others by reason', async () => {
  const merchant = await openBackOffice(shop);
  const email = 'Luz_M@example.com';
  const mine = { email, firstName: 'Luz', phone: '9515550101', street: 'Calle 1', note: 'Vive con Eva' };
  const done = await storeOrder({ ...mine, state: 'paid' }, 'paid', 'delivered');
  const declined = await storeOrder({ ...mine, email: 'luz_m@EXAMPLE.com', state: 'declined' }, 'declined');
  const toShip = await storeOrder({ ...mine, state: 'paid' }, 'paid', 'preparing');
  const waiting = [
    toShip,
    await storeOrder({ ...mine, state: 'pending' }, 'open'),
    await storeOrder({ ...mine, state: 'created' }, 'creating'),
    await storeOrder({ ...mine, state: 'review', reviewReason: 'other_amount' }, 'review'),
  ];
  const returned = await storeOrder({ ...mine, state: 'paid' }, 'refunded', 'preparing');
  const other = { ...mine, email: 'luzxm@example.com', state: 'paid' } as const;
  const stranger = await storeOrder(other, 'paid', 'delivered');
  const events = [done.number, `pay-${declined.id}`, toShip.number, stranger.number, 'waits'];
  for (const name of events) {
    const body = JSON.stringify({ id: name, customer: 'Luz' });
    await storeWebhook(queries, { hash: body, body, event: null, at: 1 });
    if (name !== 'waits') await queries.updateTable('inbox').set({ state: 'done' }).where('hash', '=', body).execute();
  }
  const forms = ['luz_M@EXAMPLE.com', 'luzxm@example.com'].map(async (typed) => {
    const customer = await Customer.withCart(shop);
    await customer.payHosted({ ...contact, email: typed, first_name: '' });
    return customer;
  });
  const [herForm, otherForm] = await Promise.all(forms);
  const path = `/admin/orders/${done.number}`;
  const erase = (confirmation: string) =>
    merchant.post(`${path}/erase`, { confirmation, version: String(done.version) });

  await expectUnchanged(shop, async () => {
    for (const confirmation of ['', stranger.number, 'luz']) {
      const { status, text } = await erase(confirmation);

      expect([status, text.includes('id="confirmation-error"')]).toEqual([422, true]);
      expect(text).toMatch(new RegExp(`name="confirmation"[^>]* value="${confirmation}"`));
    }
  });
  const stale = await merchant.post(`${path}/erase`, { confirmation: email, version: '7' });
  const answer = await erase(` ${email.toUpperCase()} `);
  const again = await erase('');
  const page = await merchant.get(answer.headers['location'] ?? '');
  const typed = [await herForm?.get('/checkout'), await otherForm?.get('/checkout')];

  expect([stale, answer, again].map(resultOf)).toEqual(['changed', 'erased', 'erased_before']);
  for (const { id } of [done, declined, returned])
    expect(await findOrder(queries, id)).toMatchObject({ email: '', firstName: '', phone: '', street: '', note: '' });
  for (const { id } of [...waiting, stranger])
    expect(await findOrder(queries, id)).toMatchObject({ firstName: 'Luz', street: 'Calle 1', note: mine.note });
  expect(typed.map((form) => form?.text.includes('value="luz'))).toEqual([false, true]);
  const left = await queries.selectFrom('inbox').select('body').orderBy('id').execute();
  expect(left.map(({ body }) => (JSON.parse(body) as { id: string }).id)).toEqual(events.slice(2));
  const counts =
    'Pedidos con datos borrados: 3. Pedidos sin borrar, por revisar: 1. Pedidos sin borrar, con un pago o reembolso sin resolver: 2. Pedidos sin borrar, por entregar: 1.';
  expect(page.text).toContain(`La solicitud quedó atendida. ${counts} Usuario: admin.`);
  expect(page.text).toContain(`Se borraron los datos personales.</strong> Usuario: admin.`);
  expect(page.text).not.toContain('id="confirmation"');
});

test('a customer whose declined order was erased pays the same cart with a new order', async () => {
  const customer = await Customer.withCart(shop);
  await payByCard(shop, customer, CARDS.declined);
  const { id: orderId, version } = await theOrder(shop);
  await eraseCustomer(shop.checkout, { orderId, version, by: 'ana' });

  await payAndReturn(shop, await openPageOf(shop, customer));

  expect(await orderStates(shop)).toEqual(['declined', 'paid']);
});

// F12: a paid order without a customer.
test('personal data is not erased while a late payment may arrive', async () => {
  await openHostedPage(shop);
  await reconcileAfter(shop, TTL + 3 * MINUTE);
  const { id: orderId, version } = await theOrder(shop);

  await eraseCustomer(shop.checkout, { orderId, version, by: 'ana' });

  expect(await attemptStates(shop)).toEqual(['superseded']);
  expect((await theOrder(shop)).email).toBe(contact.email);
});
