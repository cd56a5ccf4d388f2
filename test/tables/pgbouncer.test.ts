import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { type Db, openDatabase } from '../../src/tables/database.js';
import { importTestCatalog } from '../support/catalog.js';
import { numbers } from '../support/crowd.js';
import { Customer, readOrderPage } from '../support/customer.js';
import { openPgBouncer } from '../support/pgbouncer.js';
import { openHostedPage, payAndReturn, payByCard } from '../support/purchase.js';
import { openDatabaseOf } from '../support/temporary-database.js';
import { openTestShop } from '../support/test-shop.js';

/** Runs on PostgreSQL only. It then must not be skipped silently. */
const server = process.env['TEST_DATABASE_URL'];
const LIMIT = 5;

async function settingsOf(queries: Db): Promise<unknown> {
  const setting = (name: string) => sql<string>`current_setting(${sql.lit(name)})`;
  const { rows } = await sql`select ${setting('statement_timeout')} as statement, ${setting('lock_timeout')} as lock,
    ${setting('idle_in_transaction_session_timeout')} as idle`.execute(queries);
  return rows[0];
}

(server === undefined ? describe.skip : describe).each(['session', 'transaction'] as const)(
  'behind PgBouncer with %s pooling',
  (mode) => {
    test('case 177: two processes that start at once migrate, sell, and share a limit', async () => {
      await using bouncer = await openPgBouncer(server ?? '', { mode });
      await using database = await openDatabaseOf(server ?? '');
      const url = bouncer.through(database.url);
      const [one, other] = [openDatabase(url, () => {}), openDatabase(url, () => {})];
      await using _closing = {
        [Symbol.asyncDispose]: async () =>
          void (await Promise.all([one, other].map((db) => db[Symbol.asyncDispose]()))),
      };

      await Promise.all([one.migrate(), other.migrate()]);
      await importTestCatalog(one);
      const shops = await Promise.all([one, other].map(() => openTestShop({ env: { DATABASE_URL: url } })));
      const states = await Promise.all(
        shops.map(async (shop) => {
          const hosted = await openHostedPage(shop);
          await payAndReturn(shop, hosted);
          const page = await hosted.customer.get(hosted.orderPath);
          const card = await Customer.withCart(shop);
          const paid = await payByCard(shop, card);
          return [page, await card.get(paid.headers['location'] ?? '')].map(({ text }) => readOrderPage(text).state);
        }),
      );
      const name = randomUUID();
      const limiters = [one, other].map((db) => db.limiter({ name, max: LIMIT, seconds: 60 }));
      const waits = await Promise.all(numbers(20).map((index) => limiters[index % 2]?.count('key')));
      for (const shop of shops) await shop[Symbol.asyncDispose]();

      expect(states).toEqual([
        ['paid', 'paid'],
        ['paid', 'paid'],
      ]);
      expect(waits.filter((wait) => wait === undefined)).toHaveLength(LIMIT);
    });

    test('case 177: a transaction has its limits, and leaves none of them to the next client of its connection', async () => {
      await using bouncer = await openPgBouncer(server ?? '', { mode });
      await using database = await openDatabaseOf(server ?? '');
      await using db = openDatabase(bouncer.through(database.url), () => {});

      const inside = await db.transaction(settingsOf);
      const failing = db.transaction((queries) => sql`select 1 / 0`.execute(queries));
      await expect(failing).rejects.toThrow('division by zero');
      const outside = await Promise.all(numbers(4).map(() => settingsOf(db.queries)));

      expect(inside).toEqual({ statement: '10s', lock: '3s', idle: '10s' });
      expect(outside).toEqual(outside.map(() => ({ statement: '0', lock: '0', idle: '0' })));
    });
  },
);

(server === undefined ? test.skip : test)(
  'case 177: without PgBouncer the server also limits single statements',
  async () => {
    await using database = await openDatabaseOf(server ?? '');
    await using db = openDatabase(database.url, () => {});

    expect(await settingsOf(db.queries)).toMatchObject({ statement: '10s', lock: '3s' });
  },
);
