import { beforeEach, expect, test } from '@jest/globals';
import { attemptRow, insertAttempt } from '@tianguis/payments/testing';
import { brand } from '../../src/locales/brand.js';
import { insertOrder } from '../../src/tables/orders.js';
import { openBackOffice } from '../support/admin.js';
import type { Customer } from '../support/customer.js';
import { deleteOrders, insertOrders, numberOf } from '../support/order-list.js';
import { expectRefusedFilter, ordersIn, REFUSED_FILTERS } from '../support/refused-filters.js';
import { LINE, orderRow } from '../support/rows.js';
import { openFileShop } from '../support/shared-shop.js';

const shop = await openFileShop();
const { queries } = shop.context.checkout.db;
let merchant: Customer;
beforeEach(async () => {
  await deleteOrders(shop);
  merchant = await openBackOffice(shop);
});

test('the list of orders is filtered by e-mail in any case, by review, by days of Mexico City, and ignores other parameters', async () => {
  const at = (iso: string) => Date.parse(iso);
  const ana = { email: 'ana@example.com' };
  await insertOrders(shop, [
    { email: 'Eva@Example.com', createdAt: at('2026-03-02T05:59:59Z') },
    { ...ana, createdAt: at('2026-03-02T06:00:00Z'), reviewReason: 'other_amount', state: 'review' },
    { ...ana, createdAt: at('2026-03-03T05:59:59Z'), state: 'outcome_unknown' },
    { email: 'eva@example.com', createdAt: at('2026-03-03T06:00:00Z') },
  ]);
  const found = async (query: string) => ordersIn((await merchant.get(`/admin/orders?${query}`)).text);
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

test('the list of orders is the current page of the navigation, also with filters', async () => {
  const { text } = await merchant.get('/admin/orders?state=paid');

  expect(text).toContain('href="/admin/orders" aria-current="page"');
});

test('the list of orders shows name and e-mail, and finds a name that could be an order number', async () => {
  await insertOrders(shop, [
    { firstName: 'Fernanda', lastName: 'Núñez', email: 'fer@example.com' },
    { firstName: 'Eva', lastName: 'González', number: `${brand.orderPrefix}-GONZ-ALEZ` },
  ]);

  const list = (await merchant.get('/admin/orders')).text;
  const byName = await merchant.get('/admin/orders?q=nu%CC%81n%CC%83ez&state=created');
  const byNumber = await merchant.get('/admin/orders?q=gonzalez');

  expect(list).toMatch(/<bdi>Fernanda Núñez<\/bdi>\s<bdi class="quiet">fer<wbr>@example\.com<\/bdi>/);
  expect(ordersIn(byName.text)).toEqual([numberOf(0)]);
  expect(byNumber.headers['location']).toBe(`/admin/orders/${brand.orderPrefix}-GONZ-ALEZ`);
});

/** Stores an order with one attempt that has these numbers of the gateway. */
async function insertPayment(nth: number, numbers: Partial<Parameters<typeof attemptRow>[1]>) {
  const order = orderRow({ number: numberOf(nth), createdAt: nth + 1 });
  await insertOrder(queries, order, [LINE]);
  await insertAttempt(queries, attemptRow(order.id, { reference: `${order.number}-2`, ...numbers }));
}

test('the list of orders finds a telephone however it is typed, and any words of a name', async () => {
  await insertOrders(shop, [
    { firstName: 'María José', lastName: 'Núñez Pérez', phone: '5512345678' },
    { firstName: 'Citlali', lastName: '', phone: '+13055550101' },
  ]);
  const found = async (q: string) => ordersIn((await merchant.get(`/admin/orders?${new URLSearchParams({ q })}`)).text);
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
  expect(ordersIn(several.text)).toEqual([numberOf(2), numberOf(1)]);
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

test.each(REFUSED_FILTERS)('orders filtered by %s show the error and the other filters', async (...filter) => {
  await insertOrders(shop, [{}]);

  await expectRefusedFilter(merchant, '/admin/orders', filter);
});
