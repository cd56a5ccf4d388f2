import { describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { insertOrder } from '../../src/db/orders.js';
import type { OrdersTable } from '../../src/db/schema.js';
import { centavos } from '../../src/domain/money.js';
import { openBackOffice, PASSWORD } from '../support/admin.js';
import { dumpDatabase } from '../support/inspect.js';
import { LINE, orderRow } from '../support/rows.js';
import { openTestShop, type TestShop, WEBHOOK_TOKEN } from '../support/test-shop.js';

const env = { ADMIN_PASSWORD: PASSWORD };
const HOUR_MS = 3_600_000;

async function place(shop: TestShop, rows: readonly Partial<OrdersTable>[]): Promise<void> {
  for (const row of rows) await insertOrder(shop.context.checkout.db.queries, orderRow(row), [LINE]);
}

/** The text of a part of the page, without its marks. */
function readText(html: string, part: string): string {
  const from = html.indexOf(`data-test="${part}"`);
  const text = html.slice(from, html.indexOf('<footer', from));
  return text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

describe('the front page of the back office', () => {
  test('tells how many orders are unsettled and how long the oldest has been', async () => {
    await using shop = await openTestShop({ env });
    const merchant = await openBackOffice(shop);
    const empty = readText((await merchant.get('/admin')).text, 'admin-health');
    const now = shop.clock.now();
    await place(shop, [
      { state: 'pending', createdAt: now - 5 * HOUR_MS },
      { state: 'review', createdAt: now - 50 * HOUR_MS },
      { state: 'created', createdAt: 1 },
      { state: 'paid', createdAt: 1 },
    ]);

    const text = readText((await merchant.get('/admin')).text, 'admin-health');

    expect(empty).toContain('Pedidos sin resolver 0 Ninguno espera.');
    expect(text).toContain('Pedidos sin resolver 2 El más viejo espera desde hace 2 días 2 h.');
  });

  test('tells how many effects wait, how long the oldest has, and leads to their orders', async () => {
    await using shop = await openTestShop({ env });
    const order = orderRow({ number: 'TG-AAAA-2222', state: 'paid' });
    await insertOrder(shop.context.checkout.db.queries, order, [LINE]);
    await shop.context.checkout.db.queries
      .insertInto('outbox')
      .values({
        ...{ key: `receipt:${order.id}`, orderId: order.id, job: 'receipt', tries: 3 },
        ...{ nextAt: 9e12, createdAt: shop.clock.now() - 90_000, doneAt: null, lastError: 'Error' },
      })
      .execute();

    const { text } = await (await openBackOffice(shop)).get('/admin');

    expect(readText(text, 'admin-health')).toMatch(
      /Recibos y avisos pendientes 1 El más viejo espera desde hace 1 min [345]\d s\./,
    );
    expect(text).toContain('href="/admin/orders/TG-AAAA-2222#jobs"');
  });

  test('tells what the gateway sent, and counts what was refused and why without keeping any of it', async () => {
    await using shop = await openTestShop({ env });
    const merchant = await openBackOffice(shop);
    const send = (token: string, body: string) =>
      supertest(shop.url)
        .post('/webhooks/payments')
        .set('Authorization', `Bearer ${token}`)
        .type('json')
        .send(body);
    await send(WEBHOOK_TOKEN, '{"id":"nobody-knows"}');
    const before = await dumpDatabase(shop);

    await send('wrong', '{}');
    await send('wrong', '{}');
    await send(WEBHOOK_TOKEN, 'no json');
    await send(WEBHOOK_TOKEN, `"${'x'.repeat(70_000)}"`);
    const unchanged = (await dumpDatabase(shop)) === before;
    const now = readText((await merchant.get('/admin')).text, 'admin-health');
    shop.clock.advance(25 * HOUR_MS);
    const later = readText((await (await openBackOffice(shop)).get('/admin')).text, 'admin-health');

    expect(unchanged).toBe(true);
    expect(now).toContain('Avisos del servicio en 24 horas 1 El último aviso nuevo llegó hace');
    expect(now).toContain('Por revisar: 1.');
    expect(now).toContain('no traían la clave correcta: 2.');
    expect(now).toContain('no se podían leer: 2.');
    expect(later).toContain('Avisos del servicio en 24 horas 0 El último aviso nuevo llegó hace 1 día 1 h');
    expect(later).toContain('Rechazados: 0.');
  });

  test('adds up thirty days of Mexico City: by day, by state, conversion, and times to confirm', async () => {
    await using shop = await openTestShop({ env });
    const merchant = await openBackOffice(shop);
    const empty = readText((await merchant.get('/admin')).text, 'admin-sales');
    const now = shop.clock.now();
    const paid = (seconds: number, total: number) => ({
      ...{ state: 'paid' as const, createdAt: now - seconds * 1000, paidAt: now, total: centavos(total) },
    });
    await place(shop, [
      ...Array.from({ length: 19 }, () => paid(4, 10_000)),
      paid(1800, 50_000),
      { state: 'expired', createdAt: now },
      { state: 'paid', createdAt: now - 40 * 24 * HOUR_MS, paidAt: now - 35 * 24 * HOUR_MS },
    ]);

    const kept = readText((await merchant.get('/admin')).text, 'admin-sales');
    shop.clock.advance(61_000);
    const { text } = await merchant.get('/admin');

    const sales = readText(text, 'admin-sales');
    expect(empty).toContain('Todavía no hay pedidos en estos días.');
    expect(kept).toContain('Todavía no hay pedidos en estos días.');
    expect(sales).toContain('Vendido $2,400.00');
    expect(sales).toContain('95.2 % (20 de 21)'.replace(' %', '%'));
    expect(sales).toContain('Tiempo a la confirmación, mediana 4 s');
    expect(sales).toContain('95 de cada 100 4 s');
    expect(text.match(/<rect x=/g)).toHaveLength(30);
    expect(text).not.toMatch(/\sstyle=/);
  });
});
