import { beforeEach, expect, test } from '@jest/globals';
import { queueJob } from '@tianguis/payments/back-office';
import { attemptRow, insertAttempt } from '@tianguis/payments/testing';
import { openBackOffice } from '../../../../test/support/admin.js';
import { numbers } from '../../../../test/support/crowd.js';
import type { Customer } from '../../../../test/support/customer.js';
import { deleteOrders, insertOrders, numberOf } from '../../../../test/support/order-list.js';
import { LINE, orderRow } from '../../../../test/support/rows.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { expectUnchanged } from '../../../../test/support/unchanged.js';
import { AUTHENTIC, postWebhook } from '../../../../test/support/webhooks.js';
import { insertOrder } from '../../../tables/orders.js';

const HOUR_MS = 3_600_000;
const shop = await openFileShop();
const { queries } = shop.context.checkout.db;
let merchant: Customer;
beforeEach(async () => {
  await deleteOrders(shop);
  merchant = await openBackOffice(shop);
});

/** Stores an order with one attempt that has these numbers of the gateway. */
async function insertPayment(nth: number, numbers: Partial<Parameters<typeof attemptRow>[1]>) {
  const order = orderRow({ number: numberOf(nth), createdAt: nth + 1 });
  await insertOrder(queries, order, [LINE]);
  await insertAttempt(queries, attemptRow(order.id, { reference: `${order.number}-2`, ...numbers }));
}

test('the overview of the back office counts the payments that ended without an answer in thirty days, and shows no zero', async () => {
  const none = await readOverview('admin-health');
  const now = shop.clock.now();
  for (const [nth, days] of [1, 29, 31].entries())
    await insertPayment(nth, { state: 'expired', neverCompletedAt: now - days * 24 * HOUR_MS });

  const some = await readOverview('admin-health');

  expect(none.text).not.toContain('Pagos que terminaron sin respuesta');
  expect(some.text).toContain('Pagos que terminaron sin respuesta de la pasarela 2');
});

/** Returns the overview and the text of one part of it. */
async function readOverview(part: string): Promise<{ html: string; text: string }> {
  const { text: html } = await (await openBackOffice(shop)).get('/admin');
  const from = html.indexOf(`data-test="${part}"`);
  const marked = html.slice(from, html.indexOf('</main>', from));
  return { html, text: marked.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ') };
}

test('the overview of the back office counts unsettled orders and outbox jobs with the age of the oldest, and links to their orders', async () => {
  const empty = await readOverview('admin-health');
  const now = shop.clock.now();
  const order = orderRow({ number: 'TG-AAAA-2222', state: 'paid' });
  await insertOrder(queries, order, [LINE]);
  await insertOrders(shop, [
    { state: 'pending', createdAt: now - 5 * HOUR_MS },
    { state: 'review', createdAt: now - 50 * HOUR_MS },
    { state: 'created', createdAt: 1 },
  ]);
  await queries
    .insertInto('outbox')
    .values({
      ...{ key: `receipt:${order.id}`, orderId: order.id, job: 'receipt', tries: 3 },
      ...{ nextAt: 9e12, createdAt: now - 90_000, doneAt: null, lastError: 'Error' },
    })
    .execute();

  const { html, text } = await readOverview('admin-health');

  expect(empty.text).toContain('Pagos en proceso 0 Nada pendiente.');
  expect(text).toContain('Pagos en proceso 2 El pendiente más antiguo espera desde hace 2 días 2 h.');
  expect(text).toMatch(
    /Correos y notificaciones pendientes 1 El pendiente más antiguo espera desde hace 1 min [345]\d s\./,
  );
  expect(html).toContain('href="/admin/orders/TG-AAAA-2222#jobs"');
});

test('the overview of the back office counts webhook events of 24 hours, and refused webhooks by reason without storing their bodies', async () => {
  await postWebhook(shop, '{"id":"unknown"}');
  await expectUnchanged(shop, async () => {
    await postWebhook(shop, '{}', { Authorization: 'Bearer wrong' });
    await postWebhook(shop, '{}', { Authorization: 'Bearer wrong' });
    await postWebhook(shop, 'no json');
    await postWebhook(shop, `"${'x'.repeat(70_000)}"`, AUTHENTIC);
  });

  const now = await readOverview('admin-health');
  shop.clock.advance(25 * HOUR_MS);
  const later = await readOverview('admin-health');

  for (const part of [
    'Eventos de webhook en las últimas 24 horas 1 El último evento nuevo llegó hace',
    'la credencial no era correcta: 2.',
    'no se podían leer: 2.',
  ])
    expect(now.text).toContain(part);
  expect(later.text).toContain('en las últimas 24 horas 0 El último evento nuevo llegó hace 1 día 1 h');
  expect(later.text).toContain('Rechazados: 0.');
});

test('the overview of the back office folds the health figures, and opens them with a problem', async () => {
  const isOpen = async () => (await merchant.get('/admin')).text.includes('data-test="admin-health" open');
  const calm = await isOpen();
  const order = orderRow();
  await insertOrder(queries, order, [LINE]);
  const createdAt = shop.clock.now() - 2 * HOUR_MS;
  await queueJob(queries, { key: 'late', orderId: order.id, job: 'receipt', at: createdAt });

  expect([calm, await isOpen()]).toEqual([false, true]);
});

test('the overview of the back office marks webhooks red only after more than five wrong credentials in 24 hours', async () => {
  const tones = [];
  for (const count of [5, 1]) {
    for (const _ of numbers(count)) await postWebhook(shop, '{}', { Authorization: 'Bearer wrong' });
    const { html } = await readOverview('admin-health');
    tones.push(/tone-(\w+)">\s*<h3>Eventos de webhook/.exec(html)?.[1]);
  }

  shop.clock.advance(25 * HOUR_MS);
  expect(tones).toEqual(['waiting', 'bad']);
});
