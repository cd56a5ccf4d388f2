import { expect, test } from '@jest/globals';
import { jobBacklogs, orderBacklogs } from '@tianguis/payments/operations';
import { deleteExpired } from '../../../packages/payments/src/database/delete-expired-rows.js';
import * as attempts from '../../../packages/payments/src/store/attempts.js';
import { EXPIRING_PAYMENT_ROWS } from '../../../packages/payments/src/store/expiring-rows.js';
import { leaseWebhooks } from '../../../packages/payments/src/store/inbox.js';
import * as payableOrders from '../../../packages/payments/src/store/orders.js';
import { leaseJobs } from '../../../packages/payments/src/store/outbox.js';
import * as refunds from '../../../packages/payments/src/store/refunds.js';
import * as adminUsers from '../../../src/tables/admin-users.js';
import * as carts from '../../../src/tables/carts.js';
import { EXPIRING_FEATURE_ROWS, EXPIRING_ROWS } from '../../../src/tables/expiring-shop-rows.js';
import * as orders from '../../../src/tables/orders.js';
import { findProductEvents } from '../../../src/tables/product-changes.js';
import { findCategories, findGroups, findProduct } from '../../../src/tables/products.js';
import { type OrderCursor, type OrderFilter, searchOrders } from '../../../src/tables/search-orders.js';
import { searchProducts } from '../../../src/tables/search-products.js';
import * as stock from '../../../src/tables/stock.js';
import { testProducts } from '../../support/catalog.js';
import { plansOf, READS_A_TABLE, type RunQueries } from '../../support/query-plans.js';
import { orderRow } from '../../support/rows.js';
import { openSharedDatabase } from '../../support/test-database.js';

const { db } = await openSharedDatabase();
const [mug] = testProducts();

const SORTS = /TEMP B-TREE|Sort/;

const span = { from: 1, until: 2 };
const state = 'paid';
const email = 'eva@example.com';
const FILTERS: readonly (readonly [OrderFilter, string])[] = [
  [{}, 'orders_by_age'],
  [span, 'orders_by_age'],
  [{ state }, 'orders_by_state'],
  [{ state, ...span }, 'orders_by_state'],
  [{ email }, 'orders_by_email'],
  [{ email, state }, 'orders_by_email'],
  [{ email, ...span }, 'orders_by_email'],
  [{ name: 'eva' }, 'orders_by_name orders_by_surname order_names_by_start'],
  [{ name: 'eva de' }, 'orders_by_name orders_by_surname order_names_by_start'],
  [{ name: 'eva ruiz' }, 'order_names_by_start orders_by_name orders_by_surname order_names_by_start'],
  [{ name: 'ximena' }, 'orders_by_name_6 orders_by_surname_6 order_names_by_start_6'],
  [{ name: 'eva', state, ...span }, 'orders_by_name orders_by_surname order_names_by_start'],
  [{ phone: '5512345678' }, 'orders_by_phone'],
  [{ phone: '5512345678', state, ...span }, 'orders_by_phone'],
  [{ inReview: true }, 'orders_in_review_by_age'],
  [{ inReview: true, state }, 'orders_in_review_by_age'],
  [{ inReview: true, ...span }, 'orders_in_review_by_age'],
  [{ fulfillment: 'to_ship' }, 'fulfillments_by_state'],
  [{ fulfillment: 'to_ship', state }, 'fulfillments_by_state'],
  [{ fulfillment: 'shipped', ...span }, 'fulfillments_by_state'],
];
const CURSORS: readonly (OrderCursor | undefined)[] = [
  undefined,
  { side: 'after', order: { createdAt: 5, confirmedAt: 5, id: 'x' } },
  { side: 'before', order: { createdAt: 5, confirmedAt: 5, id: 'x' } },
];

test.each(FILTERS)('a search of orders by %j uses %s and sorts nothing', async (filter, indexes) => {
  for (const cursor of CURSORS) {
    const plans = await plansOf(db, (queries) =>
      searchOrders(queries, { filter, limit: 51, ...(cursor && { cursor }) }),
    );

    expect(plans).toEqual(indexes.split(' ').map((index) => expect.stringMatching(index)));
    for (const plan of plans) {
      expect(plan).not.toMatch(READS_A_TABLE);
      expect(plan).not.toMatch(SORTS);
    }
  }
});

const old = { at: 1, limit: 5 };
const BACK_OFFICE: readonly (readonly [string, RunQueries])[] = [
  ['orders_in_review', (queries) => orders.findOrdersInReview(queries, 51)],
  ['orders_by_state', (queries) => orderBacklogs(queries, ['pending'], 100)],
  ['outbox_waiting', (queries) => jobBacklogs(queries, 100)],
  ['sessions_by_expiry', (queries) => deleteExpired(queries, EXPIRING_ROWS.sessions, old)],
  ['reservations_by_expiry', (queries) => deleteExpired(queries, EXPIRING_ROWS.reservations, old)],
  ['carts_by_change', (queries) => deleteExpired(queries, EXPIRING_ROWS.carts, old)],
  ['carts_unchanged', (queries) => deleteExpired(queries, EXPIRING_ROWS.unchangedCarts, old)],
  ['inbox_done', (queries) => deleteExpired(queries, EXPIRING_PAYMENT_ROWS.webhooks, old)],
  ['outbox_done', (queries) => deleteExpired(queries, EXPIRING_PAYMENT_ROWS.jobs, old)],
  ['admin_links_by_expiry', (queries) => deleteExpired(queries, EXPIRING_ROWS.adminLinks, old)],
  ['admin_sign_ins_by_time', (queries) => deleteExpired(queries, EXPIRING_ROWS.signIns, old)],
  ...EXPIRING_FEATURE_ROWS.map((kind): (typeof BACK_OFFICE)[number] => [
    'INDEX|Index',
    (queries) => deleteExpired(queries, kind, old),
  ]),
];
/** Figures and single orders, which may sort what they found. */
const FIGURES: readonly (readonly [string, RunQueries])[] = [
  ['attempts_ordinal|autoindex_attempts', (queries) => refunds.findRefundedOrders(queries, [orderRow(), orderRow()])],
  ['refunds_by_gateway_id', (queries) => refunds.findRefundByGatewayId(queries, 'x')],
  ['refunds_one_in_flight', (queries) => refunds.findRefundInFlight(queries, 'x')],
  ['refunds_sending', (queries) => refunds.findRefundsWithExpiredLease(queries, { at: 1, limit: 5 })],
  ['orders_number_key|autoindex_orders', (queries) => orders.findOrderByNumber(queries, 'x')],
  ['order_lines_key|autoindex_order_lines', (queries) => orders.findOrderLines(queries, 'x')],
  ['order_lines_key|autoindex_order_lines', (queries) => orders.findLinesOfOrders(queries, ['x', 'y'])],
  ['attempts_ordinal|autoindex_attempts', (queries) => attempts.findAttempts(queries, 'x')],
  ['attempts_ordinal|autoindex_attempts', (queries) => attempts.findLinkedAttempts(queries, 'x')],
  ['attempts_ordinal|autoindex_attempts', (queries) => attempts.findAttemptsOfOrders(queries, ['x', 'y'])],
  ['orders_pkey|autoindex_orders', (queries) => searchOrders(queries, { filter: { ids: ['x', 'y'] }, limit: 51 })],
  ['order_events_by_order', (queries) => payableOrders.findHistory(queries, 'x')],
  ['admin_users_by_name', (queries) => adminUsers.findAdminUserByName(queries, 'x')],
];

test.each([...BACK_OFFICE, ...FIGURES])('a back office query uses %s and reads no table', async (...row) => {
  const [indexes, query] = row;
  const plans = await plansOf(db, query);

  expect(plans).toEqual(indexes.split(' ').map((index) => expect.stringMatching(index)));
  for (const plan of plans) expect(plan).not.toMatch(READS_A_TABLE);
  if (BACK_OFFICE.includes(row)) for (const plan of plans) expect(plan).not.toMatch(SORTS);
});

const lease = { at: 5, leaseUntil: 9, limit: 10 };

/** Lookups by a primary key are left out: they cannot lose their index. */
test.each<[string, RunQueries]>([
  ['cart', (queries) => carts.findCart(queries, 'x', 1)],
  ['what is left of a product', (queries) => stock.findLeft(queries, 'x', { cartId: 'y', at: 1 })],
  ['stock of an order', (queries) => stock.lockStock(queries, { id: 'x', cartId: 'y' }, 1)],
  [
    'reservations of a client',
    (queries) => stock.findReservations(queries, { cartId: 'y', addressKey: 'x', networkKey: 'z' }, ['p'], 1),
  ],
  [
    'reservations that a new order takes over',
    (queries) => stock.handOverReservations(queries, { id: 'x', cartId: 'y' }, 1),
  ],
  ['reservations of a cart', (queries) => stock.releaseCart(queries, 'x')],
  ['reservation of an order', (queries) => stock.endReservation(queries, { id: 'x', payableUntil: null }, 2)],
  ['latest order of a cart', (queries) => orders.findLatestOrderOfCart(queries, 'x')],
  ['order by its token', (queries) => orders.findOrderByToken(queries, 'x')],
  ['payment of the same products', (queries) => payableOrders.isPaidByOtherOrder(queries, orderRow())],
  ['replaced order', (queries) => payableOrders.updateSuccessor(queries, 'x', 'y')],
  ['attempt and owner of an id', (queries) => attempts.findAttemptAndConflict(queries, 'x', 'y')],
  ['attempts to look up', (queries) => attempts.findWatchedAttempts(queries, 'x', true)],
  ['open card payments of a return', (queries) => attempts.markReturned(queries, 'x', 1)],
  ['attempts to make due', (queries) => attempts.makeAttemptsDue(queries, 'x', 1)],
  ['refunds of an order', (queries) => refunds.findRefunds(queries, 'x')],
  ['orders by gateway id', (queries) => attempts.findOrderIdsByGatewayId(queries, ['x', 'y'])],
  ['order by a number of the gateway', (queries) => attempts.findOrderIdsByGatewayNumber(queries, 'x', 5)],
  ['attempts by reference', (queries) => attempts.findAttemptsByReference(queries, ['x'])],
  ['due live attempts', (queries) => attempts.leaseDueAttempts(queries, 'live', lease)],
  ['due watched attempts', (queries) => attempts.leaseDueAttempts(queries, 'watched', lease)],
  ['due webhook events', (queries) => leaseWebhooks(queries, lease)],
  ['due outbox jobs', (queries) => leaseJobs(queries, ['receipt', 'on_paid'], lease)],
  ['due outbox jobs without a handler', (queries) => leaseJobs(queries, ['receipt', 'on_paid'], lease, 'not in')],
  ['product by its slug', (queries) => findProduct(queries, 'slug', 'x', 1)],
  ['history of a product', (queries) => findProductEvents(queries, 'x', 5)],
  ['page of the catalog', (queries) => searchProducts(queries, { text: '' }, { page: 1, at: 1 })],
  ['page of a category', (queries) => searchProducts(queries, { text: '', category: 'x' }, { page: 1, at: 1 })],
  ['categories', findCategories],
  ['groups of variants', (queries) => findGroups(queries, [{ ...mug, variant: { label: {}, groupName: {} } }], 1)],
  [
    'cart lines of a paid order',
    (queries) => carts.emptyCartOf(queries, { id: 'x', cartId: 'y', discountCode: 'Z' }, 1),
  ],
])('a query during a request finds %s without reading a table', async (_what, query) => {
  const plans = await plansOf(db, query);

  expect(plans.length).toBeGreaterThan(0);
  // A search among all orders of a state reads most of a table.
  for (const plan of plans) expect(plan).not.toMatch(new RegExp(`${READS_A_TABLE.source}|orders_by_state`, 'm'));
});
