import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { insertOrder } from '../../src/db/orders.js';
import type { OrdersTable } from '../../src/db/schema.js';
import { centavos } from '../../src/domain/money.js';
import { openBackOffice, PASSWORD } from '../support/admin.js';
import { dumpDatabase } from '../support/inspect.js';
import { LINE, orderRow } from '../support/rows.js';
import { openTestShop } from '../support/test-shop.js';
import { AUTHENTIC, postWebhook } from '../support/webhooks.js';

const HOUR_MS = 3_600_000;
const shop = await openTestShop({ env: { ADMIN_PASSWORD: PASSWORD } });
const { queries } = shop.context.checkout.db;
afterAll(async () => shop[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const table of ['outbox', 'orderLines', 'orders'] as const) await queries.deleteFrom(table).execute();
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
