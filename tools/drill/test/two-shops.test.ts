/** The production setup of docs/running.md: two shops and a worker with one PostgreSQL, behind HAProxy. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sharedBuild } from '../../../test/support/built-program.js';
import { inParallel, numbers, until } from '../../../test/support/crowd.js';
import { readOrderPage } from '../../../test/support/customer.js';
import { openProxy } from '../../../test/support/haproxy.js';
import { mailFiles } from '../../../test/support/mailbox.js';
import { findPostgres, openPostgres } from '../../../test/support/postgres-server.js';
import { freePort, Program } from '../../../test/support/programs.js';
import { Customer, expectStatus, pathOf, paySession, type Reply, redirectedSession, retry } from '../customer.js';
import { countQueues } from '../database-state.js';
import { advancedClock, type Environment, openEnvironment, readShopState } from '../environment.js';
import { chargesIn, findViolations } from '../invariants.js';
import { findLeaks } from '../leaks.js';
import { createRandom, type Random } from '../scenario.js';
import { resendCardWebhooks } from '../simulator-control.js';

const postgres = findPostgres();
const testDatabase = process.env['TEST_DATABASE_URL'];
/** Runs on PostgreSQL only, as the other tests of that database do. It then must not be skipped silently. */
const isWanted = testDatabase !== undefined;

const SEED = Number(process.env['TWO_SHOPS_SEED'] ?? 1);
const CONCURRENT_CUSTOMERS = 6;
const MAX_CARTS = 5;
/** 15 min: all leases and reconcile delays have passed, but no order has expired. */
const LATER_MS = 15 * 60_000;
/** States that the page of a charged order must not show. */
const NOT_CHARGED = ['created', 'declined', 'expired', 'cancelled'];

(isWanted ? describe : describe.skip)('two shops and a worker behind a proxy, on PostgreSQL', () => {
  let server: Awaited<ReturnType<typeof openPostgres>> | undefined;

  beforeAll(async () => {
    if (postgres !== undefined) server = await openPostgres(postgres);
  }, 60_000);

  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  /** Opens the shops with the proxy's address as their public URL. */
  async function openShops() {
    const port = await freePort();
    const environment = await openEnvironment({
      shops: 2,
      server: server?.url ?? testDatabase,
      variables: { PATH: process.env['PATH'] ?? '', TRUST_PROXY: '1' },
      dist: join(sharedBuild(), 'dist'),
      publicPort: port,
    });
    const worker = new Program({
      name: 'worker',
      script: join(sharedBuild(), 'dist/src/worker.js'),
      folder: environment.folder,
      env: { ...environment.settings, LOG_LEVEL: 'info' },
      ready: { output: '"worker.started"' },
    });
    return { port, worker, environment: { ...environment, nextUrl: () => `http://localhost:${port}` } };
  }

  test(`killed again and again, they lose no order and do nothing twice (seed ${SEED})`, async () => {
    const shops = await openShops();
    await using environment = shops.environment;
    await using worker = shops.worker;
    await worker.start();
    await using _proxy = await openProxy({ port: shops.port, shops: environment.shopPorts });
    const programs = [...environment.shops, worker];
    const random = createRandom(SEED);
    const problems: string[] = [];
    const end = new AbortController();
    const buying = inParallel(numbers(CONCURRENT_CUSTOMERS), CONCURRENT_CUSTOMERS, async (lane) => {
      for (let count = lane; !end.signal.aborted; count += 1) {
        await buy({ environment, random }, count).catch((error) => problems.push(String(error)));
        await delay(200 + random.below(400));
      }
    });

    for (const victims of shuffled(random, faultsOf(programs, server))) {
      await delay(random.below(400));
      await victims();
      problems.push(...programs.filter((one) => !one.isRunning()).map((one) => `died: ${one.log().slice(-400)}`));
    }
    end.abort();
    await buying;
    await resendCardWebhooks(environment.control);
    await Promise.all(programs.map((program) => program.kill('SIGTERM')));
    // One worker alone, after all leases of the killed processes have expired.
    await worker.start({ nodeOptions: advancedClock(LATER_MS) });
    const isVerified = async () => {
      const state = await readShopState(environment);
      const { jobs } = await countQueues(environment.databaseUrl);
      return jobs === 0 && chargesIn('paid', state).length === state.ledger.length;
    };
    await until(isVerified, { withinMs: 60_000, everyMs: 100 });
    await worker.kill('SIGTERM');

    const state = await readShopState(environment);
    const paid = state.orders.filter((order) => order.state === 'paid');
    expect(problems).toEqual([]);
    for (const program of programs) expect(program.log()).not.toContain('Node.js v');
    expect(await findLeaks(environment)).toEqual([]);
    expect(findViolations(state)).toEqual([]);
    expect(state.ledger.length).toBeGreaterThan(CONCURRENT_CUSTOMERS);
    expect(chargesIn('paid', state)).toHaveLength(state.ledger.length);
    expect(paid).toHaveLength(state.ledger.length);
    expect(receiptsIn(environment.folder)).toEqual(new Set(paid.map(({ id }) => `receipt.${id}.eml`)));
  }, 240_000);
});

/** Each fault restarts what it breaks. While both shops are down, the proxy has none. */
function faultsOf(programs: readonly Program[], server: { crash(): Promise<void> } | undefined) {
  const kill = async (...victims: readonly Program[]) => {
    await Promise.all(victims.map((program) => program.kill()));
    // Like a process supervisor: a shop cannot start while the database is down.
    await Promise.all(victims.map((one) => retry({ tries: 20, pauseMs: () => 200 }, () => one.start())));
  };
  const single = programs.map((program) => () => kill(program));
  const database = server ? [() => server.crash()] : [];
  return [...single, ...database, () => kill(...programs.slice(0, 2))];
}

interface Purchase {
  readonly environment: Environment;
  readonly random: Random;
}

/** Buys with retries. Throws if the customer cannot buy or a page contradicts the ledger. */
async function buy(purchase: Purchase, count: number): Promise<void> {
  const { environment, random } = purchase;
  const customer = new Customer(environment);
  const send = <T>(request: () => Promise<T>) => retry({ tries: 200, pauseMs: () => 50 + random.below(100) }, request);
  const checkPage = async (path: string) => {
    const page = expectStatus(await send(() => customer.get(path)), 200);
    const { state } = readOrderPage(page.text);
    const { ledger, orders, attempts } = await send(() => readShopState(environment));
    const order = orders.find(({ token }) => path.endsWith(token));
    const own = attempts.filter(({ orderId }) => orderId === order?.id);
    const isCharged = ledger.some((charge) => own.some(({ gatewayId }) => gatewayId === charge.id));
    if (isCharged ? NOT_CHARGED.includes(state) : state === 'paid')
      throw new Error(`the page showed ${state}, ${isCharged ? 'charged' : 'not charged'}`);
  };
  await send(() => customer.add());
  if (count % 5 === 0) {
    // The customer submits a card once. After a lost response the shop must find the payment.
    const reply = await customer.payByCard().catch(() => undefined);
    if (reply?.status === 303) await checkPage(pathOf(reply.headers.location));
    return;
  }
  for (const _ of numbers(MAX_CARTS)) {
    const session = redirectedSession(environment, await send(() => customer.payHosted()));
    if (session !== undefined) {
      const returnPath = await paySession(environment, session);
      // One of three customers does not return.
      if (count % 3 === 0) return;
      const reply: Reply = expectStatus(await send(() => customer.get(returnPath)), 303);
      return checkPage(pathOf(reply.headers.location));
    }
    await send(() => customer.add());
  }
  throw new Error('the customer never reached the hosted page');
}

function shuffled<T>(random: Random, items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, rank: random.below(1e9) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}

/** Returns the file names of all complete receipts, regardless of the process that wrote them. */
function receiptsIn(folder: string): ReadonlySet<string> {
  const files = readdirSync(folder).flatMap((name) => mailFiles(join(folder, name, 'data/mail')));
  return new Set(files.map((file) => basename(file)));
}
