import { beforeEach, expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { attemptRow, insertAttempt, refundRow } from '@tianguis/payments/testing';
import { addUser, openBackOffice } from '../../../../test/support/admin.js';
import { LINE, orderRow, UNHURRIED } from '../../../../test/support/rows.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { addDays, dayOf, startOfDay } from '../../../shop/rules/mexico-day.js';
import { insertOrder } from '../../../tables/orders.js';
import type { OrdersTable } from '../../../tables/schema.js';

const HOUR_MS = 3_600_000;
const shop = await openFileShop();
const { db } = shop.context.checkout;
const { queries } = db;
beforeEach(async () => {
  for (const table of ['refunds', 'attempts', 'orderLines', 'orders'] as const)
    await queries.deleteFrom(table).execute();
});

async function insertOrders(rows: readonly Partial<OrdersTable>[]): Promise<void> {
  await db.transaction(async (inner) => {
    for (const row of rows) await insertOrder(inner, orderRow(row), [LINE]);
  }, UNHURRIED);
}

/** Returns the overview as HTML, and the text of the sales on it. */
async function readSales(): Promise<{ html: string; text: string }> {
  const { text: html } = await (await openBackOffice(shop)).get('/admin');
  const marked = html.slice(html.indexOf('data-test="admin-sales"'), html.indexOf('</main>'));
  return { html, text: marked.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ') };
}
test('the overview of the back office adds up the sales of thirty days by day and state, with conversion and confirmation times, after a minute', async () => {
  shop.clock.advance(61_000);
  const empty = await readSales();
  const now = shop.clock.now();
  const paid = (seconds: number, total: number) =>
    ({ state: 'paid', createdAt: now - seconds * 1000, paidAt: now, total: centavos(total) }) as const;
  await insertOrders([
    ...Array.from({ length: 19 }, () => paid(4, 10_000)),
    paid(1800, 50_000),
    { state: 'expired', createdAt: now },
    { state: 'paid', createdAt: now - 40 * 24 * HOUR_MS, paidAt: now - 35 * 24 * HOUR_MS },
  ]);

  const cached = await readSales();
  shop.clock.advance(61_000);
  const { text } = await readSales();

  for (const page of [empty, cached]) expect(page.text).toContain('Todavía no hay pedidos en este periodo.');
  expect(text).toContain('Ventas $2,400.00');
  expect(text).toContain('20 de 21 (95.2%)');
  expect(text).toContain('Tiempo típico entre el pedido y su pago 4 s');
});

test('case 211: a sale that was paid before its order counts on the day of its payment, without a negative time', async () => {
  shop.clock.advance(61_000);
  const now = shop.clock.now();
  const paidAt = startOfDay(addDays(dayOf(now), -5)) + 12 * HOUR_MS;
  await insertOrders([{ state: 'paid', createdAt: now, paidAt, confirmedAt: now, total: centavos(70_000) }]);

  const { text } = await readSales();

  expect(text).toContain('Ventas de los últimos 30 días Ventas $700.00 Pedidos pagados 1 ');
  expect(text).toContain('Tiempo típico entre el pedido y su pago 0 s');
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
    queries
      .insertInto('refunds')
      .values({ ...refundRow(order.id, { attemptId: paying.id, refundedOn: today, ...change }), inFlight: null })
      .execute();
  await add({ amount: centavos(10_000) });
  await add({ amount: centavos(15_000), kind: 'chargeback', state: 'recorded' });
  await add({ amount: centavos(7), state: 'refused', refundedOn: null });
  await add({ amount: centavos(3_000), attemptId: second.id });
  const lower = await readSales();
  await add({ amount: centavos(90_000), refundedOn: addDays(today, -1) });
  shop.clock.advance(61_000);

  const negative = await readSales();

  expect(lower.text).toContain('Ventas $250.00');
  expect(negative.text).toContain('Ventas −$650.00');
  expect(negative.html).not.toContain('height="-');
});

test('the sales of a period are compared with the part of the one before that ends at the same time', async () => {
  // Noon, so that an hour before and after is on the same day.
  const noon = startOfDay(addDays(dayOf(shop.clock.now()), 1)) + 12 * HOUR_MS;
  shop.clock.advance(noon - shop.clock.now());
  const now = shop.clock.now();
  const yesterday = now - 24 * HOUR_MS;
  const paidAt = (at: number, pesos: number) =>
    ({ state: 'paid', createdAt: at, paidAt: at, total: centavos(pesos * 100) }) as const;
  await insertOrders([paidAt(now, 150), paidAt(yesterday - HOUR_MS, 100), paidAt(yesterday + HOUR_MS, 9_000)]);

  const { text } = await readSales();

  expect(text).toContain('Hoy $150.00 · 1 pedido Ayer a esta hora: $100.00 (+50%)');
});

test('the products sold most in thirty days are listed by their pieces, without fees', async () => {
  shop.clock.advance(61_000);
  const now = shop.clock.now();
  const line = (productId: string, quantity: number) => ({ ...LINE, productId, quantity });
  const order = orderRow({ state: 'paid', createdAt: now, paidAt: now });
  const unpaid = orderRow({ state: 'pending', createdAt: now });
  const lines = [line('molcajete-basalto', 2), { ...line('taza-talavera', 3), discount: centavos(50) }];
  await insertOrder(queries, order, [...lines, line('shipping', 9)]);
  await insertOrder(queries, unpaid, [line('papel-picado', 9)]);

  const { html } = await readSales();

  const [, list = ''] = /data-test="admin-best">(.*?)<\/ol>/s.exec(html) ?? [];
  const items = list
    .replaceAll(/<[^>]+>/g, '')
    .split('\n')
    .filter(Boolean);
  expect(items).toEqual([
    expect.stringMatching(/^Taza .*: 3 piezas, \$2\.50$/),
    expect.stringMatching(/^Molcajete .*: 2 piezas, \$2\.00$/),
  ]);
});

test('the sales are on the overview of a viewer, and not of a user of the role fulfillment', async () => {
  for (const role of ['viewer', 'fulfillment'] as const) await addUser(shop, role, role);
  const hasSales = async (name: string) =>
    (await (await openBackOffice(shop, name)).get('/admin')).text.includes('admin-sales');

  expect([await hasSales('viewer'), await hasSales('fulfillment')]).toEqual([true, false]);
});
