import { describe, expect, test } from '@jest/globals';
import { processOutbox } from '../../src/checkout/process-outbox.js';
import { openBackOffice, PASSWORD } from '../support/admin.js';
import { dumpDatabase, theOrder } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const env = { ADMIN_PASSWORD: PASSWORD };

/** A paid order whose receipt cannot be handed over. */
async function openPaid(shop: TestShop) {
  const checkout = await openHostedPage(shop);
  shop.simulator.control.paySession(checkout.session);
  await checkout.customer.get(checkout.returnPath);
  const order = await theOrder(shop);
  return { order, path: `/admin/orders/${order.number}` };
}

const jobs = (shop: TestShop) =>
  shop.context.checkout.db.queries.selectFrom('outbox').selectAll().orderBy('job').execute();

describe('an order in the back office', () => {
  test('tells in words what the gateway said, why it was asked, how long it took, and why the order stands so', async () => {
    await using shop = await openTestShop({ env });
    const { path } = await openPaid(shop);

    const { text } = await (await openBackOffice(shop)).get(path);

    expect(text).toContain(
      'El servicio confirmó el pago con el mismo monto, la misma moneda y la misma referencia.',
    );
    expect(text).toContain('Preguntamos porque quien compra regresó.');
    expect(text).toContain('Lo tomamos como pagado.');
    expect(text).toMatch(/Tardó \d+ ms en contestar\./);
    expect(text).toMatch(/call: read_session · gatewayStatus: [^<]+ · result: paid/);
    expect(text).toContain('Estaba: Esperando el pago.');
  });

  test('shows no card number, whatever the gateway wrote', async () => {
    await using shop = await openTestShop({ env });
    const checkout = await openHostedPage(shop);
    shop.simulator.control.fault('read-session', {
      kind: 'rewrite',
      set: { status: 'x 4111 1111 1111 1111' },
    });
    await checkout.customer.get(checkout.returnPath);

    const { text } = await (await openBackOffice(shop)).get(`/admin/orders/${(await theOrder(shop)).number}`);

    expect(text).toContain('El servicio contestó algo que no conocemos.');
    expect(text).not.toMatch(/4111[ -]?1111/);
    expect(await dumpDatabase(shop)).not.toMatch(/4111[ -]?1111/);
  });

  test('has its failing receipt tried again when told to, and never while it may be under way', async () => {
    await using shop = await openTestShop({ env });
    const { order, path } = await openPaid(shop);
    const merchant = await openBackOffice(shop);
    const { queries } = shop.context.checkout.db;
    const later = shop.clock.now() + 3_600_000;
    await queries
      .updateTable('outbox')
      .set({ nextAt: later, lastError: 'Error:ECONNREFUSED', tries: 9 })
      .where('job', '=', 'receipt')
      .execute();

    const page = await merchant.get(path);
    const first = await merchant.post(`${path}/jobs`, { job: 'receipt' });
    const second = await merchant.post(`${path}/jobs`, { job: 'receipt' });
    await processOutbox(shop.context.checkout);
    const done = await merchant.post(`${path}/jobs`, { job: 'receipt' });
    const after = await merchant.get(first.headers['location'] ?? '');

    expect(page.text).toContain('Falló, se volverá a intentar');
    expect(page.text).toContain('Última falla: Error:ECONNREFUSED.');
    expect(page.text.match(/name="job"/g)).toHaveLength(1);
    expect([first, second, done].map(({ headers }) => headers['location'])).toEqual([
      `${path}?said=hastened`,
      `${path}?said=not_waiting`,
      `${path}?said=not_waiting`,
    ]);
    expect((await jobs(shop)).every(({ doneAt }) => doneAt !== null)).toBe(true);
    expect(after.text).toContain('Se va a intentar en este momento.');
    expect(after.text).toContain('Una persona pidió intentarlo ya');
    const logged = shop.logged.filter((line) => line.includes('"job.retried"'));
    expect(logged).toHaveLength(1);
    expect(logged.join('')).not.toContain(order.email);
  });

  test.each([[{}], [{ job: 'everything' }], [{ job: ['receipt', 'on_paid'] }]])(
    'with %j tries nothing again',
    async (fields) => {
      await using shop = await openTestShop({ env });
      const { path } = await openPaid(shop);
      const merchant = await openBackOffice(shop);
      const before = await jobs(shop);

      const answer = await merchant.post(`${path}/jobs`, fields);

      expect(answer.status).toBe(400);
      expect(await jobs(shop)).toEqual(before);
    },
  );

  test('logs a decision by its kind and outcome alone', async () => {
    await using shop = await openTestShop({ env });
    const checkout = await openHostedPage(shop);
    shop.simulator.control.paySession(checkout.session);
    shop.simulator.control.fault('read-session', { kind: 'rewrite', set: { amount_total: 1 } });
    await checkout.customer.get(checkout.returnPath);
    const order = await theOrder(shop);
    const merchant = await openBackOffice(shop);

    await merchant.post(`/admin/orders/${order.number}/decision`, {
      ...{ decision: 'refund', version: String(order.version), note: 'folio 4711' },
    });

    const line = shop.logged.find((text) => text.includes('"order.decided"')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ order: order.number, decision: 'refund', to: 'done' });
    expect(line).not.toMatch(/4711|@/);
  });
});
