import { describe, expect, test } from '@jest/globals';
import { type CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode, sql } from 'kysely';
import { findAttempts } from '../../src/store/attempts.js';
import type { Database, Queries } from '../../src/store/database.js';
import {
  effectBacklog,
  findWaitingEffects,
  messageFigures,
  orderBacklog,
} from '../../src/store/desk-figures.js';
import { isPostgres } from '../../src/store/dialects.js';
import { findHistory } from '../../src/store/history.js';
import { findOrderByNumber, findOrderLines, findOrdersForPerson } from '../../src/store/orders.js';
import { findEffects } from '../../src/store/outbox.js';
import {
  forgetShoppers,
  pruneCarts,
  pruneEffects,
  pruneMessages,
  pruneSessions,
} from '../../src/store/prune.js';
import { paidIn, placedIn } from '../../src/store/sales.js';
import { type OrderFilter, type OrderPlace, searchOrders } from '../../src/store/search-orders.js';
import { countOrdersForPerson, effectBacklogs, nextDueWork } from '../../src/store/work-figures.js';
import { openTestDatabase } from '../support/test-database.js';

type Look = (queries: Queries) => Promise<unknown>;

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
  ['sessions that ran out', ['sessions_by_expiry'], (queries) => pruneSessions(queries, old)],
  ['carts that were left', ['carts_by_change'], (queries) => pruneCarts(queries, old)],
  ['messages that are done', ['inbox_done'], (queries) => pruneMessages(queries, old)],
  ['effects that are done', ['outbox_done'], (queries) => pruneEffects(queries, old)],
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

/** How the database carries out each statement of a look, one text a statement. */
async function plansOf(db: Database, look: Look): Promise<readonly string[]> {
  const statements: CompiledQuery[] = [];
  const plans = await db.transaction(async (queries) => {
    const plain = queries.withoutPlugins().getExecutor();
    await look(
      queries.withPlugin(recorder((node) => statements.push(plain.compileQuery(node, createQueryId())))),
    );
    // SQLite explains a statement that writes only outside of transactions.
    if (!isPostgres(queries)) return [];
    // An empty table is read as a whole for want of anything cheaper, whatever indexes there are.
    await sql`set local enable_seqscan = off`.execute(queries);
    await sql`set local enable_bitmapscan = off`.execute(queries);
    return explainAll(queries, statements);
  });
  return isPostgres(db.queries) ? plans : explainAll(db.queries, statements);
}

async function explainAll(
  queries: Queries,
  statements: readonly CompiledQuery[],
): Promise<readonly string[]> {
  const plans: string[] = [];
  for (const statement of statements) plans.push(await explain(queries, statement));
  return plans;
}

function recorder(record: (node: RootOperationNode) => void): KyselyPlugin {
  return {
    transformQuery({ node }) {
      record(node);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
}

async function explain(queries: Queries, { sql: text, parameters }: CompiledQuery): Promise<string> {
  const postgres = isPostgres(queries);
  const [first = '', ...rest] = text.split(postgres ? /\$\d+/ : '?');
  const filled = rest.map((piece, place) => sql`${sql.lit(parameters[place])}${sql.raw(piece)}`);
  const verb = sql.raw(postgres ? 'explain ' : 'explain query plan ');
  const statement = sql<Record<string, unknown>>`${verb}${sql.raw(first)}${sql.join(filled, sql``)}`;
  const { rows } = await statement.execute(queries.withoutPlugins());
  return rows.map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n');
}

describe('desk, metrics and pruning, over a million orders', () => {
  test.each([...SEARCHES, ...QUEUES, ...OTHERS])('finds %s by %j', async (_name, indexes, look) => {
    await using place = await openTestDatabase();

    const plans = await plansOf(place.db, look);

    expect(plans).toEqual(indexes.map((index) => expect.stringMatching(index)));
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan|SCAN (?!\w+ USING|piece$)/m);
  });

  test.each([...SEARCHES, ...QUEUES])('sorts nothing to list %s', async (_name, _indexes, look) => {
    await using place = await openTestDatabase();

    for (const plan of await plansOf(place.db, look)) expect(plan).not.toMatch(/TEMP B-TREE|Sort/);
  });
});
