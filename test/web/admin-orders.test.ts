import { beforeEach, expect, test } from '@jest/globals';
import { insertOrder } from '../../src/db/orders.js';
import type { OrdersTable } from '../../src/db/schema.js';
import { brand } from '../../src/locales/brand.js';
import { centavos } from '../../src/payments/rules/money.js';
import { insertAttempt } from '../../src/payments/store/attempts.js';
import { queueJob } from '../../src/payments/store/outbox.js';
import { openBackOffice } from '../support/admin.js';
import { numbers, until } from '../support/crowd.js';
import { readCsv } from '../support/csv.js';
import type { Customer } from '../support/customer.js';
import { attemptRow, LINE, orderRow, UNHURRIED } from '../support/rows.js';
import { openFileShop } from '../support/shared-shop.js';
import { expectUnchanged } from '../support/unchanged.js';
import { AUTHENTIC, postWebhook } from '../support/webhooks.js';

const SYMBOLS = '23456789ADEFHJKMNPRTWXYC';
const PREFIX = brand.orderPrefix.toLowerCase();
const HOUR_MS = 3_600_000;
const shop = await openFileShop();
const { queries } = shop.context.checkout.db;
let merchant: Customer;
beforeEach(async () => {
  for (const table of [...(['outbox', 'orderLines', 'refunds', 'attempts', 'fulfillments', 'orders'] as const)])
    await queries.deleteFrom(table).execute();
  merchant = await openBackOffice(shop);
});

/** Order numbers from 2222-2222 on, with the prefix of the brand. */
function numberOf(nth: number): string {
  const digit = (position: number) => SYMBOLS.charAt(Math.floor(nth / SYMBOLS.length ** position) % SYMBOLS.length);
  return `${brand.orderPrefix}-2222-2${digit(2)}${digit(1)}${digit(0)}`;
}

async function insertOrders(rows: readonly Partial<OrdersTable>[]): Promise<void> {
  await shop.context.checkout.db.transaction(async (inner) => {
    for (const [nth, row] of rows.entries())
      await insertOrder(inner, orderRow({ number: numberOf(nth), createdAt: nth + 1, ...row }), [LINE]);
  }, UNHURRIED);
}

const numbersIn = (html: string) => [...html.matchAll(/href="\/admin\/orders\/([A-Z]{2}-[^"]+)"/g)].map(([, n]) => n);

test('the list of orders is filtered by e-mail in any case, by review, by days of Mexico City, and ignores other parameters', async () => {
  const at = (iso: string) => Date.parse(iso);
  const ana = { email: 'ana@example.com' };
  await insertOrders([
    { email: 'Eva@Example.com', createdAt: at('2026-03-02T05:59:59Z') },
    { ...ana, createdAt: at('2026-03-02T06:00:00Z'), reviewReason: 'other_amount', state: 'review' },
    { ...ana, createdAt: at('2026-03-03T05:59:59Z'), state: 'outcome_unknown' },
    { email: 'eva@example.com', createdAt: at('2026-03-03T06:00:00Z') },
  ]);
  const found = async (query: string) => numbersIn((await merchant.get(`/admin/orders?${query}`)).text);
  const [first, second, third, fourth] = [0, 1, 2, 3].map(numberOf);

  expect(await found('q=%20EVA%40example.com')).toEqual([fourth, first]);
  expect(await found('review=1')).toEqual([third, second]);
  expect(await found('review=1&state=review')).toEqual([second]);
  expect(await found('from=2026-03-02&to=2026-03-02')).toEqual([third, second]);
  expect(await found('q=eva%40example.com&to=2026-03-01')).toEqual([first]);
  expect(await found('q=unknown%40example.com')).toEqual([]);
  expect(await found('state=paid&state=pending&after=nothing&before=x&hack=1')).toHaveLength(4);
  const byNumber = await merchant.get('/admin/orders?q=2222%202223');
  expect(byNumber.headers['location']).toBe(`/admin/orders/${second}`);
});

test('the list of orders shows name and e-mail, and finds a name that could be an order number', async () => {
  await insertOrders([
    { firstName: 'Fernanda', lastName: 'Núñez', email: 'fer@example.com' },
    { firstName: 'Eva', lastName: 'González', number: `${brand.orderPrefix}-GONZ-ALEZ` },
  ]);

  const list = (await merchant.get('/admin/orders')).text;
  const byName = await merchant.get('/admin/orders?q=nu%CC%81n%CC%83ez&state=created');
  const byNumber = await merchant.get('/admin/orders?q=gonzalez');

  expect(list).toMatch(/<bdi>Fernanda Núñez<\/bdi> <bdi class="quiet">fer<wbr>@example\.com<\/bdi>/);
  expect(numbersIn(byName.text)).toEqual([numberOf(0)]);
  expect(byNumber.headers['location']).toBe(`/admin/orders/${brand.orderPrefix}-GONZ-ALEZ`);
});

/** Stores an order with one attempt that has these numbers of the gateway. */
async function insertPayment(nth: number, numbers: Partial<Parameters<typeof attemptRow>[1]>) {
  const order = orderRow({ number: numberOf(nth), createdAt: nth + 1 });
  await insertOrder(queries, order, [LINE]);
  await insertAttempt(queries, attemptRow(order.id, { reference: `${order.number}-2`, ...numbers }));
}

test('the list of orders finds a telephone however it is typed, and any words of a name', async () => {
  await insertOrders([
    { firstName: 'María José', lastName: 'Núñez Pérez', phone: '5512345678' },
    { firstName: 'Citlali', lastName: '', phone: '+13055550101' },
  ]);
  const found = async (q: string) =>
    numbersIn((await merchant.get(`/admin/orders?${new URLSearchParams({ q })}`)).text);
  const [mexican, foreign] = [0, 1].map(numberOf);

  for (const q of [
    '5512345678',
    '55 1234 5678',
    '+52 (55) 1234-5678',
    '\u202a+52 55 1234\u20115678\u202c',
    '0445512345678',
  ])
    expect([q, await found(q)]).toEqual([q, [mexican]]);
  for (const q of ['+1 305 555 0101', '001 305 555 0101', 'citlali'])
    expect([q, await found(q)]).toEqual([q, [foreign]]);
  for (const q of ['José', 'pére', 'perez maria', 'JOSÉ NÚÑEZ']) expect([q, await found(q)]).toEqual([q, [mexican]]);
  expect(await found('55 9999 9999')).toEqual([]);
});

test('the search of the back office finds an order by its reference and by each number of the gateway', async () => {
  // The numbers pass the check of card numbers, and the payment number has the length of an order number.
  await insertPayment(0, { gatewayId: 'cs_1', transactionId: '4000000000000077', paymentId: '84467440' });
  await insertPayment(1, { gatewayId: 'cs_2', transactionId: '4111 1111 1111 1111', paymentId: '7' });
  await insertPayment(2, { gatewayId: 'cs_3', paymentId: '7' });
  const located = async (q: string) =>
    (await merchant.get(`/admin/orders?${new URLSearchParams({ q, state: 'paid' })}`)).headers['location'];
  const path = `/admin/orders/${numberOf(0)}`;

  for (const q of ['4000000000000077', ' 84467440', 'cs_1', `${numberOf(0)}-2`, numberOf(0).toLowerCase()])
    expect([q, await located(q)]).toEqual([q, path]);
  expect(await located('4111 1111 1111 1111')).toBe(`/admin/orders/${numberOf(1)}`);
  const several = await merchant.get('/admin/orders?q=7');
  const file = await merchant.get('/admin/orders.csv?q=7');
  expect(numbersIn(several.text)).toEqual([numberOf(2), numberOf(1)]);
  expect(file.text.trimEnd().split('\r\n')).toHaveLength(3);
  expect((await merchant.get('/admin/orders.csv?q=4000000000000077')).headers['location']).toBe(path);
  expect((await merchant.get(`${path}-2`)).text).toContain(numberOf(0));
});

test('a card number in the search of the back office is neither shown nor logged, and other parameters refuse it', async () => {
  const card = '4000000000000077';

  const searched = await merchant.get(`/admin/orders?q=${card}`);
  const named = await merchant.get(`/admin/orders?q=ana%20${card}`);
  const elsewhere = await Promise.all(
    [`/admin/orders?state=${card}`, `/admin/orders?q=a&q=b&to=${card}`, `/admin?q=${card}`, `/?q=${card}`].map((path) =>
      merchant.get(path),
    ),
  );

  expect([searched.status, named.status]).toEqual([422, 200]);
  expect(searched.text).toContain('No hay ningún pedido con ese número.');
  for (const { status } of elsewhere) expect(status).toBe(422);
  for (const { text } of [searched, named, ...elsewhere]) expect(text).not.toContain(card);
  expect(shop.logged.join('')).not.toContain(card);
});

test.each([
  ['q=%25_%C3%A9a', 'q', '%_éa', 'Escribe un número de pedido completo, un correo completo'],
  [`q=${PREFIX}-K6W5`, 'q', `${PREFIX}-K6W5`, 'Escribe un número de pedido completo'],
  ['q=TG-9999-9999', 'q', 'TG-9999-9999', 'No hay ningún pedido con ese número.'],
  ['state=%3Cb%3E', 'state', '&lt;b&gt;', 'no es un estado'],
  ['from=2026-02-30', 'from', '2026-02-30', 'no es una fecha'],
  ['from=2026-03-02&to=2026-03-01', 'to', '2026-03-01', 'Esta fecha es anterior a la fecha inicial.'],
])('orders filtered by %s show the error and the other filters', async (query, field, value, message) => {
  await insertOrders([{}]);

  for (const page of ['/admin/orders', '/admin/orders.csv']) {
    const { status, text, headers } = await merchant.get(`${page}?${query}&review=1`);

    expect([status, headers['content-type']]).toEqual([422, 'text/html; charset=utf-8']);
    expect(text).toMatch(new RegExp(`id="${field}-error" role="alert">[^<]*${message}`));
    expect(text).toMatch(new RegExp(`id="${field}"[^>]*aria-invalid="true"`));
    expect(text).toContain(`value="${value}"`);
    expect(text).toMatch(/id="review"[^>]* checked>/);
    expect(numbersIn(text)).toEqual([]);
  }
});

test('the CSV export of the filtered orders has one row per order line, its columns add up to the totals, and a cell that begins with a formula sign is text', async () => {
  const line = (productId: string, pesos: number, quantity: number) => ({
    ...{ ...LINE, productId, quantity, unitPrice: centavos(pesos * 100) },
    name: `=${productId}`,
  });
  const lines = [line('cafe-chiapas', 150, 2), line('gone', 10, 1)];
  const signs = [...'=+-@＝＋－＠﹦﹢﹣﹫'];
  await insertOrders(signs.map((sign) => ({ lastName: `${sign}1+1` })));
  const bought = orderRow({ number: 'TG-A', locale: 'en', total: centavos(310_00), createdAt: 99 });
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
  expect(cell('Artículo')).toEqual(['Café de altura de Chiapas', '"\'=gone"', 'Taza']);
  expect(cell('Importe')).toEqual(['300.00', '10.00', '1.00']);
  expect(cell('Total del pedido')).toEqual(['310.00', '', '1.00']);
  expect(cell('Cantidad')).toEqual(['2', '1', '1']);
  expect(cell('Correo electrónico')).toEqual(['eva@example.com', '', 'eva@example.com']);
  for (const sign of signs) expect(text).toContain(`,"'${sign}1+1",`);
});

test.each([
  ['es-MX', 'Envío a domicilio', 'Ciudad de México'],
  ['en', 'Home delivery', 'Mexico City'],
])(
  'the CSV export in %s has unique headings, times of Mexico City, and shipping line and state in this locale',
  async (locale, shipping, deliveryState) => {
    const createdAt = Date.parse('2026-03-02T05:59:59Z');
    const order = orderRow({
      shippingOption: 'standard',
      deliveryState: 'CMX',
      locale: locale === 'en' ? 'es-MX' : 'en',
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
    expect(row).toContain(`,shipping,${shipping},1,`);
    expect(row).toContain(`,MXN,,,,,,${shipping},Eva,`);
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
  await insertOrders(numbers(1_001).map((nth) => ({ createdAt: nth % 3 })));

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
  await insertOrders(numbers(600).map(() => ({})));
  // No date can hold these values, so the second page of rows cannot be written.
  await queries.updateTable('orders').set({ createdAt: 9e15 }).where('number', '=', numberOf(3)).execute();
  await queries.updateTable('orders').set({ paidAt: 9e15 }).where('number', '=', numberOf(4)).execute();

  await expect(merchant.get('/admin/orders.csv')).rejects.toThrow(/aborted|hang up|terminated/);

  expect(shop.logged.join('')).toContain('"orders.export_truncated"');
  expect((await merchant.get('/admin/orders?state=paid')).status).toBe(200);
});

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
