import { afterAll, afterEach, expect, test } from '@jest/globals';
import { processOutbox } from '../../src/checkout/process-outbox.js';
import { openBackOffice, PASSWORD } from '../support/admin.js';
import { address, Customer, contact, readOrderPage, sessionIdOf } from '../support/customer.js';
import { dumpDatabase, orderOfSession } from '../support/inspect.js';
import { openHostedPage } from '../support/purchase.js';
import { openTestShop } from '../support/test-shop.js';

const shop = await openTestShop({ env: { ADMIN_PASSWORD: PASSWORD } });
const { control } = shop.simulator;
afterAll(async () => shop[Symbol.asyncDispose]());
afterEach(() => control.clearFaults());

/** Pays an order on the hosted page. `set` changes the members of the gateway's later answers. */
async function openPaid(set?: Readonly<Record<string, unknown>>) {
  const { customer, session, returnPath } = await openHostedPage(shop);
  control.paySession(session);
  if (set) control.fault('read-session', { kind: 'rewrite', set });
  await customer.get(returnPath);
  const order = await orderOfSession(shop, session);
  const merchant = await openBackOffice(shop);
  return { order, session, merchant, path: `/admin/orders/${order.number}` };
}

const openReview = () => openPaid({ amount_total: 1 });

test('an order in the back office shows its customer, lines, attempts and history, with trigger, result and duration of each lookup', async () => {
  const { order, session, merchant, path } = await openPaid();

  const { text } = await merchant.get(path);

  for (const part of [order.number, order.email, 'Taza', session, 'Empezó un intento de pago'])
    expect(text).toContain(part);
  expect(text).toContain('Origen de la consulta: regreso del cliente.');
  expect(text).toContain('Resultado: pagado.');
  expect(text).not.toContain('Motivo: null');
  expect(text).toMatch(/Tiempo de respuesta: \d+ ms\./);
  expect(text).toMatch(/call: read_session · gatewayStatus: [^<]+ · result: paid/);
  expect((await merchant.get('/admin/orders/unknown')).status).toBe(404);
});

test('an order in the back office shows and stores no card number from an answer of the gateway', async () => {
  const { merchant, path } = await openPaid({ status: 'x 4111 1111 1111 1111' });

  const { text } = await merchant.get(path);

  expect(text).toContain('La pasarela devolvió un estado desconocido.');
  expect(text).not.toMatch(/4111[ -]?1111/);
  expect(await dumpDatabase(shop)).not.toMatch(/4111[ -]?1111/);
});

test('an order in the back office in review is on the overview with its reason and is found by its number', async () => {
  const { order, merchant, path } = await openReview();

  const list = await merchant.get('/admin');
  const found = await merchant.get(`/admin/orders?q=%20${order.number.toLowerCase()}`);

  expect(list.text).toContain('El monto pagado no es el del pedido.');
  expect(list.text).toContain(`href="${path}"`);
  expect([found.status, found.headers['location']]).toEqual([303, path]);
});

test('an order in review in the back office shows the paid and the expected amount of its attempt', async () => {
  const { merchant, path } = await openReview();

  const { text } = await merchant.get(path);

  const texts = 'Pagado: $0.01. Moneda del pago: MXN. Esperado: $289.00.';
  const section = /data-test="admin-differences">([\s\S]*?)<\/dl>/.exec(text)?.[1];
  expect(section).toContain(`<dt>Intento 1</dt><dd>${texts}</dd>`);
  expect(text.split('La pasarela respondió')[1]).toContain(texts);
  expect(text).toMatch(/paidAmount: 1 · paidCurrency: MXN · expectedAmount: 28900/);
});

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['in another currency', { currency: 'USD' }, 'Pagado: $289.00. Moneda del pago: USD. Esperado: $289.00.'],
  ['in a malformed currency', { currency: '<b>4111 1111</b>' }, 'Pagado: $289.00. Esperado: $289.00.'],
  ['without an amount', { amount_total: null }, 'Moneda del pago: MXN. Esperado: $289.00.'],
])('a payment %s is shown in review with what the gateway named', async (_what, set, texts) => {
  const { merchant, path } = await openPaid(set);

  const { text } = await merchant.get(path);

  expect(text).toContain(`<dt>Intento 1</dt><dd>${texts}</dd>`);
  expect(text).not.toContain('4111');
});

test('an order in the back office as expected shows no difference, and its lines in the first locale of the shop', async () => {
  const { order, merchant, path } = await openPaid();
  const { queries } = shop.context.checkout.db;
  await queries.updateTable('orders').set({ locale: 'en' }).where('id', '=', order.id).execute();
  const rename = (change: object) =>
    queries.updateTable('orderLines').set(change).where('orderId', '=', order.id).execute();

  await rename({ name: 'Blue talavera mug' });
  const translated = await merchant.get(path);
  await rename({ productId: 'gone' });
  const frozen = await merchant.get(path);

  expect(translated.text).toContain('<bdi>Taza de talavera azul</bdi>');
  expect(frozen.text).toContain('<bdi>Blue talavera mug</bdi>');
  expect(translated.text).not.toContain('admin-differences');
});

test('an order in the back office checked by the merchant is looked up at the gateway at once', async () => {
  const { session } = await openHostedPage(shop);
  const merchant = await openBackOffice(shop);
  const { number } = await orderOfSession(shop, session);
  control.paySession(session);

  const answer = await merchant.post(`/admin/orders/${number}/check`, {});

  expect(answer.headers['location']).toBe(`/admin/orders/${number}?result=checked`);
  expect((await orderOfSession(shop, session)).state).toBe('paid');
});

test('a decision is applied once, shown with its note, and logged without note and customer', async () => {
  const { order, session, merchant, path } = await openReview();
  const fields = { decision: 'refund', version: String(order.version), note: '<b>folio 4711</b>' };

  const answer = await merchant.post(`${path}/decision`, fields);
  const again = await merchant.post(`${path}/decision`, fields);
  const page = await merchant.get(answer.headers['location'] ?? '');

  expect(answer.headers['location']).toBe(`${path}?result=done`);
  expect(again.headers['location']).toBe(`${path}?result=changed`);
  expect((await orderOfSession(shop, session)).state).toBe('cancelled');
  expect(page.text).toContain('Tu decisión quedó guardada');
  expect(page.text).toContain('&lt;b&gt;folio 4711&lt;/b&gt;');
  expect(page.text).not.toContain('name="decision"');
  const line = shop.logged.find((text) => text.includes('"order.decided"')) ?? '{}';
  expect(JSON.parse(line)).toMatchObject({ order: order.number, decision: 'refund', to: 'done' });
  expect(line).not.toMatch(/4711|@/);
});

test.each([
  ['without a choice', {}],
  ['with an unknown choice', { decision: 'paid' }],
  ['with two choices', { decision: ['refund', 'close'] }],
  ['with an invalid gateway id', { decision: 'confirm', gateway_id: '../transactions' }],
])('a decision %s changes nothing and causes no lookup', async (_what, fields) => {
  const { order, session, merchant, path } = await openReview();
  const before = control.calls('read-session').length;

  const answer = await merchant.post(`${path}/decision`, { version: String(order.version), ...fields });

  expect(answer.status).toBe(400);
  expect((await orderOfSession(shop, session)).version).toBe(order.version);
  expect(control.calls('read-session')).toHaveLength(before);
});

test('an outbox job that failed is retried once when the merchant asks, and an invalid request retries nothing', async () => {
  const { order, merchant, path } = await openPaid();
  const { queries } = shop.context.checkout.db;
  const later = shop.clock.now() + 3_600_000;
  await queries
    .updateTable('outbox')
    .set({ nextAt: later, lastError: 'Error:ECONNREFUSED', tries: 9 })
    .where('job', '=', 'receipt')
    .where('orderId', '=', order.id)
    .execute();
  const retry = (fields: object) => merchant.post(`${path}/jobs`, fields);

  const page = await merchant.get(path);
  const invalid = [
    await retry({}),
    await retry({ job: 'everything' }),
    await retry({ job: ['receipt', 'on_paid'] }),
  ];
  const before = shop.logged.filter((line) => line.includes('"job.retried"')).length;
  const first = await retry({ job: 'receipt' });
  const second = await retry({ job: 'receipt' });
  await processOutbox(shop.context.checkout);
  const done = await retry({ job: 'receipt' });
  const after = await merchant.get(first.headers['location'] ?? '');

  expect(page.text).toContain('Último error: Error:ECONNREFUSED.');
  expect(page.text.match(/name="job"/g)).toHaveLength(1);
  expect([before, ...invalid.map(({ status }) => status)]).toEqual([0, 400, 400, 400]);
  expect([first, second, done].map(({ headers }) => headers['location'])).toEqual([
    `${path}?result=rescheduled`,
    `${path}?result=not_waiting`,
    `${path}?result=not_waiting`,
  ]);
  expect(after.text).toContain('Un usuario administrador pidió reintentar un correo o una notificación');
  const logged = shop.logged.filter((line) => line.includes('"job.retried"'));
  expect(logged).toHaveLength(1);
  expect(logged.join('')).not.toContain(order.email);
});

/** Pays an order with delivery. The address cannot be corrected before the payment. */
async function openDelivered() {
  const customer = await Customer.withCart(shop);
  const fields = { ...contact, ...address, shipping_option: 'standard', seen_total: '38800' };
  const session = sessionIdOf((await customer.payHosted(fields)).headers['location']);
  const unpaid = await orderOfSession(shop, session);
  const merchant = await openBackOffice(shop);
  const path = `/admin/orders/${unpaid.number}`;
  const before = await merchant.post(`${path}/address`, { ...address, version: String(unpaid.version) });
  control.paySession(session);
  await customer.get(`/checkout/return/${unpaid.token}`);
  return { customer, merchant, path, before, read: () => orderOfSession(shop, session) };
}

test('an admin user corrects the address of a paid order once, and its customer sees the new address', async () => {
  const { customer, merchant, path, before, read } = await openDelivered();
  const { version, token } = await read();
  const fields = { ...address, street: 'Calle Reforma 9', version: String(version) };

  const refused = await merchant.post(`${path}/address`, { ...fields, state: 'CMX', phone: '1' });
  const answer = await merchant.post(`${path}/address`, fields);
  const stale = await merchant.post(`${path}/address`, { ...fields, street: 'Calle Vieja 1' });
  const page = await merchant.get(answer.headers['location'] ?? '');
  const own = await customer.get(`/orders/${token}`);

  expect(before.headers['location']).toBe(`${path}?result=address_not_open`);
  expect(refused.status).toBe(422);
  for (const name of ['postal_code', 'phone']) expect(refused.text).toContain(`id="${name}-error"`);
  expect(refused.text).toContain('value="Calle Reforma 9"');
  expect(answer.headers['location']).toBe(`${path}?result=address_corrected`);
  expect(stale.headers['location']).toBe(`${path}?result=address_changed`);
  expect(await read()).toMatchObject({ street: 'Calle Reforma 9', state: 'paid', total: 38_800 });
  expect(page.text).toContain('Un usuario administrador corrigió la dirección de entrega');
  expect(readOrderPage(own.text).detail).toBe(true);
  expect(own.text).toContain('Calle Reforma 9');
  expect(shop.logged.join('')).not.toContain('Reforma');
});
