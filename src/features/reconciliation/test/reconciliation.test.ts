import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { attemptRow, insertAttempt, insertRefund, refundRow } from '@tianguis/payments/testing';
import { addUser, openBackOffice } from '../../../../test/support/admin.js';
import { readCsv } from '../../../../test/support/csv.js';
import { placePaidOrder } from '../../../../test/support/purchase.js';
import { LINE, orderRow } from '../../../../test/support/rows.js';
import { openSharedShop } from '../../../../test/support/shared-shop.js';
import { openTestShop } from '../../../../test/support/test-shop.js';
import { startOfDay } from '../../../shop/rules/mexico-day.js';
import { insertOrder } from '../../../tables/orders.js';

const PAGE = '/admin/reconciliation';
const shop = await openSharedShop();
const { queries } = shop;

/** Stores an order that was paid at this time. */
async function storePaid(number: string, paidAt: number, attempt: Parameters<typeof attemptRow>[1]) {
  const paid = attemptRow('', { state: 'paid', reference: number, amount: centavos(150_00), ...attempt });
  const order = orderRow({ number, state: 'paid', createdAt: paidAt, paidAt, paidAttemptId: paid.id });
  await insertOrder(queries, order, [LINE]);
  await insertAttempt(queries, { ...paid, orderId: order.id });
  return { orderId: order.id, attemptId: paid.id };
}

test('the file of payments has the payments and refunds of its Mexican days, those past the gateway without an id, and no personal data', async () => {
  const from = startOfDay('2026-11-20');
  await storePaid('TG-A', from - 1, { gatewayId: 'pay-a' });
  const paid = await storePaid('TG-B', from, { gatewayId: 'pay-b', paymentId: '77', flow: 'card' });
  await storePaid('TG-C', startOfDay('2026-11-22') - 1, { flow: 'outside' });
  await storePaid('TG-D', startOfDay('2026-11-22'), { gatewayId: 'pay-d' });
  const further = { state: 'paid', gatewayId: 'pay-2', reference: 'TG-B-2', ordinal: 2, createdAt: from + 1 } as const;
  await insertAttempt(queries, attemptRow(paid.orderId, further));
  const refund = { attemptId: paid.attemptId, amount: centavos(50_00), gatewayRefundId: 'ref-1' };
  await insertRefund(queries, refundRow(paid.orderId, { ...refund, refundedOn: '2026-11-21' }));
  const merchant = await openBackOffice(shop);

  const { text, headers } = await merchant.get(`${PAGE}/payments.csv?from=2026-11-20&to=2026-11-21`);

  const cell = readCsv(text);
  expect(headers['content-disposition']).toContain('pagos-2026-11-20-2026-11-21.csv');
  const columns = ['Día', 'Movimiento', 'Referencia', 'Forma de pago', 'ID en la pasarela', 'ID del reembolso'];
  expect(columns.map(cell)).toEqual([
    ['2026-11-20', '2026-11-20', '2026-11-21', '2026-11-21'],
    ['Pago', 'Pago', 'Reembolso', 'Pago'],
    ['TG-B', 'TG-B-2', 'TG-B', 'TG-C'],
    ['tarjeta', 'página de pago', 'tarjeta', 'fuera de la pasarela'],
    ['pay-b', 'pay-2', 'pay-b', ''],
    ['', '', 'ref-1', ''],
  ]);
  expect([cell('Pagado'), cell('Devuelto')]).toEqual([
    ['150.00', '1.00', '', '150.00'],
    ['', '', '50.00', ''],
  ]);
  expect(text).not.toMatch(/eva|ruiz/i);
});

test.each([
  ['from=2026-02-30&to=2026-03-01', 'name="from" type="text" autocomplete="off" value="2026-02-30"', 'from-error'],
  ['from=2026-11-02&to=2026-11-01', 'value="2026-11-01"', 'to-error'],
  ['from=2024-01-01&to=2026-11-01', 'value="2024-01-01"', 'to-error'],
])('the days %s are refused at their field, and what was typed stays', async (query, typed, error) => {
  const merchant = await openBackOffice(shop);

  const { status, text } = await merchant.get(`${PAGE}/payments.csv?${query}`);

  expect([status, text.includes(typed), text.includes(`id="${error}"`)]).toEqual([422, true, true]);
});

test('a lookup shows the payment of an order with its link, and an unknown id; a viewer may not look up', async () => {
  const { session, order } = await placePaidOrder(shop);
  await addUser(shop, 'vera', 'viewer');
  const merchant = await openBackOffice(shop);
  const viewer = await openBackOffice(shop, 'vera');

  const known = await merchant.get(`${PAGE}/lookup?id=${session}`);
  const unknown = await merchant.get(`${PAGE}/lookup?id=cs_1_2_ffffffffffff`);
  const empty = await merchant.get(`${PAGE}/lookup?id=%20`);

  const answer = known.text.split('data-test="lookup-answer"')[1] ?? '';
  expect(answer).toContain(`href="/admin/orders/${order.number}`);
  expect(unknown.text).toContain('La pasarela no conoce cs_1_2_ffffffffffff.');
  expect([empty.status, empty.text.includes('id="id-error"')]).toEqual([422, true]);
  expect((await viewer.get(`${PAGE}/lookup?id=${session}`)).status).toBe(403);
});

test('the lookups of one user above 20 in a minute wait, and the gateway gets no call', async () => {
  await using limited = await openTestShop({ env: { RATE_LIMIT: 'on' } });
  const merchant = await openBackOffice(limited);
  for (let count = 0; count < 20; count += 1) await merchant.get(`${PAGE}/lookup?id=x`);
  const before = limited.control.calls().length;

  const { status, text } = await merchant.get(`${PAGE}/lookup?id=x`);

  expect([status, /Espera \d+ s/.test(text), limited.control.calls().length]).toEqual([429, true, before]);
});

test('without authenticated webhooks, the page says that payments without an order are not listed', async () => {
  await using open = await openTestShop({ env: { WEBHOOK_AUTH: 'none' } });
  const [merchant, other] = [await openBackOffice(open), await openBackOffice(shop)];

  const { text } = await merchant.get(PAGE);

  expect(text).toContain('WEBHOOK_AUTH=none');
  expect(text).not.toContain('No hay avisos sin pedido.');
  expect((await other.get(PAGE)).text).not.toContain('WEBHOOK_AUTH=none');
});
