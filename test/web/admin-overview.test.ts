import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { insertAttempt } from '../../src/db/attempts.js';
import { insertOrder } from '../../src/db/orders.js';
import { insertRefund } from '../../src/db/refunds.js';
import type { OrdersTable } from '../../src/db/schema.js';
import { addDays, dayOf } from '../../src/domain/mexico-day.js';
import { centavos } from '../../src/domain/money.js';
import { openBackOffice } from '../support/admin.js';
import { dumpDatabase } from '../support/inspect.js';
import { attemptRow, LINE, orderRow, refundRow } from '../support/rows.js';
import { openTestShop } from '../support/test-shop.js';
import { AUTHENTIC, postWebhook } from '../support/webhooks.js';

const HOUR_MS = 3_600_000;
const shop = await openTestShop();
const { queries } = shop.context.checkout.db;
afterAll(async () => shop[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const table of ['outbox', 'orderLines', 'refunds', 'attempts', 'orders'] as const)
    await queries.deleteFrom(table).execute();
});

async function insertOrders(rows: readonly Partial<OrdersTable>[]): Promise<void> {
  for (const row of rows) await insertOrder(queries, orderRow(row), [LINE]);
}

/** Returns the overview and the text of one part of it. */
async function readOverview(part: string): Promise<{ html: string; text: string }> {
  const { text: html } = await (await openBackOffice(shop)).get('/admin');
  const from = html.indexOf(`data-test="${part}"`);
  const marked = html.slice(from, html.indexOf('<footer', from));
  return { html, text: marked.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ') };
}

test('the overview of the back office counts unsettled orders and outbox jobs with the age of the oldest, and links to their orders', async () => {
  const empty = await readOverview('admin-health');
  const now = shop.clock.now();
  const order = orderRow({ number: 'TG-AAAA-2222', state: 'paid' });
  await insertOrder(queries, order, [LINE]);
  await insertOrders([
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
  const before = await dumpDatabase(shop);
  const wrong = { Authorization: 'Bearer wrong' };
  await postWebhook(shop, '{}', wrong);
  await postWebhook(shop, '{}', wrong);
  await postWebhook(shop, 'no json');
  await postWebhook(shop, `"${'x'.repeat(70_000)}"`, AUTHENTIC);
  const unchanged = (await dumpDatabase(shop)) === before;

  const now = await readOverview('admin-health');
  shop.clock.advance(25 * HOUR_MS);
  const later = await readOverview('admin-health');

  expect(unchanged).toBe(true);
  expect(now.text).toContain(
    'Eventos de webhook en las últimas 24 horas 1 El último evento nuevo llegó hace',
  );
  expect(now.text).toContain('Por procesar: 1.');
  expect(now.text).toContain('la credencial no era correcta: 2.');
  expect(now.text).toContain('no se podían leer: 2.');
  expect(later.text).toContain('en las últimas 24 horas 0 El último evento nuevo llegó hace 1 día 1 h');
  expect(later.text).toContain('Rechazados: 0.');
});

test('the overview of the back office adds up the sales of thirty days by day and state, with conversion and confirmation times, after a minute', async () => {
  shop.clock.advance(61_000);
  const empty = await readOverview('admin-sales');
  const now = shop.clock.now();
  const paid = (seconds: number, total: number) => ({
    ...{ state: 'paid' as const, createdAt: now - seconds * 1000, paidAt: now, total: centavos(total) },
  });
  await insertOrders([
    ...Array.from({ length: 19 }, () => paid(4, 10_000)),
    paid(1800, 50_000),
    { state: 'expired', createdAt: now },
    { state: 'paid', createdAt: now - 40 * 24 * HOUR_MS, paidAt: now - 35 * 24 * HOUR_MS },
  ]);

  const cached = await readOverview('admin-sales');
  shop.clock.advance(61_000);
  const { html, text } = await readOverview('admin-sales');

  for (const page of [empty, cached]) expect(page.text).toContain('Todavía no hay pedidos en este periodo.');
  expect(text).toContain('Ventas $2,400.00');
  expect(text).toContain('95.2 % (20 de 21)'.replace(' %', '%'));
  expect(text).toContain('La mitad de los pedidos pagados se pagó en un máximo de 4 s');
  expect(text).toContain('El 95 % de los pedidos pagados se pagó en un máximo de 4 s');
  expect(html.match(/<rect x=/g)).toHaveLength(30);
});

test('the sales of a day are lower by the refunds and chargebacks of its paying attempts, and may be negative', async () => {
  shop.clock.advance(61_000);
  const now = shop.clock.now();
  const order = orderRow({ state: 'paid', createdAt: now, total: centavos(50_000), paidAt: now });
  const [paying, second] = [
    attemptRow(order.id, { state: 'paid' }),
    attemptRow(order.id, { state: 'paid', ordinal: 2 }),
  ];
  await insertOrder(queries, { ...order, paidAttemptId: paying.id }, [LINE]);
  for (const attempt of [paying, second]) await insertAttempt(queries, attempt);
  const today = dayOf(now);
  const add = (change: Parameters<typeof refundRow>[1]) =>
    insertRefund(queries, refundRow(order.id, { attemptId: paying.id, refundedOn: today, ...change }));
  await add({ amount: centavos(10_000) });
  await add({ amount: centavos(15_000), kind: 'chargeback', state: 'recorded' });
  await add({ amount: centavos(7), state: 'refused', refundedOn: null });
  await add({ amount: centavos(3_000), attemptId: second.id });
  const lower = await readOverview('admin-sales');
  await add({ amount: centavos(90_000), refundedOn: addDays(today, -1) });
  shop.clock.advance(61_000);

  const negative = await readOverview('admin-sales');

  expect(lower.text).toContain('Ventas $250.00');
  expect(negative.text).toContain('Ventas −$650.00');
  expect(negative.html).not.toContain('height="-');
});
