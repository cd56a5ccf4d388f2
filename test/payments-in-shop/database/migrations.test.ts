import { expect, test } from '@jest/globals';
import { centavos } from '@tianguis/payments/rules';
import { type Migration, sql } from 'kysely';
import { deleteExpired, deleteExpiredRows } from '../../../packages/payments/src/database/delete-expired-rows.js';
import { runMigrations } from '../../../packages/payments/src/database/run-migrations.js';
import {
  findAttempts,
  findOrderIdsByGatewayId,
  leaseDueAttempts,
} from '../../../packages/payments/src/store/attempts.js';
import { shippingKindOf } from '../../../src/shop/rules/frozen-shipping.js';
import { searchTextOf } from '../../../src/shop/rules/product.js';
import { findAdminUserByName, recordUserEvent } from '../../../src/tables/admin-users.js';
import type { Db } from '../../../src/tables/database.js';
import { EXPIRING_FEATURE_ROWS, EXPIRING_ROWS } from '../../../src/tables/expiring-shop-rows.js';
import { initial } from '../../../src/tables/migrations/0001-initial.js';
import { gatewayFacts } from '../../../src/tables/migrations/2026-11-23-gateway-facts.js';
import { programMigrations } from '../../../src/tables/migrations/index.js';
import { findOrderByNumber, findOrderLines } from '../../../src/tables/orders.js';
import { findFurtherPictures } from '../../../src/tables/pictures.js';
import { findStoredProduct } from '../../../src/tables/product-changes.js';
import { type OrderFilter, searchOrders } from '../../../src/tables/search-orders.js';
import { correctTerms, searchProducts } from '../../../src/tables/search-products.js';
import { findTypedForm, putTypedForm } from '../../../src/tables/typed-forms.js';
import { numbers } from '../../support/crowd.js';
import { openTestDatabase } from '../../support/test-database.js';

const ADDRESSES = 'https://pay.example https://checkout.example';
const KEY = '0123456789ab';
const PAID_AT = 9_000;

/** Returns the migrations of the version before the one that has this migration. */
const ofProgram = (migrations: Readonly<Record<string, Migration>>) => [{ table: 'kysely_migration', migrations }];

function migrationsBefore(name: string) {
  return Object.fromEntries(Object.entries(programMigrations).filter(([each]) => each < name));
}

/** Writes an order as the version with only the first migration wrote it. */
async function insertOldOrder(queries: Db, number: string, paidAttempt: string | null): Promise<void> {
  const state = paidAttempt === null ? 'pending' : 'paid';
  const paidAt = paidAttempt === null ? null : PAID_AT;
  await sql`insert into orders (id, number, token, cart_id, cart_version, state, version, total, currency, first_name,
      last_name, email, search_name, search_surname, shipping_option, street, interior_number, neighborhood, municipality,
      delivery_state, postal_code, phone, delivery_notes, contact_hash, locale, paid_attempt_id, created_at, updated_at,
      paid_at)
    values (${number}, ${number}, ${number}, ${number}, 1, ${state}, 3, 28900, 'MXN', 'Eva', 'Ruiz',
      'eva@example.com', 'eva ruiz', 'ruiz eva', 'pickup', '', '', '', '', '', '', '', '', '', 'es-MX', ${paidAttempt},
      1000, 1000, ${paidAt})`.execute(queries);
}

interface OldAttempt {
  readonly order: string;
  readonly ordinal: number;
  readonly flow: 'hosted' | 'card';
  readonly state: string;
  readonly gatewayId: string | null;
}

async function insertOldAttempt(queries: Db, attempt: OldAttempt): Promise<void> {
  const { order, ordinal, flow, state, gatewayId } = attempt;
  const live = state === 'open' ? 1 : null;
  await sql`insert into attempts (id, order_id, ordinal, flow, state, live, environment, reference, amount, gateway_id,
      expires_at, leased_until, checked_at, next_check_at, checks, created_at, updated_at)
    values (${`${order}/${ordinal}`}, ${order}, ${ordinal}, ${flow}, ${state}, ${live}, ${`${ADDRESSES} ${KEY}`}, ${order},
      28900, ${gatewayId}, 5000, 2000, 3000, 4000, 1, 1000, 1000)`.execute(queries);
}

/** Writes a product as the version without pictures and variants wrote it. */
async function insertOldProduct(queries: Db): Promise<void> {
  await sql`insert into products (id, slug, position, category, price, tax_rate, requires_shipping, visible, image,
      clave_prod_serv, clave_unidad, texts, search_text, version, updated_at)
    values ('taza', 'taza', 1, 'barro', 28900, '16', 0, 1, '/logo.svg', '', '',
      '{"name":{"es-MX":"Taza"},"description":{},"imageAlt":{},"category":{"es-MX":"Barro"}}', ' taza', 1, 1000)`.execute(
    queries,
  );
}

function insertOldEvent(queries: Db, order: string, kind: string, detail: object) {
  return sql`insert into order_events (order_id, at, kind, detail)
    values (${order}, 2000, ${kind}, ${JSON.stringify(detail)})`.execute(queries);
}

test('the orders and attempts of a database made by the version before are complete after an upgrade', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database;
  await runMigrations(queries, ofProgram({ '0001-initial': initial }));
  await insertOldOrder(queries, 'TG-2222-2222', 'TG-2222-2222/2');
  await insertOldOrder(queries, 'TG-3333-3333', null);
  const paid = { order: 'TG-2222-2222', flow: 'card' } as const;
  await insertOldAttempt(queries, { ...paid, ordinal: 1, state: 'failed', gatewayId: null });
  await insertOldAttempt(queries, { ...paid, ordinal: 2, state: 'paid', gatewayId: 'payment-2' });
  await insertOldEvent(queries, paid.order, 'payment_found', { attempt: 2 });
  const open = { order: 'TG-3333-3333', flow: 'hosted', state: 'open', gatewayId: 'session-1' } as const;
  await insertOldAttempt(queries, { ...open, ordinal: 1 });
  await insertOldEvent(queries, open.order, 'attempt_opened', { attempt: 1 });

  await database.db.migrate();

  const [order, pending] = await searchOrders(queries, { filter: {}, limit: 9 }).then((found) =>
    [paid.order, open.order].map((number) => found.find((each) => each.number === number)),
  );
  expect(order).toEqual(await findOrderByNumber(queries, paid.order));
  expect(order).toMatchObject({ state: 'paid', paidAt: PAID_AT, confirmedAt: PAID_AT });
  expect(pending).toMatchObject({ state: 'pending', paidAt: null, confirmedAt: null });
  const kept = { environment: ADDRESSES, keyFingerprint: KEY, offerEndsAt: 5000, amount: 28900 };
  const unknown = { transactionId: null, paymentId: null, provider: null, notFoundAt: null, neverCompletedAt: null };
  expect(await findAttempts(queries, paid.order)).toMatchObject([
    { ...kept, ...unknown, ordinal: 1, gatewayId: null, idSource: null },
    { ...kept, ...unknown, ordinal: 2, gatewayId: 'payment-2', idSource: 'found' },
  ]);
  expect(await findOrderIdsByGatewayId(queries, ['session-1'])).toEqual([open.order]);
  const due = await leaseDueAttempts(queries, 'live', { at: 4000, leaseUntil: 6000, limit: 9 });
  expect(due).toMatchObject([{ ...kept, ...unknown, gatewayId: 'session-1', idSource: 'answer', nextCheckAt: 6000 }]);
});

test('an order of a database made before former addresses existed has none, and stores one after an upgrade', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database;
  const program = { '0001-initial': initial, '2026-11-23-gateway-facts': gatewayFacts };
  await runMigrations(queries, ofProgram(program));
  await insertOldOrder(queries, 'TG-2222-2222', null);

  await database.db.migrate();

  const order = await findOrderByNumber(queries, 'TG-2222-2222');
  if (!order) throw new Error('the order is missing');
  const findAll = async () =>
    (await sql<{ id: number; by: string }>`select id, "by" from former_addresses`.execute(queries)).rows;
  expect(await findAll()).toEqual([]);
  await sql`insert into former_addresses (order_id, replaced_at, "by", address) values (${order.id}, 5000, 'ana', '{}')`.execute(
    queries,
  );
  expect((await findAll()).map(({ id, by }) => [Number(id), by])).toEqual([[1, 'ana']]);
});

test('a cart of the version before that was not changed after its creation is deleted after an upgrade', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database;
  const before = { '0001-initial': initial, '2026-11-23-gateway-facts': gatewayFacts };
  await runMigrations(queries, ofProgram(before));
  await sql`insert into carts (id, version, created_at, updated_at) values ('unchanged', 2, 1, 1), ('changed', 3, 1, 2)`.execute(
    queries,
  );

  await database.db.migrate();

  const at = 3 * 24 * 60 * 60 * 1000;
  expect(await deleteExpired(queries, EXPIRING_ROWS.unchangedCarts, { at, limit: 9 })).toBe(1);
  expect(await queries.selectFrom('carts').select('id').execute()).toEqual([{ id: 'changed' }]);
});

test('after an upgrade an open order of the version before can be paid for 7 days from its placement, an ended or erased one cannot', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database;
  await runMigrations(queries, ofProgram(migrationsBefore('2026-11-25-payable-orders')));
  await insertOldOrder(queries, 'TG-2222-2222', 'TG-2222-2222/2');
  await insertOldOrder(queries, 'TG-3333-3333', null);
  await insertOldOrder(queries, 'TG-4444-4444', null);
  await sql`update orders set email = '', state = 'declined' where number = 'TG-4444-4444'`.execute(queries);

  await database.db.migrate();

  const payable = await queries.selectFrom('orders').select(['number', 'payableUntil']).orderBy('number').execute();
  expect(payable).toEqual([
    { number: 'TG-2222-2222', payableUntil: null },
    { number: 'TG-3333-3333', payableUntil: 1000 + 7 * 24 * 60 * 60 * 1000 },
    { number: 'TG-4444-4444', payableUntil: null },
  ]);
});

test('after an upgrade an open order of the version before waits for its reminder, a paid one does not', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database;
  await runMigrations(queries, ofProgram(migrationsBefore('2026-11-26-reminder-times')));
  await insertOldOrder(queries, 'TG-2222-2222', 'TG-2222-2222/2');
  await insertOldOrder(queries, 'TG-3333-3333', null);
  await sql`update orders set payable_until = 9000 where state = 'pending'`.execute(queries);

  await database.db.migrate();

  const waiting = await queries.selectFrom('orders').select(['number', 'reminderFrom']).orderBy('number').execute();
  expect(waiting).toEqual([
    { number: 'TG-2222-2222', reminderFrom: null },
    { number: 'TG-3333-3333', reminderFrom: 1000 },
  ]);
});

test('after an upgrade an order of the version before has label in its locale, kind, price and days of its shipping option', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database;
  const { '2026-11-27-frozen-shipping': _, ...before } = programMigrations;
  await runMigrations(queries, ofProgram(before));
  const orders = [
    ['standard', 'es-MX', 'Paquetería', 9900],
    ['standard', 'en', undefined, undefined],
    ['pickup', 'es-MX', undefined, undefined],
    ['pickup', 'en', undefined, undefined],
    ['none', 'es-MX', undefined, undefined],
    ['none', 'en', undefined, undefined],
    ['express', 'en', 'Express', 19900],
    ['express', 'en', undefined, undefined],
  ] as const;
  for (const [index, [option, locale, name, price]] of orders.entries()) {
    const id = `TG-${index}`;
    await insertOldOrder(queries, id, null);
    await sql`update orders set shipping_option = ${option}, locale = ${locale} where id = ${id}`.execute(queries);
    await sql`insert into order_lines (order_id, position, product_id, name, unit_price, quantity, tax_rate)
      values (${id}, 1, 'taza', 'Taza', 28900, 1, '16')`.execute(queries);
    if (name)
      await sql`insert into order_lines (order_id, position, product_id, name, unit_price, quantity, tax_rate)
        values (${id}, 2, 'shipping', ${name}, ${price}, 1, '16')`.execute(queries);
  }

  await database.db.migrate();
  // A process of the version before still runs.
  await insertOldOrder(queries, 'TG-9', null);

  const stored = await queries.selectFrom('orders').selectAll().orderBy('number').execute();
  const frozen = stored.map((order) => [
    ...[order.shippingLabel, order.shippingKind, order.shippingPrice, order.shippingDaysMin, order.shippingDaysMax],
    shippingKindOf(order),
  ]);
  expect(frozen).toEqual([
    ['Paquetería', 'delivery', 9900, 3, 10, 'delivery'],
    ['Home delivery', 'delivery', 0, 3, 10, 'delivery'],
    ['Recoger en la tienda', 'pickup', 0, null, null, 'pickup'],
    ['Store pickup', 'pickup', 0, null, null, 'pickup'],
    ['Sin envío', 'none', 0, null, null, 'none'],
    ['No shipping', 'none', 0, null, null, 'none'],
    ['Express', 'delivery', 19900, null, null, 'delivery'],
    [null, 'delivery', 0, null, null, 'delivery'],
    [null, null, null, null, null, 'pickup'],
  ]);
});

test('an order of the version before has no note after an upgrade', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database;
  const { '2026-11-25-order-notes': _, ...before } = programMigrations;
  await runMigrations(queries, ofProgram(before));
  await insertOldOrder(queries, 'TG-2222-2222', null);

  await database.db.migrate();

  expect((await findOrderByNumber(queries, 'TG-2222-2222'))?.note).toBe('');
});

test('the lines of an order of the version before have no discount after an upgrade, and new ones may have one', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database;
  const { '2026-11-26-line-discounts': _, ...before } = programMigrations;
  await runMigrations(queries, ofProgram(before));
  await insertOldOrder(queries, 'TG-2222-2222', null);
  await sql`insert into order_lines (order_id, position, product_id, name, unit_price, quantity, tax_rate)
    values ('TG-2222-2222', 1, 'taza', 'Taza', 28900, 1, '16')`.execute(queries);

  await database.db.migrate();

  const line = { productId: 'taza', name: 'Taza', unitPrice: centavos(28_900), quantity: 1, taxRate: '16' } as const;
  const discounted = { ...line, orderId: 'TG-2222-2222', position: 2, discount: centavos(900) };
  await queries.insertInto('orderLines').values(discounted).execute();
  const lines = await queries.selectFrom('orderLines').select('discount').orderBy('position').execute();
  expect(lines).toEqual([{ discount: 0 }, { discount: 900 }]);
});

test('products and order lines of the version before have no price before after an upgrade, and new ones may have one', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database;
  const { '2026-11-26-price-before': _, ...before } = programMigrations;
  await runMigrations(queries, ofProgram(before));
  await insertOldProduct(queries);
  await insertOldOrder(queries, 'TG-2222-2222', null);
  await sql`insert into order_lines (order_id, position, product_id, name, unit_price, quantity, tax_rate)
    values ('TG-2222-2222', 1, 'taza', 'Taza', 28900, 1, '16')`.execute(queries);

  await database.db.migrate();

  const product = (await findStoredProduct(queries, 'taza'))?.product;
  const [line] = await findOrderLines(queries, 'TG-2222-2222');
  expect([product?.priceBefore, line?.priceBefore]).toEqual([null, null]);
  const priceBefore = centavos(34_900);
  await queries.updateTable('products').set({ priceBefore }).execute();
  await queries.updateTable('orderLines').set({ priceBefore }).execute();
  expect((await findStoredProduct(queries, 'taza'))?.product).toMatchObject({ priceBefore });
  expect(await findOrderLines(queries, 'TG-2222-2222')).toMatchObject([{ priceBefore }]);
});

test('a product of the version before has no weight after an upgrade, and a process of that version still writes products', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database;
  const { '2026-11-27-product-weight': _, ...before } = programMigrations;
  await runMigrations(queries, ofProgram(before));
  await insertOldProduct(queries);

  await database.db.migrate();

  const weightNow = async () => (await findStoredProduct(queries, 'taza'))?.product.weight;
  const upgraded = await weightNow();
  await queries.deleteFrom('products').execute();
  await insertOldProduct(queries);
  const written = await weightNow();
  await queries.updateTable('products').set({ weightG: 350 }).execute();
  expect([upgraded, written, await weightNow()]).toEqual([null, null, 350]);
});

test('a user of the version before signs in after an upgrade, without address and with the own password', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database;
  await runMigrations(queries, ofProgram(migrationsBefore('2026-11-29-admin-accounts')));
  await sql`insert into admin_users (id, name, role, password_hash, totp_secret, totp_step, disabled_at, session_version,
    created_at, updated_at) values ('a', 'ana', 'manager', 'hash', null, 0, null, 3, 1, 1)`.execute(queries);

  await database.db.migrate();

  const kept = { passwordHash: 'hash', role: 'manager', sessionVersion: 3 };
  expect(await findAdminUserByName(queries, 'ana')).toMatchObject({ ...kept, email: null, mustChangePassword: 0 });
  await recordUserEvent(queries, { userId: 'a', at: 1, by: 'ana', kind: 'disabled' });
  expect(await queries.selectFrom('adminUserEvents').select(['userId', 'role']).execute()).toEqual([
    { userId: 'a', role: '' },
  ]);
});

test('a product of the version before is on sale without variants after an upgrade', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database;
  await runMigrations(queries, ofProgram(migrationsBefore('2026-11-28-product-variants')));
  await insertOldProduct(queries);

  await database.db.migrate();

  const { products } = await searchProducts(queries, { text: 'taza' }, { page: 1, at: 5 });
  expect(products).toMatchObject([{ id: 'taza', name: { 'es-MX': 'Taza' }, variantOf: null }]);
  expect(products[0]?.variant).toBeUndefined();
});

test('after an upgrade the words of a product of the version before correct a search, and its name is found first', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database;
  const { '2026-11-26-catalog-order': _, '2026-11-28-catalog-words': __, ...before } = programMigrations;
  await runMigrations(queries, ofProgram(before));
  await insertOldProduct(queries);

  await database.db.migrate();

  const product = (await findStoredProduct(queries, 'taza'))?.product;
  const { searchText } = await queries.selectFrom('products').select('searchText').executeTakeFirstOrThrow();
  expect(product?.featured).toBe(false);
  expect(product && searchText).toBe(product && searchTextOf(product));
  expect((await correctTerms(queries, { text: 'Tasa baro' })).text).toBe('taza barro');
});

test('an upgraded shop stores typed forms by session and page', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database;
  await runMigrations(queries, ofProgram(migrationsBefore('2026-12-02-typed-forms')));

  await database.db.migrate();

  const form = { sid: 's', page: '/checkout', content: '{}', expiresAt: 9 };
  for (const content of ['{}', '{"status":422}']) await putTypedForm(queries, { ...form, content });
  expect(await findTypedForm(queries, form, 8)).toBe('{"status":422}');
  expect(await findTypedForm(queries, form, 9)).toBeUndefined();
});

test('a product of the version before keeps its picture after an upgrade, gets a further one, and is deleted with it', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database;
  await runMigrations(queries, ofProgram(migrationsBefore('2026-11-27-pictures')));
  await insertOldProduct(queries);

  await database.db.migrate();

  const bytes = Buffer.from([0, 255]);
  await queries.insertInto('pictures').values({ hash: 'a', width: 400, storedAt: 1, bytes }).execute();
  const further = { productId: 'taza', position: 2, image: '/pictures/a', texts: '{"en":"Mug"}' };
  await queries.insertInto('productPictures').values(further).execute();
  expect((await findStoredProduct(queries, 'taza'))?.product.image).toBe('/logo.svg');
  expect(await findFurtherPictures(queries, 'taza')).toEqual([{ image: '/pictures/a', alt: { en: 'Mug' } }]);
  const deletePictures = () => deleteExpiredRows(database.db, EXPIRING_FEATURE_ROWS, 2 * 24 * 60 * 60 * 1000);
  const pictures = () => queries.selectFrom('pictures').select('hash').execute();
  await deletePictures();
  expect(await pictures()).toHaveLength(1);
  await queries.deleteFrom('products').where('id', '=', 'taza').execute();
  expect(await findFurtherPictures(queries, 'taza')).toEqual([]);
  await deletePictures();
  expect(await pictures()).toEqual([]);
});

test('a picture of the version before stays without AVIF after an upgrade', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database;
  await runMigrations(queries, ofProgram(migrationsBefore('2026-11-27-pictures-avif')));
  const file = { hash: 'a', width: 400, storedAt: 1, bytes: Buffer.from([0, 255]) };
  await queries.insertInto('pictures').values(file).execute();

  await database.db.migrate();

  const rows = await queries.selectFrom('pictures').select(['hash', 'width', 'avif']).execute();
  expect(rows).toEqual([{ hash: 'a', width: 400, avif: null }]);
});

test('after an upgrade the list of orders to ship has a paid order of the version before', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database;
  await runMigrations(queries, ofProgram(migrationsBefore('2026-11-30-day-work')));
  await insertOldOrder(queries, 'TG-2222-2222', 'TG-2222-2222/1');
  await sql`insert into fulfillments (order_id, attempt_id, at, state, version, updated_at, stock_taken)
    values ('TG-2222-2222', 'TG-2222-2222/1', 1000, 'preparing', 1, 1000, 1)`.execute(queries);

  await database.db.migrate();

  const [order, ...others] = await searchOrders(queries, { filter: { fulfillment: 'to_ship' }, limit: 9 });
  expect([order?.number, others]).toEqual(['TG-2222-2222', []]);
});

test('after an upgrade the orders of the version before are found by each word of a name, and by telephone', async () => {
  await using database = await openTestDatabase({ migrated: false });
  const { queries } = database;
  const added = (name: string) => name.startsWith('2026-11-25-order-search');
  const before = Object.fromEntries(Object.entries(programMigrations).filter(([name]) => !added(name)));
  await runMigrations(queries, ofProgram(before));
  // More than one batch of the migration.
  for (const index of numbers(501)) await insertOldOrder(queries, `TG-${index}`, null);
  await sql`update orders set first_name = 'María José', last_name = 'Ruiz Núñez', phone = '5512345678'
    where id in ('TG-7', 'TG-500')`.execute(queries);

  await database.db.migrate();

  const find = async (filter: OrderFilter) =>
    (await searchOrders(queries, { filter, limit: 9 })).map(({ id }) => id).sort();
  const expected = ['TG-500', 'TG-7'];
  expect(await find({ name: 'jose' })).toEqual(expected);
  expect(await find({ name: 'nunez' })).toEqual(expected);
  expect(await find({ phone: '5512345678' })).toEqual(expected);
});
