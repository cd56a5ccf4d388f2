import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findAdminUser, findAdminUserByName } from '../../src/db/admin-users.js';
import {
  findAttempt,
  findAttemptAndConflict,
  findAttempts,
  findAttemptsByReference,
  findOrderIdsByGatewayId,
  findWatchedAttempts,
  isGatewayIdTaken,
  leaseDueAttempts,
  makeAttemptsDue,
  markReturned,
} from '../../src/db/attempts.js';
import {
  countOrdersInReview,
  countWebhooks,
  findWaitingJobs,
  jobBacklog,
  jobBacklogs,
  nextDueWork,
  orderBacklog,
} from '../../src/db/backlogs.js';
import { countCartPieces, emptyCartOf, findCart } from '../../src/db/carts.js';
import { findFulfillment } from '../../src/db/fulfillments.js';
import { findHistory } from '../../src/db/history.js';
import { leaseWebhooks } from '../../src/db/inbox.js';
import { findInvoiceRequests } from '../../src/db/invoice-requests.js';
import {
  findLatestOrderOfCart,
  findLinesOfOrders,
  findOrderByNumber,
  findOrderByToken,
  findOrderIdsByEmail,
  findOrderLines,
  findOrdersInReview,
  isPaidElsewhere,
  lockOrder,
  updateSuccessor,
} from '../../src/db/orders.js';
import { findOrderPageJobs, leaseJobs } from '../../src/db/outbox.js';
import { findProductEvents, findStoredProduct } from '../../src/db/product-changes.js';
import { findCategories, findProduct, findProductNames, searchProducts } from '../../src/db/products.js';
import {
  findLapsedRefunds,
  findOrdersWithOpenRefund,
  findRefund,
  findRefundByGatewayId,
  findRefundInFlight,
  findRefunds,
  sumRefunds,
} from '../../src/db/refunds.js';
import { deleteExpired, erasePersonalData } from '../../src/db/retention.js';
import { paidIn, placedIn, refundedByDay } from '../../src/db/sales.js';
import { type OrderCursor, type OrderFilter, searchOrders } from '../../src/db/search-orders.js';
import { findSession } from '../../src/db/sessions.js';
import {
  countReservations,
  findLeft,
  lockStock,
  releaseCart,
  setReservationEnd,
} from '../../src/db/stock.js';
import { type Look, plansOf, READS_A_TABLE } from '../support/query-plans.js';
import { orderRow } from '../support/rows.js';
import { openTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

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
  [{ name: 'eva' }, 'orders_by_name orders_by_surname'],
  [{ name: 'eva', state, ...span }, 'orders_by_name orders_by_surname'],
  [{ inReview: true }, 'orders_in_review_by_age'],
  [{ inReview: true, state }, 'orders_in_review_by_age'],
  [{ inReview: true, ...span }, 'orders_in_review_by_age'],
  [{ toShip: true }, 'fulfillments_to_ship'],
  [{ toShip: true, state }, 'fulfillments_to_ship'],
  [{ toShip: true, ...span }, 'fulfillments_to_ship'],
];
const CURSORS: readonly (OrderCursor | undefined)[] = [
  undefined,
  { side: 'after', order: { createdAt: 5, paidAt: 5, id: 'x' } },
  { side: 'before', order: { createdAt: 5, paidAt: 5, id: 'x' } },
];

test.each(FILTERS)('a search of orders by %j uses %s on every page and sorts nothing', async (...row) => {
  const [filter, indexes] = row;
  for (const cursor of CURSORS) {
    const plans = await plansOf(database.db, (queries) =>
      searchOrders(queries, { filter, most: 51, ...(cursor && { cursor }) }),
    );

    expect(plans).toEqual(indexes.split(' ').map((index) => expect.stringMatching(index)));
    for (const plan of plans) {
      expect(plan).not.toMatch(READS_A_TABLE);
      expect(plan).not.toMatch(SORTS);
    }
  }
});

const old = { before: 1, most: 5 };
const BACK_OFFICE: readonly (readonly [string, Look])[] = [
  ['orders_in_review', (queries) => findOrdersInReview(queries, 51)],
  ['orders_in_review', (queries) => countOrdersInReview(queries, 100)],
  ['orders_by_state', (queries) => orderBacklog(queries, ['pending'], 100)],
  ['outbox_waiting', (queries) => jobBacklog(queries, 100)],
  ['outbox_waiting', (queries) => jobBacklogs(queries, 100)],
  ['outbox_waiting', (queries) => findWaitingJobs(queries, 5)],
  ['refunds_one_in_flight', (queries) => findOrdersWithOpenRefund(queries, 5)],
  ['attempts_due inbox_due outbox_due', nextDueWork],
  ['sessions_by_expiry', (queries) => deleteExpired(queries, 'sessions', old)],
  ['reservations_by_expiry', (queries) => deleteExpired(queries, 'reservations', old)],
  ['carts_by_change', (queries) => deleteExpired(queries, 'carts', old)],
  ['inbox_done', (queries) => deleteExpired(queries, 'webhooks', old)],
  ['outbox_done', (queries) => deleteExpired(queries, 'jobs', old)],
  ['admin_sign_ins_by_time', (queries) => deleteExpired(queries, 'signIns', old)],
  ['orders_with_personal_data', (queries) => erasePersonalData(queries, { ...old, at: 2 })],
];
/** Figures and single orders, which may sort what they found. */
const FIGURES: readonly (readonly [string, Look])[] = [
  ['orders_paid', (queries) => paidIn(queries, span)],
  ['orders_by_age', (queries) => placedIn(queries, span)],
  ['refunds_by_day', (queries) => refundedByDay(queries, { from: '2026-01-01', until: '2026-01-31' })],
  [
    'inbox_by_receipt inbox_by_receipt inbox_due',
    (queries) => countWebhooks(queries, { since: 1, most: 100 }),
  ],
  ['refunds_by_order', (queries) => sumRefunds(queries, ['x', 'y'])],
  ['orders_number_key|autoindex_orders', (queries) => findOrderByNumber(queries, 'x')],
  ['orders_by_email', (queries) => findOrderIdsByEmail(queries, 'x')],
  ['order_lines_key|autoindex_order_lines', (queries) => findOrderLines(queries, 'x')],
  ['order_lines_key|autoindex_order_lines', (queries) => findLinesOfOrders(queries, ['x', 'y'])],
  ['attempts_ordinal|autoindex_attempts', (queries) => findAttempts(queries, 'x')],
  ['products_pkey|autoindex_products', (queries) => findProductNames(queries, ['x', 'y'])],
  ['fulfillments_pkey|autoindex_fulfillments', (queries) => findFulfillment(queries, 'x')],
  ['order_events_by_order', (queries) => findHistory(queries, 'x')],
  [
    'invoice_requests_pkey|autoindex_invoice_requests outbox_pkey|autoindex_outbox',
    (queries) => findOrderPageJobs(queries, 'x'),
  ],
  ['invoice_requests_pkey|autoindex_invoice_requests', (queries) => findInvoiceRequests(queries, ['x', 'y'])],
  ['admin_users_pkey|autoindex_admin_users', (queries) => findAdminUser(queries, 'x')],
  ['admin_users_by_name', (queries) => findAdminUserByName(queries, 'x')],
];

test.each([...BACK_OFFICE, ...FIGURES])(
  'a query of the back office uses %s and reads no table',
  async (...row) => {
    const [indexes, query] = row;
    const plans = await plansOf(database.db, query);

    expect(plans).toEqual(indexes.split(' ').map((index) => expect.stringMatching(index)));
    for (const plan of plans) expect(plan).not.toMatch(READS_A_TABLE);
    if (BACK_OFFICE.includes(row)) for (const plan of plans) expect(plan).not.toMatch(SORTS);
  },
);

const lease = { at: 5, leaseUntil: 9, most: 10 };

test.each<[string, Look]>([
  ['session', (queries) => findSession(queries, 'x', 1)],
  ['cart', (queries) => findCart(queries, 'x', 1)],
  ['what is left of a product', (queries) => findLeft(queries, 'x', { cartId: 'y', at: 1 })],
  ['stock of an order', (queries) => lockStock(queries, { id: 'x', cartId: 'y' }, 1)],
  [
    'reservations of an address',
    (queries) => countReservations(queries, { addressKey: 'x', cartId: 'y', at: 1 }),
  ],
  ['reservations of a cart', (queries) => releaseCart(queries, 'x')],
  ['reservation of an order', (queries) => setReservationEnd(queries, 'x', { at: 1, expiresAt: 2 })],
  ['number of pieces in a cart', (queries) => countCartPieces(queries, 'x')],
  ['latest order of a cart', (queries) => findLatestOrderOfCart(queries, 'x')],
  ['order by its token', (queries) => findOrderByToken(queries, 'x')],
  ['order to be locked', (queries) => lockOrder(queries, 'x').catch(() => undefined)],
  ['payment of the same products', (queries) => isPaidElsewhere(queries, orderRow())],
  ['replaced order', (queries) => updateSuccessor(queries, 'x', 'y')],
  ['attempt', (queries) => findAttempt(queries, 'x')],
  ['attempt and owner of an id', (queries) => findAttemptAndConflict(queries, 'x', 'y')],
  ['attempts to look up', (queries) => findWatchedAttempts(queries, 'x', true)],
  ['open card payments of a return', (queries) => markReturned(queries, 'x', 1)],
  ['attempts to make due', (queries) => makeAttemptsDue(queries, 'x', 1)],
  ['refunds of an order', (queries) => findRefunds(queries, 'x')],
  ['refund', (queries) => findRefund(queries, 'x')],
  ['refund by its gateway id', (queries) => findRefundByGatewayId(queries, 'x')],
  ['refund in flight of a payment', (queries) => findRefundInFlight(queries, 'x')],
  ['refunds without an answer', (queries) => findLapsedRefunds(queries, { at: 1, most: 5 })],
  ['orders by gateway id', (queries) => findOrderIdsByGatewayId(queries, ['x', 'y'])],
  ['attempt by gateway id', (queries) => isGatewayIdTaken(queries, 'x')],
  ['attempts by reference', (queries) => findAttemptsByReference(queries, ['x'])],
  ['due attempts', (queries) => leaseDueAttempts(queries, lease)],
  ['due webhook events', (queries) => leaseWebhooks(queries, lease)],
  ['due outbox jobs', (queries) => leaseJobs(queries, { ...lease, types: ['receipt', 'on_paid'] })],
  ['product', (queries) => findProduct(queries, 'id', 'x', 1)],
  ['product by its slug', (queries) => findProduct(queries, 'slug', 'x', 1)],
  ['product of the back office', (queries) => findStoredProduct(queries, 'x')],
  ['history of a product', (queries) => findProductEvents(queries, 'x', 5)],
  ['page of the catalog', (queries) => searchProducts(queries, { text: '' }, { page: 1, at: 1 })],
  [
    'page of a category',
    (queries) => searchProducts(queries, { text: '', category: 'x' }, { page: 1, at: 1 }),
  ],
  ['categories', findCategories],
  ['cart lines of a paid order', (queries) => emptyCartOf(queries, { id: 'x', cartId: 'y' }, 1)],
])('a query during a request finds %s without reading a table', async (_what, query) => {
  const plans = await plansOf(database.db, query);

  expect(plans.length).toBeGreaterThan(0);
  // A search among all orders of a state reads most of a table.
  for (const plan of plans)
    expect(plan).not.toMatch(new RegExp(`${READS_A_TABLE.source}|orders_by_state`, 'm'));
});
