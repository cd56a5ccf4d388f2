import { expect, test } from '@jest/globals';
import { isDatabaseError, isPostgres } from '@tianguis/payments/database';
import { sql } from 'kysely';
import LibSql from 'libsql';
import { isRepeatable } from '../../packages/payments/src/database/database-error.js';
import { isGatewayAttempt } from '../../packages/payments/src/rules/attempt.js';
import { storeResponse } from '../../packages/payments/src/store-response.js';
import { numbers, until } from '../support/crowd.js';
import { Customer, readOrderPage } from '../support/customer.js';
import { allAttempts, allOrders } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../support/purchase.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

/** Longer than a lease, so that an attempt of a broken request can be taken over. */
const LEASE_MS = 15_000;
/** Maximum time that a request waits for the write lock. */
const WRITE_DEADLINE_MS = 3_000;
const LINE = { product_id: 'taza-talavera', quantity: '1' };
const embedded = process.env['TEST_DATABASE_URL'] !== undefined ? test.skip : test;

/** Takes the write lock of the embedded database, as another process would. */
function lockDatabase(shop: TestShop): Disposable {
  const other = new LibSql(`${shop.directory}/shop.db`);
  other.exec('begin immediate');
  return {
    [Symbol.dispose]() {
      other.exec('rollback');
      other.close();
    },
  };
}

embedded('a checkout with a full database is answered 503, keeps the cart, and works once there is room', async () => {
  await using shop = await openTestShop();
  const { queries } = shop.context.checkout.db;
  const customers = await Promise.all(numbers(10).map(() => Customer.withCart(shop)));
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
  'while another process holds the write lock, all requests share one deadline, returns lead to the order pages, and these are truthful',
  async () => {
    await using shop = await openTestShop();
    const pages = await Promise.all(numbers(7).map(() => openHostedPage(shop)));
    for (const { session } of pages) shop.simulator.control.paySession(session);
    const others = await Promise.all(numbers(2).map(() => Customer.withCart(shop)));
    const readOrders = () => Promise.all(pages.map(({ customer, orderPath }) => customer.get(orderPath)));

    const lock = lockDatabase(shop);
    const startedAt = performance.now();
    const [returns, shown, posts, reads] = await Promise.all([
      Promise.all(pages.map(({ customer, returnPath }) => customer.get(returnPath))),
      readOrders(),
      Promise.all([...others.map((customer) => customer.payHosted()), new Customer(shop).post('/cart/items', LINE)]),
      Promise.all(['/healthz', '/'].map((path) => new Customer(shop).get(path))),
    ]);
    const waitedMs = performance.now() - startedAt;
    lock[Symbol.dispose]();
    const placed = await others[0]?.payHosted();
    // On a busy machine one of these writes may wait too long, and the page then says so.
    const areAllPaid = async () => {
      shop.clock.advance(10_000);
      return (await readOrders()).every(({ text }) => readOrderPage(text).state === 'paid');
    };
    await until(areAllPaid, { everyMs: 200 });

    expect(returns.map(({ status, headers }) => [status, headers['location']])).toEqual(
      pages.map(({ orderPath }) => [303, orderPath]),
    );
    for (const { status, headers } of posts) expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect(reads.map(({ status }) => status)).toEqual([200, 200]);
    expect(shown.map(({ status, text }) => [status, readOrderPage(text).state])).toEqual(
      pages.map(() => [200, 'pending']),
    );
    expect(placed?.status).toBe(302);
    // In turn, seven returns would wait for seven deadlines.
    expect(waitedMs).toBeLessThan(6 * WRITE_DEADLINE_MS);
    // Inside a statement the driver would block all other requests.
    const { rows } = await sql<{ timeout: number }>`pragma busy_timeout`.execute(shop.queries);
    expect(rows[0]?.timeout).toBeLessThanOrEqual(50);
  },
  60_000,
);

/** Locks the orders during the work. PostgreSQL sessions that wait for the lock are ended repeatedly. */
async function whileLocked(shop: TestShop, work: () => Promise<void>): Promise<void> {
  await using other = await shop.connect();
  await using watch = await shop.connect();
  const postgres = isPostgres(other.queries);
  let working = true;
  await other.transaction(async (queries) => {
    if (postgres) await sql`lock table orders in access exclusive mode`.execute(queries);
    const endWaiting = async () => {
      while (working && postgres) {
        await sql`select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
          where not granted and datname = current_database() and relation = 'orders'::regclass`.execute(watch.queries);
      }
    };
    const ending = endWaiting();
    await work();
    working = false;
    await ending;
  });
}

test('an answer of the gateway is retried in memory while the database cannot store it, and then stored', async () => {
  await using shop = await openTestShop();
  const { control } = shop.simulator;
  const [hosted, card] = [await Customer.withCart(shop), await Customer.withCart(shop)];
  for (const call of ['create-session', 'process'] as const) control.fault(call, { kind: 'hold' });
  const sent = () => [...control.calls('create-session'), ...control.calls('process')].length;
  const paying = Promise.all([hosted.payHosted(), payByCard(shop, card, CARDS.challenged)]);
  await until(() => sent() === 2);

  await whileLocked(shop, async () => {
    control.release();
    const retried = () => shop.logged.filter((line) => line.includes('attempt.outcome_retried'));
    await until(() => new Set(retried().map((line) => JSON.parse(line).attempt)).size === 2);
  });
  const answers = await paying;

  const attempts = await allAttempts(shop);
  expect(answers.map(({ status }) => status)).toEqual([302, 302]);
  expect(attempts.map(({ state }) => state)).toEqual(['open', 'open']);
  expect(new Set(attempts.map(({ redirectUrl }) => redirectUrl))).toEqual(
    new Set(answers.map(({ headers }) => headers['location'])),
  );
  expect(sent()).toBe(2);
});

test('an answer of the gateway that was stored before the connection broke is not stored twice', async () => {
  await using shop = await openTestShop();
  const customer = await Customer.withCart(shop);
  const opened = await customer.payHosted();
  const [attempt] = await allAttempts(shop);
  if (!attempt || !isGatewayAttempt(attempt)) throw new Error('there is no attempt');

  const again = await storeResponse(shop.context.checkout, attempt, {
    kind: 'opened',
    gatewayId: attempt.gatewayId ?? '',
    redirectUrl: opened.headers['location'] ?? '',
  });

  expect(again).toMatchObject({ isUsable: true, order: { state: 'pending' } });
  expect(await allAttempts(shop)).toEqual([attempt]);
});

test.each([
  ['of the database, which reports it as transient', [true, true], 'SQLITE_BUSY SQLITE_ABORT 57P01 40P01 40001 08006'],
  [
    'of the database and another one',
    [true, false],
    'SQLITE_FULL SQLITE_IOERR_WRITE SQLITE_CORRUPT 58030 ECONNREFUSED',
  ],
  ['not of the database', [false, false], 'SQLITE_CONSTRAINT_UNIQUE 23505 42P01 ERR_INVALID_ARG_TYPE'],
])('an error with a code is %s', (_what, expected, codes) => {
  for (const code of codes.split(' ')) {
    const error = Object.assign(new Error('x'), { code });
    expect([code, isDatabaseError(error), isRepeatable(error)]).toEqual([code, ...expected]);
  }
});

test('an error without a code is of the database when the driver lost the connection', () => {
  expect(isDatabaseError(new Error('Connection terminated unexpectedly'))).toBe(true);
  expect(isDatabaseError(new Error('timeout exceeded when trying to connect'))).toBe(true);
  for (const other of ['23505', '', null]) expect(isDatabaseError(other)).toBe(false);
});
