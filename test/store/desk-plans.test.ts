import { describe, expect, test } from '@jest/globals';
import { type CompiledQuery, sql } from 'kysely';
import type { Database, Queries } from '../../src/store/database.js';
import {
  effectMoments,
  messagesSince,
  newestMessage,
  ordersInState,
  waitingEffects,
  waitingMessages,
} from '../../src/store/desk-figures.js';
import { isPostgres } from '../../src/store/dialects.js';
import { paidGroups, placedByState } from '../../src/store/sales.js';
import { type OrderFilter, type OrderPlace, orderSearch } from '../../src/store/search-orders.js';
import { openTestDatabase } from '../support/test-database.js';

interface Compilable {
  compile(): CompiledQuery;
}

const span = { from: 1, until: 2 };
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
    const search = { filter, most: 51, ...(place && { place }) };
    const statement = (queries: Queries): Compilable => orderSearch(queries, search);
    return [`${name}, ${place?.side ?? 'from the newest'}`, index, statement] as const;
  }),
);

const FIGURES: readonly (readonly [string, string, (queries: Queries) => Compilable])[] = [
  ['unsettled orders', 'orders_by_state', (queries) => ordersInState(queries, 'pending', 100)],
  ['orders paid in a span', 'orders_paid', (queries) => paidGroups(queries, span)],
  ['orders placed in a span', 'orders_by_age', (queries) => placedByState(queries, span)],
  ['messages since', 'inbox_by_receipt', (queries) => messagesSince(queries, 1)],
  ['the newest message', 'inbox_by_receipt', (queries) => newestMessage(queries)],
  ['waiting messages', 'inbox_due', (queries) => waitingMessages(queries, 100)],
  ['waiting effects', 'outbox_waiting', (queries) => waitingEffects(queries, 5)],
  ['how many effects wait', 'outbox_waiting', (queries) => effectMoments(queries, 100)],
];

/** How the database would carry a statement out, as one text. */
async function planOf(db: Database, { compile }: { compile(): CompiledQuery }): Promise<string> {
  return db.transaction(async (queries) => {
    const postgres = isPostgres(queries);
    // An empty table is read as a whole for want of anything cheaper, whatever indexes there are.
    if (postgres) await sql`set local enable_seqscan = off`.execute(queries);
    if (postgres) await sql`set local enable_bitmapscan = off`.execute(queries);
    const { sql: text, parameters } = compile();
    const [first = '', ...rest] = text.split(postgres ? /\$\d+/ : '?');
    const explain = sql.raw(postgres ? 'explain ' : 'explain query plan ');
    const pieces = rest.map((piece, place) => sql`${sql.lit(parameters[place])}${sql.raw(piece)}`);
    const { rows } = await sql<
      Record<string, unknown>
    >`${explain}${sql.raw(first)}${sql.join(pieces, sql``)}`.execute(queries);
    return rows.map((row) => String(row['detail'] ?? row['queryPlan'] ?? row['QUERY PLAN'])).join('\n');
  });
}

describe('a desk over a million orders', () => {
  test.each([...SEARCHES, ...FIGURES])('finds %s by %s', async (_name, index, statement) => {
    await using place = await openTestDatabase();

    const query = statement(place.db.queries);
    const plan = await planOf(place.db, { compile: () => query.compile() });

    expect(plan).toContain(index);
    expect(plan).not.toMatch(/Seq Scan|SCAN (?:orders|inbox|outbox)(?! USING)/);
  });

  test.each(SEARCHES)('sorts nothing to list %s', async (_name, _index, statement) => {
    await using place = await openTestDatabase();

    const query = statement(place.db.queries);
    const plan = await planOf(place.db, { compile: () => query.compile() });

    expect(plan).not.toMatch(/TEMP B-TREE|Sort/);
  });
});
