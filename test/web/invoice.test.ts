import { afterAll, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { processOutbox } from '../../src/checkout/process-outbox.js';
import { addUser, openBackOffice } from '../support/admin.js';
import { Customer } from '../support/customer.js';
import { dumpDatabase } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';

const shop = await openTestShop();
const { queries } = shop.context.checkout.db;
afterAll(async () => shop[Symbol.asyncDispose]());

const fields = {
  rfc: 'rune-900228-ab1',
  registered_name: 'Eva Ruiz Nava',
  tax_regime: '612',
  cfdi_use: 'G03',
  postal_code: '68000',
  email: 'facturas@example.com',
};
const stored = {
  rfc: 'RUNE900228AB1',
  name: 'EVA RUIZ NAVA',
  taxRegime: '612',
  cfdiUse: 'G03',
  postalCode: '68000',
  email: 'facturas@example.com',
};
const PERSONAL = [stored.rfc, stored.name, stored.email, fields.registered_name];

async function openPaid() {
  const { customer, session, returnPath, orderPath } = await openHostedPage(shop);
  shop.simulator.control.paySession(session);
  await customer.get(returnPath);
  return { customer, orderPath, path: `${orderPath}/invoice` };
}

const requestOf = (orderPath: string) =>
  queries
    .selectFrom('invoiceRequests')
    .innerJoin('orders', 'orders.id', 'invoiceRequests.orderId')
    .selectAll('invoiceRequests')
    .where('orders.token', '=', orderPath.slice('/orders/'.length))
    .executeTakeFirst();

test('the customer of a paid order requests its invoice, reads the stored data and corrects it', async () => {
  const { customer, orderPath, path } = await openPaid();

  const offer = (await customer.get(orderPath)).text;
  const form = await customer.get(path);
  const sent = await customer.post(path, fields);
  const done = (await customer.get(orderPath)).text;
  const filled = (await customer.get(path)).text;
  const corrected = await customer.post(path, { ...fields, postal_code: '68050' });

  expect(offer).toContain(`href="${path}" data-test="request-invoice">Solicitar factura<`);
  expect([form.status, form.headers['cache-control']]).toEqual([200, 'no-store']);
  expect(form.text).toContain('value="eva.ruiz@example.com"');
  expect([sent.status, sent.headers['location']]).toEqual([303, `${orderPath}#invoice`]);
  for (const text of ['Recibimos tus datos', stored.rfc, stored.email]) expect(done).toContain(text);
  for (const value of Object.values(stored)) expect(filled).toContain(`value="${value}"`);
  expect(filled).toContain('<option value="612" selected>');
  expect(corrected.status).toBe(303);
  expect(await requestOf(orderPath)).toMatchObject({ ...stored, postalCode: '68050', version: 2 });
});

test('a holder of the order link alone requests and replaces an invoice, and sees no stored data', async () => {
  const { customer, orderPath, path } = await openPaid();
  const other = new Customer(shop);

  const empty = (await other.get(path)).text;
  const sent = await other.post(path, fields);
  const pages = [(await other.get(path)).text, (await other.get(orderPath)).text];
  await other.post(path, { ...fields, cfdi_use: 'S01' });

  expect(sent.status).toBe(303);
  expect(empty).not.toContain('eva.ruiz@example.com');
  for (const page of pages) for (const value of PERSONAL) expect(page).not.toContain(value);
  expect(pages[0]).toContain('los reemplazan');
  expect(await requestOf(orderPath)).toMatchObject({ cfdiUse: 'S01', version: 2 });
  expect((await customer.get(orderPath)).text).toContain(stored.rfc);
});

test.each([
  ['an empty form', {}, ['rfc', 'registered_name', 'tax_regime', 'cfdi_use', 'postal_code', 'email']],
  ['a wrong RFC', { ...fields, rfc: 'RUNE901328AB1' }, ['rfc']],
  ['the RFC of the public in general', { ...fields, rfc: 'XAXX010101000' }, ['rfc']],
  ['the regime of a company', { ...fields, tax_regime: '601' }, ['tax_regime']],
  ['a use that the regime excludes', { ...fields, tax_regime: '605' }, ['cfdi_use']],
  ['doubled fields', { ...fields, rfc: ['a', 'b'], cfdi_use: ['G03', 'S01'] }, ['rfc', 'cfdi_use']],
])(
  'an invoice form with %s shows the error at its field, keeps the others and stores nothing',
  async (...row) => {
    const [_what, posted, wrong] = row;
    const { customer, path } = await openPaid();
    const before = await dumpDatabase(shop);

    const { status, text } = await customer.post(path, posted);

    expect(status).toBe(422);
    expect([...text.matchAll(/<li><a href="#([^"]+)">/g)].map(([, field]) => field)).toEqual(wrong);
    for (const field of wrong) expect(text).toContain(`id="${field}-error"`);
    if ('email' in posted) expect(text).toContain('value="Eva Ruiz Nava"');
    expect(await dumpDatabase(shop)).toBe(before);
  },
);

test('a card number in an invoice form is refused at its field and not shown again', async () => {
  const { customer, path } = await openPaid();
  const before = await dumpDatabase(shop);
  const card = '4000 0000 0000 0077';

  for (const field of ['rfc', 'registered_name', 'email'] as const) {
    const { status, text } = await customer.post(path, { ...fields, [field]: card });

    expect([field, status, text.includes('parece un número de tarjeta')]).toEqual([field, 422, true]);
    expect(text).not.toContain(card);
  }
  expect(await dumpDatabase(shop)).toBe(before);
  expect(shop.logged.join('')).not.toContain('0077');
});

test('an order that is unpaid or past its deadline has no invoice form, and an unknown token no page', async () => {
  const unpaid = await openHostedPage(shop);
  const { customer, orderPath, path } = await openPaid();
  await customer.post(path, fields);
  const paidAt = shop.clock.now() - 70 * 24 * 3_600_000;
  await queries
    .updateTable('orders')
    .set({ paidAt })
    .where('token', '=', orderPath.slice('/orders/'.length))
    .execute();

  const open = await unpaid.customer.get(unpaid.orderPath);
  const answers = [
    await unpaid.customer.get(`${unpaid.orderPath}/invoice`),
    await unpaid.customer.post(`${unpaid.orderPath}/invoice`, fields),
    await customer.get(path),
    await customer.post(path, { ...fields, cfdi_use: 'S01' }),
  ];
  const late = (await customer.get(orderPath)).text;
  const unknown = await customer.get(`/orders/${'x'.repeat(32)}/invoice`);

  expect(open.text).not.toContain('order-invoice');
  expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
  for (const { text } of answers) expect(text).not.toContain('data-test="send-invoice"');
  expect(late).toContain(stored.rfc);
  expect(late).not.toContain('data-test="request-invoice"');
  expect(await requestOf(orderPath)).toMatchObject({ cfdiUse: 'G03', version: 1 });
  expect(unknown.status).toBe(404);
});

test('a shop with INVOICE_REQUEST_MONTHS=off offers no invoice', async () => {
  await using other = await openTestShop({ env: { INVOICE_REQUEST_MONTHS: 'off' } });
  const { customer, session, returnPath, orderPath } = await openHostedPage(other);
  other.simulator.control.paySession(session);
  await customer.get(returnPath);

  expect((await customer.get(orderPath)).text).not.toContain('order-invoice');
  expect((await customer.post(`${orderPath}/invoice`, fields)).status).toBe(409);
});

test('31 invoice forms from one address are refused with the time to wait', async () => {
  await using limited = await openTestShop({ env: { RATE_LIMIT: 'on' } });
  const path = `/orders/${'x'.repeat(32)}/invoice`;

  const answers = await Promise.all(
    Array.from({ length: 31 }, () => new Customer(limited).post(path, fields)),
  );

  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(1);
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
});

test('the back office shows an invoice request with its history, exports it once per order, and retries its hook', async () => {
  const { customer, path, orderPath } = await openPaid();
  await customer.add({ product_id: 'papel-picado' });
  await customer.post(path, fields);
  const onInvoiceRequested = () => Promise.reject(new Error('down'));
  for (let minutes = 0; minutes < 8; minutes += 1) {
    await processOutbox({ ...shop.context.checkout, onInvoiceRequested }, ['on_invoice_requested']);
    shop.clock.advance(2 ** minutes * 6_000);
  }
  await processOutbox({ ...shop.context.checkout, onInvoiceRequested }, ['on_invoice_requested']);
  const { number } = await queries
    .selectFrom('orders')
    .select('number')
    .where('token', '=', orderPath.slice('/orders/'.length))
    .executeTakeFirstOrThrow();
  await addUser(shop, 'lectora', 'viewer');
  const viewer = await openBackOffice(shop, 'lectora');
  const merchant = await openBackOffice(shop);
  const adminPath = `/admin/orders/${number}`;

  const page = (await viewer.get(adminPath)).text;
  const retried = await merchant.post(`${adminPath}/jobs`, { job: 'on_invoice_requested' });
  const again = await merchant.post(`${adminPath}/jobs`, { job: 'on_invoice_requested' });
  const file = await merchant.get('/admin/orders.csv');

  for (const value of Object.values(stored)) expect(page).toContain(`<bdi class="admin-copy">${value}</bdi>`);
  for (const text of ['Gastos en general', 'El cliente solicitó la factura', 'on-invoice-requested'])
    expect(page).toContain(text);
  expect([retried, again].map(({ headers }) => headers['location'])).toEqual([
    `${adminPath}?result=rescheduled`,
    `${adminPath}?result=not_waiting`,
  ]);
  const rows = parse(file.text, { bom: true, columns: true }) as Record<string, string>[];
  expect(rows.filter((row) => row['Pedido'] === number)).toMatchObject([
    {
      'Factura: RFC': stored.rfc,
      'Factura: Nombre o razón social': stored.name,
      'Factura: Régimen fiscal': '612',
      'Factura: Uso de la factura (CFDI)': 'G03',
      'Factura: Código postal': '68000',
      'Factura: Correo electrónico': stored.email,
    },
  ]);
});
