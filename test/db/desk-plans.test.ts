import { describe, expect, test } from '@jest/globals';
import { findAttempts } from '../../src/db/attempts.js';
import {
  effectBacklog,
  findWaitingEffects,
  messageFigures,
  orderBacklog,
} from '../../src/db/desk-figures.js';
import { findHistory } from '../../src/db/history.js';
import { findOrderByNumber, findOrderLines, findOrdersForPerson } from '../../src/db/orders.js';
import { findEffects } from '../../src/db/outbox.js';
import { forgetShoppers, prune } from '../../src/db/prune.js';
import { paidIn, placedIn } from '../../src/db/sales.js';
import { type OrderFilter, type OrderPlace, searchOrders } from '../../src/db/search-orders.js';
import { countOrdersForPerson, effectBacklogs, nextDueWork } from '../../src/db/work-figures.js';
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
  'orders for a person': [{ forPerson: true }, 'orders_for_person_by_age'],
  'orders for a person in a state': [{ forPerson: true, state: 'paid' }, 'orders_for_person_by_age'],
  'orders for a person of some days': [{ forPerson: true, ...span }, 'orders_for_person_by_age'],
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
  ['what waits for a person', ['orders_for_person'], (queries) => findOrdersForPerson(queries, 51)],
  ['unsettled orders', ['orders_by_state'], (queries) => orderBacklog(queries, ['pending'], 100)],
  ['how many effects wait', ['outbox_waiting'], (queries) => effectBacklog(queries, 100)],
  ['how many wait for a person', ['orders_for_person'], (queries) => countOrdersForPerson(queries, 100)],
  ['how many effects of each kind wait', ['outbox_waiting'], (queries) => effectBacklogs(queries, 100)],
  ['what is due next', ['attempts_due', 'inbox_due', 'outbox_due'], nextDueWork],
  ['waiting effects', ['outbox_waiting'], (queries) => findWaitingEffects(queries, 5)],
  ['sessions that ran out', ['sessions_by_expiry'], (queries) => prune(queries, 'sessions', old)],
  ['carts that were left', ['carts_by_change'], (queries) => prune(queries, 'carts', old)],
  ['messages that are done', ['inbox_done'], (queries) => prune(queries, 'messages', old)],
  ['effects that are done', ['outbox_done'], (queries) => prune(queries, 'effects', old)],
  ['shoppers to forget', ['orders_to_forget'], (queries) => forgetShoppers(queries, { ...old, at: 2 })],
];
const OTHERS: readonly (readonly [string, readonly string[], Look])[] = [
  ['orders paid in a span', ['orders_paid'], (queries) => paidIn(queries, span)],
  ['orders placed in a span', ['orders_by_age'], (queries) => placedIn(queries, span)],
  [
    'messages',
    ['inbox_by_receipt', 'inbox_by_receipt', 'inbox_due'],
    (queries) => messageFigures(queries, { since: 1, most: 100 }),
  ],
  ['an order', ['orders_number_key|autoindex_orders'], (queries) => findOrderByNumber(queries, 'x')],
  ['its lines', ['order_lines_key|autoindex_order_lines'], (queries) => findOrderLines(queries, 'x')],
  ['its attempts', ['attempts_ordinal|autoindex_attempts'], (queries) => findAttempts(queries, 'x')],
  ['its history', ['order_events_by_order'], (queries) => findHistory(queries, 'x')],
  ['its effects', ['outbox_pkey|autoindex_outbox'], (queries) => findEffects(queries, 'x')],
];

describe('desk, metrics and pruning, over a million orders', () => {
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
