import { describe, expect, test } from '@jest/globals';
import { findAttempts } from '../../src/db/attempts.js';
import { countOrdersInReview, jobBacklogs, nextDueWork } from '../../src/db/backlog-counts.js';
import { findHistory } from '../../src/db/history.js';
import { findOrderByNumber, findOrderLines, findOrdersForPerson } from '../../src/db/orders.js';
import { findPaidJobs } from '../../src/db/outbox.js';
import { countWebhooks, findWaitingJobs, jobBacklog, orderBacklog } from '../../src/db/overview-counts.js';
import { deleteExpired, erasePersonalData } from '../../src/db/retention.js';
import { paidIn, placedIn } from '../../src/db/sales.js';
import { type OrderFilter, type OrderPlace, searchOrders } from '../../src/db/search-orders.js';
import { type Look, plansOf, READS_A_TABLE } from '../support/query-plans.js';
import { openTestDatabase } from '../support/test-database.js';

const span = { from: 1, until: 2 };
const old = { before: 1, most: 5 };
const email = 'eva@example.com';
const FILTERS = {
  'all orders': [{}, 'orders_by_age'],
  'orders of some days': [span, 'orders_by_age'],
  'orders in a state': [{ state: 'paid' }, 'orders_by_state'],
  'orders in a state of some days': [{ state: 'paid', ...span }, 'orders_by_state'],
  'orders of somebody': [{ email }, 'orders_by_email'],
  'orders of somebody in a state': [{ email, state: 'paid' }, 'orders_by_email'],
  'orders of somebody of some days': [{ email, ...span }, 'orders_by_email'],
  'orders for a person': [{ inReview: true }, 'orders_in_review_by_age'],
  'orders for a person in a state': [{ inReview: true, state: 'paid' }, 'orders_in_review_by_age'],
  'orders for a person of some days': [{ inReview: true, ...span }, 'orders_in_review_by_age'],
} as const satisfies Record<string, readonly [OrderFilter, string]>;
const PLACES: readonly (OrderPlace | undefined)[] = [
  undefined,
  { side: 'after', order: { createdAt: 5, id: 'x' } },
  { side: 'before', order: { createdAt: 5, id: 'x' } },
];
const SEARCHES = Object.entries(FILTERS).flatMap(([name, [filter, index]]) =>
  PLACES.map((place) => {
    const look: Look = (queries) => searchOrders(queries, { filter, most: 51, ...(place && { place }) });
    return [`${name}, ${place?.side ?? 'from the newest'}`, [index], look] as const;
  }),
);
const QUEUES: readonly (readonly [string, readonly string[], Look])[] = [
  ['what waits for a person', ['orders_in_review'], (queries) => findOrdersForPerson(queries, 51)],
  ['unsettled orders', ['orders_by_state'], (queries) => orderBacklog(queries, ['pending'], 100)],
  ['how many effects wait', ['outbox_waiting'], (queries) => jobBacklog(queries, 100)],
  ['how many wait for a person', ['orders_in_review'], (queries) => countOrdersInReview(queries, 100)],
  ['how many effects of each kind wait', ['outbox_waiting'], (queries) => jobBacklogs(queries, 100)],
  ['what is due next', ['attempts_due', 'inbox_due', 'outbox_due'], nextDueWork],
  ['waiting effects', ['outbox_waiting'], (queries) => findWaitingJobs(queries, 5)],
  ['sessions that ran out', ['sessions_by_expiry'], (queries) => deleteExpired(queries, 'sessions', old)],
  ['carts that were left', ['carts_by_change'], (queries) => deleteExpired(queries, 'carts', old)],
  ['messages that are done', ['inbox_done'], (queries) => deleteExpired(queries, 'messages', old)],
  ['effects that are done', ['outbox_done'], (queries) => deleteExpired(queries, 'jobs', old)],
  [
    'customers to forget',
    ['orders_with_personal_data'],
    (queries) => erasePersonalData(queries, { ...old, at: 2 }),
  ],
];
const OTHERS: readonly (readonly [string, readonly string[], Look])[] = [
  ['orders paid in a span', ['orders_paid'], (queries) => paidIn(queries, span)],
  ['orders placed in a span', ['orders_by_age'], (queries) => placedIn(queries, span)],
  [
    'messages',
    ['inbox_by_receipt', 'inbox_by_receipt', 'inbox_due'],
    (queries) => countWebhooks(queries, { since: 1, most: 100 }),
  ],
  ['an order', ['orders_number_key|autoindex_orders'], (queries) => findOrderByNumber(queries, 'x')],
  ['its lines', ['order_lines_key|autoindex_order_lines'], (queries) => findOrderLines(queries, 'x')],
  ['its attempts', ['attempts_ordinal|autoindex_attempts'], (queries) => findAttempts(queries, 'x')],
  ['its history', ['order_events_by_order'], (queries) => findHistory(queries, 'x')],
  ['its effects', ['outbox_pkey|autoindex_outbox'], (queries) => findPaidJobs(queries, 'x')],
];

describe('admin, metrics and pruning, over a million orders', () => {
  test.each([...SEARCHES, ...QUEUES, ...OTHERS])('finds %s by %j', async (_name, indexes, look) => {
    await using place = await openTestDatabase();

    const plans = await plansOf(place.db, look);

    expect(plans).toEqual(indexes.map((index) => expect.stringMatching(index)));
    for (const plan of plans) expect(plan).not.toMatch(READS_A_TABLE);
  });

  test.each([...SEARCHES, ...QUEUES])('sorts nothing to list %s', async (_name, _indexes, look) => {
    await using place = await openTestDatabase();

    for (const plan of await plansOf(place.db, look)) expect(plan).not.toMatch(/TEMP B-TREE|Sort/);
  });
});
