import { beforeEach, expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { attemptRow, insertAttempt, refundRow } from '@tianguis/payments/testing';
import { addUser, openBackOffice, ROLES } from '../../../../test/support/admin.js';
import { numbers, until } from '../../../../test/support/crowd.js';
import { readCsv } from '../../../../test/support/csv.js';
import { Customer } from '../../../../test/support/customer.js';
import { isOffered } from '../../../../test/support/locales.js';
import { deleteOrders, insertOrders, numberOf } from '../../../../test/support/order-list.js';
import { expectRefusedFilter, REFUSED_FILTERS } from '../../../../test/support/refused-filters.js';
import { LINE, orderRow } from '../../../../test/support/rows.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { importVariants } from '../../../../test/support/variants.js';
import { loadTranslations } from '../../../locales/translations.js';
import type { Role } from '../../../shop/rules/admin-user.js';
import type { OrderLine } from '../../../shop/rules/cart.js';
import { LOCALES } from '../../../shop/rules/locales.js';
import { insertOrder } from '../../../tables/orders.js';
import { FEATURES } from '../../index.js';

const shop = await openFileShop();
const { queries } = shop.context.checkout.db;
let merchant: Customer;
beforeEach(async () => {
  await deleteOrders(shop);
  merchant = await openBackOffice(shop);
});

test('the CSV export has the discount and the net amount of each line, also without a code, and IVA of the net amount', async () => {
  const discounted = { ...LINE, quantity: 2, discount: centavos(20) };
  const order = orderRow({ total: centavos(2_80), createdAt: 98 });
  await insertOrder(queries, order, [discounted, { ...LINE, productId: 'gone' }]);

  const cell = readCsv((await merchant.get('/admin/orders.csv')).text);

  expect(['Importe', 'Descuento', 'Importe neto', 'IVA'].map(cell)).toEqual([
    ['2.00', '1.00'],
    ['0.20', '0.00'],
    ['1.80', '1.00'],
    ['0.25', '0.14'],
  ]);
});

test('the CSV export of the filtered orders has one row per order line, its columns add up to the totals, and a cell that begins with a formula sign is text', async () => {
  const line = (productId: string, pesos: number, quantity: number) => ({
    ...{ ...LINE, productId, quantity, unitPrice: centavos(pesos * 100) },
    name: `=${productId}`,
  });
  const lines = [line('cafe-chiapas', 150, 2), line('gone', 10, 1)];
  const signs = [...'=+-@＝＋－＠﹦﹢﹣﹫'];
  await insertOrders(
    shop,
    signs.map((sign) => ({ lastName: `${sign}1+1` })),
  );
  const bought = orderRow({ number: 'TG-A', total: centavos(310_00), createdAt: 99 });
  await insertOrder(queries, bought, lines);
  await insertOrder(queries, orderRow({ state: 'pending', createdAt: 100 }), [LINE]);

  const { text, headers } = await merchant.get('/admin/orders.csv?state=created');

  const cell = (name: string) => readCsv(text)(name).slice(0, 3);
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename=pedidos.csv',
    'cache-control': 'no-store',
  });
  expect(cell('Pedido')).toEqual(['TG-A', 'TG-A', numberOf(signs.length - 1)]);
  expect(cell('Artículo')).toEqual(['"\'=cafe-chiapas"', '"\'=gone"', 'Taza']);
  expect(cell('Importe')).toEqual(['300.00', '10.00', '1.00']);
  expect(cell('Total del pedido')).toEqual(['310.00', '', '1.00']);
  expect(cell('Cantidad')).toEqual(['2', '1', '1']);
  expect(cell('Correo electrónico')).toEqual(['eva@example.com', '', 'eva@example.com']);
  for (const sign of signs) expect(text).toContain(`,"'${sign}1+1",`);
});

test('case 210: the CSV has what is left of each paid order after its refunds', async () => {
  const paid = async (number: string, returned: number) => {
    const order = orderRow({ number, state: 'paid', total: centavos(300_00) });
    const attempt = attemptRow(order.id, { state: 'paid' });
    await insertOrder(queries, { ...order, paidAttemptId: attempt.id }, [LINE]);
    await queries.insertInto('attempts').values(attempt).execute();
    const refund = refundRow(order.id, { attemptId: attempt.id, amount: centavos(returned) });
    if (returned > 0) await queries.insertInto('refunds').values(refund).execute();
  };
  await paid('TG-A', 0);
  await paid('TG-B', 100_50);
  await insertOrder(queries, orderRow({ number: 'TG-C' }), [LINE]);

  const { text } = await merchant.get('/admin/orders.csv');

  const cell = readCsv(text);
  const left = Object.fromEntries(
    cell('Pedido').map((number, row) => [number, cell('Total después de reembolsos')[row]]),
  );
  expect(left).toMatchObject({ 'TG-A': '300.00', 'TG-B': '199.50', 'TG-C': '' });
});

test.each(
  [
    ['es-MX', 'Ciudad de México'],
    ['en', 'Mexico City'],
  ].filter(isOffered),
)(
  'the CSV export in %s has unique headings, times of Mexico City, the state in this locale, and line and label of the shipping as the order froze them',
  async (locale, deliveryState) => {
    const createdAt = Date.parse('2026-03-02T05:59:59Z');
    const order = orderRow({
      shippingOption: 'bicycle',
      shippingLabel: 'Bicicleta',
      deliveryState: 'CMX',
      locale: LOCALES.find((each) => each !== locale) ?? 'es-MX',
      createdAt,
    });
    await insertOrder(queries, order, [{ ...LINE, productId: 'shipping', name: 'Frozen' }]);
    await merchant.post('/language', { lang: locale });

    const { text } = await merchant.get('/admin/orders.csv');

    const [heading = '', row] = text.slice(1).split('\r\n');
    const names = heading.split(',');
    expect(names).toEqual([...new Set(names)]);
    expect(heading).not.toMatch(/\(op[ct]ional\)/);
    expect(row).toContain(',2026-03-01 23:59:59,,');
    expect(row).toContain(`,shipping,Frozen,1,`);
    expect(row).toContain(`,MXN,,,,,,Bicicleta,Eva,`);
    expect(row).toContain(`,${deliveryState},`);
  },
);

test('the CSV export has once per order the numbers of its paying attempt, else of its newest one at the gateway, and both times of payment', async () => {
  const at = (iso: string) => Date.parse(iso);
  const paid = orderRow({ state: 'paid', createdAt: 9, paidAt: at('2026-03-02T05:59:59Z') });
  const open = orderRow({ createdAt: 8 });
  const state = 'expired';
  const paying = attemptRow(paid.id, { state: 'paid', gatewayId: 'cs_1', paymentId: '0815', reference: 'TG-A' });
  await insertOrder(queries, { ...paid, paidAttemptId: paying.id, confirmedAt: at('2026-03-02T06:00:00Z') }, [
    LINE,
    { ...LINE, productId: 'other' },
  ]);
  await insertOrder(queries, open, [LINE]);
  for (const attempt of [
    { ...paying, provider: 'banco' },
    attemptRow(paid.id, { state, ordinal: 2, gatewayId: 'cs_2' }),
    attemptRow(open.id, { state, gatewayId: 'cs_3' }),
    attemptRow(open.id, { state, ordinal: 2, reference: 'TG-B-2', gatewayId: 'pay_3', transactionId: '=1' }),
    attemptRow(open.id, { state, ordinal: 3 }),
  ])
    await insertAttempt(queries, attempt);

  const { text } = await merchant.get('/admin/orders.csv');

  const cell = readCsv(text);
  expect(cell('Fecha de pago')).toEqual(['2026-03-01 23:59:59', '2026-03-01 23:59:59', '']);
  expect(cell('Fecha de confirmación')).toEqual(['2026-03-02 00:00:00', '2026-03-02 00:00:00', '']);
  expect(cell('Referencia en la pasarela')).toEqual(['TG-A', '', 'TG-B-2']);
  expect(cell('ID en la pasarela')).toEqual(['cs_1', '', 'pay_3']);
  expect(cell('Número de pago')).toEqual(['0815', '', '']);
  expect(cell('Número de transacción')).toEqual(['', '', `"'=1"`]);
  expect(cell('Procesador')).toEqual(['banco', '', '']);
});

test('the CSV export of 1,001 orders holds each once without its token, and logs their number without customers', async () => {
  await insertOrders(
    shop,
    numbers(1_001).map((nth) => ({ createdAt: nth % 3 })),
  );

  const file = await merchant.get('/admin/orders.csv');
  const head = await merchant.agent.head('/admin/orders.csv');

  const records = file.text.trimEnd().split('\r\n').slice(1);
  const { token } = await queries.selectFrom('orders').select('token').executeTakeFirstOrThrow();
  expect(records).toHaveLength(1_001);
  expect(new Set(records.map((record) => record.split(',')[0])).size).toBe(1_001);
  expect(file.text).not.toContain(token);
  expect(head.status).toBe(200);
  await until(() => shop.logged.some((line) => /"orders.exported"/.test(line) && /"count":1001\b/.test(line)));
  expect(shop.logged.join('')).not.toContain('eva@example.com');
});

test('the CSV export is cut off visibly when the database fails halfway', async () => {
  await insertOrders(
    shop,
    numbers(600).map(() => ({})),
  );
  // No date can hold these values, so the second page of rows cannot be written.
  await queries.updateTable('orders').set({ createdAt: 9e15 }).where('number', '=', numberOf(3)).execute();
  await queries.updateTable('orders').set({ paidAt: 9e15 }).where('number', '=', numberOf(4)).execute();

  await expect(merchant.get('/admin/orders.csv')).rejects.toThrow(/aborted|hang up|terminated/);

  expect(shop.logged.join('')).toContain('"orders.export_truncated"');
  expect((await merchant.get('/admin/orders?state=paid')).status).toBe(200);
});

test.each(REFUSED_FILTERS)('a CSV export of orders filtered by %s shows the list with the error', async (...filter) => {
  await insertOrders(shop, [{}]);

  await expectRefusedFilter(merchant, '/admin/orders.csv', filter);
});

test('the CSV export holds all orders with a searched number of the gateway, and the number of one order redirects to it', async () => {
  for (const [nth, paymentId] of ['84467440', '7', '7'].entries()) {
    const order = orderRow({ number: numberOf(nth), createdAt: nth + 1 });
    await insertOrder(queries, order, [LINE]);
    await insertAttempt(queries, attemptRow(order.id, { gatewayId: `cs_${nth}`, paymentId }));
  }

  const several = await merchant.get('/admin/orders.csv?q=7');
  const single = await merchant.get('/admin/orders.csv?q=84467440');

  expect(several.text.trimEnd().split('\r\n')).toHaveLength(3);
  expect(single.headers['location']).toBe(`/admin/orders/${numberOf(0)}`);
});

test('the CSV export has the columns of every feature, whose cells are in the first row of an order only', async () => {
  const t = loadTranslations().in('es-MX');
  const headings = FEATURES.flatMap(({ csvColumns }) => csvColumns?.headings(t) ?? []);
  await insertOrder(queries, orderRow({ state: 'paid' }), [LINE, { ...LINE, productId: 'other' }]);

  const { text } = await merchant.get('/admin/orders.csv');

  const heading = text.slice(1).split('\r\n')[0]?.split(',') ?? [];
  expect(heading.slice(heading.length - headings.length)).toEqual(headings);
  for (const name of headings) expect([name, readCsv(text)(name)[1]]).toEqual([name, '']);
});

test('without a session and for a role that may not read the file, the CSV export is refused and not offered', async () => {
  await insertOrders(shop, [{}]);
  for (const role of ROLES) await addUser(shop, `${role}-export`, role);
  const read = async (role: Role) => {
    const client = await openBackOffice(shop, `${role}-export`);
    const file = await client.get('/admin/orders.csv');
    return [file.status, (await client.get('/admin/orders')).text.includes('"admin-export"')];
  };

  const visitor = await new Customer(shop).get('/admin/orders.csv');

  expect([visitor.status, visitor.headers['location']]).toEqual([303, '/admin/sign-in']);
  expect(await read('viewer')).toEqual([403, false]);
  expect(await read('fulfillment')).toEqual([403, false]);
  expect(await read('manager')).toEqual([200, true]);
});

test('an export is logged with the user and its number of orders', async () => {
  await insertOrders(shop, [{}]);

  await merchant.get('/admin/orders.csv');

  const lines = shop.logged.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toContainEqual(expect.objectContaining({ msg: 'orders.exported', user: 'admin', count: 1 }));
});

test('the CSV export holds rate, base and IVA of each line', async () => {
  const line = (taxRate: OrderLine['taxRate'], unitPrice: number, quantity = 1) => ({
    ...{ ...LINE, productId: `rate-${taxRate}`, unitPrice: centavos(unitPrice) },
    ...{ quantity, taxRate },
  });
  await insertOrder(queries, orderRow(), [line('16', 28_900, 3), line('0', 21_850), line('exempt', 18_900)]);

  const cell = readCsv((await merchant.get('/admin/orders.csv')).text);

  expect(cell('Tasa de IVA (%)')).toEqual(['16', '0', 'Exento']);
  expect(cell('Base')).toEqual(['747.41', '218.50', '189.00']);
  expect(cell('IVA')).toEqual(['119.59', '0.00', '']);
  expect(cell('Importe')).toEqual(['867.00', '218.50', '189.00']);
});

test('the CSV export names the variant of a product', async () => {
  await importVariants(shop);
  await insertOrder(queries, orderRow(), [{ ...LINE, productId: 'playera-verde', name: 'Playera, verde' }]);

  const { text } = await merchant.get('/admin/orders.csv');

  expect(text).toContain('"Playera, verde"');
});
