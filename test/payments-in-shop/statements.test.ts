/** How much a checkout costs the database. Without limits and the session, which other pages have too. */
import { expect, test } from '@jest/globals';
import { isPostgres } from '@tianguis/payments/database';
import type { CompiledQuery, QueryResult } from 'kysely';
import { Customer, contact } from '../support/customer.js';
import { openSharedShop } from '../support/shared-shop.js';
import { LIMITED, setStock } from '../support/stock.js';

const shop = await openSharedShop();

/** The connections of both databases. */
interface Connection {
  begin(...limits: unknown[]): Promise<void>;
  commit(): Promise<void>;
  executeQuery(query: CompiledQuery): Promise<QueryResult<unknown>>;
}

/** Returns the statements that all connections of the shop send while `work` runs. */
async function statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const sent: string[] = [];
  const prototype = await shop.queries
    .getExecutor()
    .provideConnection(async (connection): Promise<Connection> => Object.getPrototypeOf(connection));
  const { begin, commit, executeQuery } = prototype;
  Object.assign(prototype, {
    begin(this: Connection, ...limits: unknown[]) {
      sent.push('begin');
      return begin.apply(this, limits);
    },
    commit(this: Connection) {
      sent.push('commit');
      return commit.call(this);
    },
    executeQuery(this: Connection, query: CompiledQuery) {
      sent.push(query.sql);
      return executeQuery.call(this, query);
    },
  });
  try {
    await work();
  } finally {
    Object.assign(prototype, { begin, commit, executeQuery });
  }
  return sent.filter((text) => !text.includes('"sessions"'));
}

test.each([
  ['an unlimited', 'taza-talavera', { sqlite: 16, postgres: 24 }],
  ['a limited', LIMITED, { sqlite: 18, postgres: 28 }],
])('the first checkout of %s product has three commits and few statements', async (_name, product, max) => {
  await setStock(shop, 5);
  const customer = await Customer.withCart(shop, { product_id: product });
  const fields = { ...contact, shipping_option: 'none', ...(await customer.readDelivery()) };

  const sent = await statementsOf(() => customer.send('/checkout/hosted', fields));

  const isControl = (text: string) => text === 'begin' || text === 'commit';
  expect(sent.filter((text) => text === 'commit')).toHaveLength(3);
  // SQLite begins and commits in this process. With PostgreSQL each of both is a round trip.
  if (isPostgres(shop.queries)) expect(sent.length).toBeLessThanOrEqual(max.postgres);
  else expect(sent.filter((text) => !isControl(text)).length).toBeLessThanOrEqual(max.sqlite);
});
