import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import LibSql from 'libsql';
import { finishAttempt } from '../../src/checkout/finish-attempt.js';
import { isDatabaseError, isTransientError } from '../../src/db/database-error.js';
import { isPostgres } from '../../src/db/dialects.js';
import { Customer, contact, readOrderPage } from '../support/customer.js';
import { allAttempts, allOrders, until } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../support/purchase.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

/** Longer than a caller that died in the middle stands in anyone's way. */
const LEASE_MS = 15_000;
/** How long a request waits for a write lock at most. */
const WRITE_DEADLINE_MS = 3_000;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const embedded = process.env['TEST_DATABASE_URL'] ? test.skip : test;

describe('a checkout while the database', () => {
  embedded('is full is answered 503, keeps the cart, and works once there is room', async () => {
    await using shop = await openTestShop();
    const { queries } = shop.context.checkout.db;
    const customers = await Promise.all(numbers(30).map(() => Customer.withCart(shop)));
    await sql.raw('pragma max_page_count = 1').execute(queries);

    const answers = await Promise.all(customers.map((customer) => customer.payHosted()));
    const catalog = await customers[0]?.get('/');
    await sql.raw('pragma max_page_count = 1000000').execute(queries);
    shop.clock.advance(LEASE_MS);
    const again = await Promise.all(customers.map((customer) => customer.payHosted()));

    const refused = answers.filter(({ status }) => status !== 302);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, headers, text } of refused) {
      expect([status, headers['retry-after']]).toEqual([503, '5']);
      expect(text).toMatch(/No pudimos (guardar|abrir)/);
    }
    expect(catalog?.status).toBe(200);
    expect(again.map(({ status }) => status)).toEqual(customers.map(() => 302));
    expect(await allOrders(shop)).toHaveLength(customers.length);
  });

  embedded(
    'is held by another program is answered 503 within seconds, and the process lives on',
    async () => {
      await using shop = await openTestShop();
      const customer = await Customer.withCart(shop);
      const other = new LibSql(`${shop.directory}/shop.db`);
      other.exec('begin immediate');

      const answers = await Promise.all([customer.payHosted(), customer.get('/healthz'), customer.get('/')]);
      const added = await customer.post('/cart/items', { product_id: 'taza-talavera', quantity: '1' });
      other.exec('rollback');
      other.close();
      const again = await customer.post('/checkout/hosted', contact);

      expect(answers.map(({ status }) => status)).toEqual([503, 200, 200]);
      expect([added.status, again.status]).toEqual([503, 302]);
      expect(shop.simulator.control.calls('create-session')).toHaveLength(1);
    },
  );
});

describe('while another process holds the write lock of the embedded database', () => {
  embedded(
    'ten requests at once share one deadline, and returns lead to order pages that show the known state',
    async () => {
      await using shop = await openTestShop();
      const pages = await Promise.all(numbers(7).map(() => openHostedPage(shop)));
      for (const { session } of pages) shop.simulator.control.paySession(session);
      const others = await Promise.all(numbers(2).map(() => Customer.withCart(shop)));
      const other = new LibSql(`${shop.directory}/shop.db`);
      other.exec('begin immediate');
      const delays = monitorEventLoopDelay({ resolution: 1 });
      delays.enable();

      const startedAt = performance.now();
      const returning = Promise.all(pages.map(({ customer, returnPath }) => customer.get(returnPath)));
      const line = { product_id: 'taza-talavera', quantity: '1' };
      const posting = Promise.all([
        ...others.map((customer) => customer.payHosted()),
        new Customer(shop).post('/cart/items', line),
      ]);
      const [returns, posts] = await Promise.all([returning, posting]);
      const requestsMs = performance.now() - startedAt;
      const shown = await Promise.all(pages.map(({ customer, orderPath }) => customer.get(orderPath)));
      const pagesMs = performance.now() - startedAt - requestsMs;
      delays.disable();
      other.exec('rollback');
      other.close();
      shop.clock.advance(10_000);
      const after = await Promise.all(pages.map(({ customer, orderPath }) => customer.get(orderPath)));

      expect(returns.map(({ status, headers }) => [status, headers['location']])).toEqual(
        pages.map(({ orderPath }) => [303, orderPath]),
      );
      expect(posts.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(
        posts.map(() => [503, '5']),
      );
      expect(shown.map(({ status, text }) => [status, readOrderPage(text).state])).toEqual(
        pages.map(() => [200, 'pending']),
      );
      expect(after.map(({ text }) => readOrderPage(text).state)).toEqual(pages.map(() => 'paid'));
      expect(Math.max(requestsMs, pagesMs)).toBeLessThan(2 * WRITE_DEADLINE_MS);
      expect(delays.max / 1e6).toBeLessThan(500);
    },
    60_000,
  );
});

/** Keeps everybody else from writing orders, until the work is done; whoever waits for it is sent away again and again. */
async function whileHeld(shop: TestShop, work: () => Promise<void>): Promise<void> {
  await using other = await shop.connect();
  await using watch = await shop.connect();
  const postgres = isPostgres(other.queries);
  let working = true;
  await other.transaction(async (queries) => {
    if (postgres) await sql`lock table orders in access exclusive mode`.execute(queries);
    const sendAway = async () => {
      while (working && postgres) {
        await sql`select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
          where not granted and datname = current_database() and relation = 'orders'::regclass`.execute(
          watch.queries,
        );
      }
    };
    const away = sendAway();
    await work();
    working = false;
    await away;
  });
}

describe('an answer of the gateway', () => {
  test.each([
    ['hosted page', 'create-session', (_shop: TestShop, customer: Customer) => customer.payHosted()],
    [
      'card payment',
      'process',
      (shop: TestShop, customer: Customer) => payByCard(shop, customer, CARDS.challenged),
    ],
  ] as const)(
    'about a %s is kept in hand while the database cannot take it, and written then',
    async (_what, call, pay) => {
      await using shop = await openTestShop();
      const customer = await Customer.withCart(shop);
      shop.simulator.control.fault(call, { kind: 'review' });
      const paying = pay(shop, customer);
      await until(() => shop.simulator.control.calls(call).length === 1);

      await whileHeld(shop, async () => {
        shop.simulator.control.release();
        await until(() => shop.logged.some((line) => line.includes('attempt.outcome_retried')));
      });
      const paid = await paying;

      const [attempt] = await allAttempts(shop);
      expect(paid.status).toBe(302);
      expect(attempt).toMatchObject({ state: 'open', redirectUrl: paid.headers['location'] });
      expect(shop.simulator.control.calls(call)).toHaveLength(1);
    },
    30_000,
  );

  test('is not written twice when the connection broke after it had been', async () => {
    await using shop = await openTestShop();
    const customer = await Customer.withCart(shop);
    const opened = await customer.payHosted();
    const [attempt] = await allAttempts(shop);
    if (!attempt) throw new Error('there is no attempt');

    const again = await finishAttempt(shop.context.checkout, attempt, {
      kind: 'opened',
      gatewayId: attempt.gatewayId ?? '',
      url: opened.headers['location'] ?? '',
    });

    expect(again).toMatchObject({ late: false, order: { state: 'pending' } });
    expect(await allAttempts(shop)).toEqual([attempt]);
  });
});

describe('a fault is the database’s own', () => {
  const coded = (code: string) => Object.assign(new Error('x'), { code });

  test.each([
    'SQLITE_BUSY',
    'SQLITE_ABORT',
    'SQLITE_FULL',
    'SQLITE_IOERR_WRITE',
    '08006',
    '53300',
    '57P01',
    '40001',
    '55P03',
    'ECONNREFUSED',
  ])('with %s', (code) => {
    expect(isDatabaseError(coded(code))).toBe(true);
  });

  test.each([
    ['SQLITE_BUSY', true],
    ['SQLITE_ABORT', true],
    ['57P01', true],
    ['40P01', true],
    ['ECONNREFUSED', true],
    ['SQLITE_FULL', false],
    ['SQLITE_CORRUPT', false],
    ['58030', false],
    ['SQLITE_CONSTRAINT_UNIQUE', false],
  ])('and passes by itself with %s: %s', (code, passes) => {
    expect(isTransientError(coded(code))).toBe(passes);
  });

  test('when its driver lost the connection', () => {
    expect(isDatabaseError(new Error('Connection terminated unexpectedly'))).toBe(true);
    expect(isDatabaseError(new Error('timeout exceeded when trying to connect'))).toBe(true);
  });

  test.each(['SQLITE_CONSTRAINT_UNIQUE', '23505', '42P01', 'ERR_INVALID_ARG_TYPE', ''])(
    'and not with %s',
    (code) => {
      expect(isDatabaseError(coded(code))).toBe(false);
      expect(isDatabaseError(code)).toBe(false);
      expect(isDatabaseError(null)).toBe(false);
    },
  );
});
