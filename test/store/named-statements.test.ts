import { describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { claimDueAttempts, findAttempts, insertAttempt } from '../../src/store/attempts.js';
import type { Queries } from '../../src/store/database.js';
import { findOrder, findOrderByToken, insertOrder } from '../../src/store/orders.js';
import { searchOrders } from '../../src/store/search-orders.js';
import { attemptRow, LINE, orderRow } from '../support/rows.js';
import { openTestDatabase } from '../support/test-database.js';

const onPostgres = process.env['TEST_DATABASE_URL'] === undefined ? describe.skip : describe;

async function lookEverywhere(queries: Queries, orderId: string) {
  return {
    order: await findOrder(queries, orderId),
    byToken: await findOrderByToken(queries, orderId),
    found: await searchOrders(queries, { filter: {}, most: 5 }),
    attempts: await findAttempts(queries, orderId),
    due: await claimDueAttempts(queries, { at: 5, leaseUntil: 5, most: 5 }),
  };
}

test('a process goes on while another one’s migration adds columns to what it reads', async () => {
  await using place = await openTestDatabase();
  const { queries } = place.db;
  const order = orderRow();
  await insertOrder(queries, { ...order, token: order.id }, [LINE]);
  await insertAttempt(queries, attemptRow(order.id));
  await lookEverywhere(queries, order.id);
  const before = await lookEverywhere(queries, order.id);

  const { schema } = place.openAgain().queries;
  await schema.alterTable('orders').addColumn('gift', 'text').execute();
  await schema.alterTable('attempts').addColumn('gift', 'text').execute();

  expect(await lookEverywhere(queries, order.id)).toEqual(before);
  expect(before).toMatchObject({ order: { id: order.id }, attempts: [{}], due: [{}] });
});

onPostgres('a statement', () => {
  const known = async (queries: Queries) => {
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
      queries,
    );
    return rows.map(({ statement }) => statement);
  };

  test('is read and planned once for each connection', async () => {
    await using place = await openTestDatabase();

    const statements = await place.db.queries.connection().execute(async (queries) => {
      for (const id of ['x', 'y', 'z']) await findOrder(queries, id);
      return known(queries);
    });

    expect(statements.filter((text) => text.includes('from "orders"'))).toHaveLength(1);
  });

  test('that asks for all columns, or changes tables, is kept by nobody', async () => {
    await using place = await openTestDatabase();

    const statements = await place.db.queries.connection().execute(async (queries) => {
      await queries.selectFrom('carts').selectAll().execute();
      await queries.schema.createTable('more').addColumn('id', 'text').execute();
      return known(queries);
    });

    expect(statements.filter((text) => /\*|create/.test(text))).toEqual([]);
  });
});
