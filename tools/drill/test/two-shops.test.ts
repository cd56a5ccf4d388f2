/** The production setup of docs/running.md: two shops and a worker with one PostgreSQL, behind HAProxy. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startWorker } from '../../../src/checkout/run-worker.js';
import { parseConfig } from '../../../src/config.js';
import { createContext } from '../../../src/context.js';
import { createLog } from '../../../src/log.js';
import { buildCopy } from '../../../test/support/built-copy.js';
import { inParallel, numbers, until } from '../../../test/support/crowd.js';
import { findHaproxy, openProxy, type ProxyServer } from '../../../test/support/haproxy.js';
import type { Reply } from '../../../test/support/http.js';
import { findPostgres, openPostgres } from '../../../test/support/postgres-server.js';
import { freePort, type Program, startProgram } from '../../../test/support/programs.js';
import { temporaryDatabase } from '../../../test/support/temporary-database.js';
import { type Books, countQueues, readBooks } from '../books.js';
import { Customer, comeBack, expectStatus, patiently, pay, sessionBehind, stateOn } from '../customer.js';
import { breaches, chargesThat } from '../invariants.js';
import { leaksOf } from '../leaks.js';
import { findProducts } from '../products.js';
import { createRandom, type Random } from '../random.js';
import type { Stage } from '../stage.js';
import { shopSettings, simulatorSettings } from '../stage-settings.js';
import { type Shop, startable } from '../startable.js';
import { type Strings, stringsOf } from '../strings.js';

const source = fileURLToPath(new URL('../../..', import.meta.url));
const haproxy = findHaproxy();
const postgres = findPostgres();
const given = process.env['TEST_DATABASE_URL'];
/** A run with a test database must not skip these tests silently. */
const isWanted = given !== undefined || (haproxy !== undefined && postgres !== undefined);

const SEED = Number(process.env['TWO_SHOPS_SEED'] ?? 1);
const CUSTOMERS = 60;
const CALM_CUSTOMERS = 24;
const AT_ONCE = 16;
/** Number of tries, enough for the lease of a killed process to expire. */
const PATIENCE = 200;
const MOST_STARTS = 5;
/** 15 min: all leases and reconcile delays have passed, but no order has expired. */
const LATER_MS = 15 * 60_000;
/** States that the page of a charged order must not show. */
const UNTRUE_ONCE_CHARGED = ['created', 'declined', 'expired', 'cancelled'];

/** All processes of one test. Disposing of it stops all of them. */
interface Room extends AsyncDisposable {
  readonly stage: Stage;
  readonly proxy: ProxyServer;
  readonly worker: Worker;
  /** Absent if the server is shared and must not be crashed. */
  readonly breakDatabase?: () => Promise<void>;
  /** Settings of the shop processes. */
  readonly settings: Readonly<Record<string, string>>;
  /** Parent of the processes' working directories. */
  readonly folder: string;
  /** Returns the number of requests of all customers. */
  requests(): number;
}

interface Worker {
  /** Resolves when the worker is running. */
  start(): Promise<void>;
  kill(signal?: NodeJS.Signals): Promise<void>;
  isRunning(): boolean;
  log(): string;
}

/** Disposes of resources in reverse order. */
class Closings {
  readonly #closings: (() => unknown)[] = [];

  /** Registers a resource and returns it. */
  use<T extends AsyncDisposable>(thing: T): T {
    this.add(() => thing[Symbol.asyncDispose]());
    return thing;
  }

  add(close: () => unknown): void {
    this.#closings.unshift(close);
  }

  async closeAll(): Promise<void> {
    for (const close of this.#closings.splice(0)) await close();
  }
}

async function openRoom(home: string): Promise<Room> {
  const closings = new Closings();
  try {
    return await furnish(home, closings);
  } catch (error) {
    await closings.closeAll();
    throw error;
  }
}

async function furnish(home: string, closings: Closings): Promise<Room> {
  if (haproxy === undefined) throw new Error('haproxy is not installed: apt-get install haproxy');
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-room-'));
  closings.add(() => rmSync(folder, { recursive: true, force: true }));
  const server = postgres === undefined ? undefined : closings.use(await openPostgres(postgres));
  const { url: databaseUrl } = server ?? closings.use(await temporaryDatabase(folder));
  const [simulatorPort = 0, port = 0, ...own] = await Promise.all(numbers(4).map(freePort));
  const webhookToken = randomBytes(16).toString('hex');
  const common = {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'development',
    PAYMENTS_API_KEY: `test_${randomBytes(16).toString('hex')}`,
    WEBHOOK_AUTH: `bearer:${webhookToken}`,
  };
  // The gateway and the customers use the proxy only. The processes share all settings except the port.
  const settings = {
    ...common,
    ...shopSettings({ simulatorPort, publicPort: port, databaseUrl }),
    TRUST_PROXY: '1',
  };
  const simulator = startable(folder, {
    name: 'simulator',
    script: built(home, 'tools/simulator/main.js'),
    port: simulatorPort,
    health: '/_control/faults',
    env: { ...common, ...simulatorSettings(simulatorPort, port) },
  });
  const [first, second] = own.map((ownPort, index) =>
    startable(folder, {
      name: `shop${index + 1}`,
      script: built(home, 'src/main.js'),
      port: ownPort,
      health: '/readyz',
      env: { ...settings, PORT: String(ownPort) },
    }),
  ) as [Shop, Shop];
  const worker = workerIn(folder, { home, settings });
  for (const program of [simulator, first, second, worker]) closings.add(() => program.kill());
  await Promise.all([simulator, first, second, worker].map((program) => program.start()));
  const proxy = closings.use(await openProxy(haproxy, { port, shops: own as [number, number] }));
  const strings = stringsOf(simulator.url);
  let requests = 0;
  return {
    stage: {
      shops: [first, second],
      nextUrl() {
        requests += 1;
        return proxy.url;
      },
      strings,
      goods: await findProducts(first.url),
      simulatorUrl: simulator.url,
      databaseUrl,
      folder,
      secrets: [common.PAYMENTS_API_KEY, webhookToken, settings.SESSION_SECRET],
      leakingPages: new Set(),
      webhookHeaders: { Authorization: `Bearer ${webhookToken}`, 'Content-Type': 'application/json' },
      killSimulator: () => simulator.kill(),
      startSimulator: () => simulator.start(),
      // Reads the ledger first: a charge after this read must not count as lost.
      look: async () => ({ ledger: await strings.ledger(), books: await readBooks(databaseUrl) }),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    },
    ...{ proxy, worker, settings, folder },
    requests: () => requests,
    ...(server && { breakDatabase: () => server.fallOver() }),
    [Symbol.asyncDispose]: () => closings.closeAll(),
  };
}

function built(home: string, script: string): string {
  return relative(source, join(home, 'dist', script));
}

function workerIn(
  folder: string,
  { home, settings }: { readonly home: string; readonly settings: Readonly<Record<string, string>> },
): Worker {
  const cwd = join(folder, 'worker');
  const logPath = join(folder, 'worker.log');
  mkdirSync(cwd);
  const env = { ...settings, LOG_LEVEL: 'info' };
  const log = () => (existsSync(logPath) ? readFileSync(logPath, 'utf8') : '');
  const timesWorking = () => log().split('"worker.started"').length;
  let program: Program | undefined;
  return {
    log,
    async start() {
      const before = timesWorking();
      program = startProgram({ command: [join(home, 'dist/src/worker.js')], cwd, env, logPath });
      const isUp = await until(() => timesWorking() > before, { withinMs: 30_000, everyMs: 20 });
      if (!isUp) throw new Error(`the worker does not start: ${log().slice(-400)}`);
    },
    kill: (signal) => program?.kill(signal) ?? Promise.resolve(),
    isRunning: () => program?.isRunning() ?? false,
  };
}

(isWanted ? describe : describe.skip)('two shops and a worker behind a proxy, on PostgreSQL', () => {
  let copy: ReturnType<typeof buildCopy>;

  beforeAll(() => {
    copy = buildCopy();
  }, 60_000);

  afterAll(() => {
    copy[Symbol.dispose]();
  });

  test('a shop that is taken out and stopped costs no customer an answer', async () => {
    await using room = await openRoom(copy.home);
    const { stage, proxy } = room;
    const [shop] = stage.shops;
    const states: string[] = [];
    const buying = inParallel(numbers(CALM_CUSTOMERS), AT_ONCE, async () => {
      const { customer, session } = await new Customer(stage).openPage();
      states.push(stateOn(await comeBack(customer, await pay(stage, session))));
    });
    await until(() => states.length >= 5, { withinMs: 20_000, everyMs: 1 });

    await proxy.administer('set server shops/shop1 state drain');
    await until(async () => (await openConnections(proxy, 'shop1')) === 0, { withinMs: 30_000, everyMs: 5 });
    shop.signal('SIGTERM');
    await until(() => !shop.isRunning(), { withinMs: 30_000, everyMs: 5 });
    const soldAlready = states.length;
    await buying;
    await shop.start();
    await proxy.administer('set server shops/shop1 state ready');

    expect(soldAlready).toBeLessThan(CALM_CUSTOMERS);
    expect(states.filter((state) => UNTRUE_ONCE_CHARGED.includes(state))).toEqual([]);
    const arePaid = async () => chargesThat('paid', await stage.look()).length === CALM_CUSTOMERS;
    expect(await until(arePaid, { withinMs: 20_000 })).toBe(true);
  }, 60_000);

  test(`killed again and again, they lose no order and do nothing twice (seed ${SEED})`, async () => {
    await using room = await openRoom(copy.home);
    const { stage, worker } = room;
    const random = createRandom(SEED);
    const rush: Rush = { room, random, falsehoods: [], gaveUp: [], over: false };

    const breaking = breakThings(rush);
    await inParallel(numbers(CUSTOMERS), AT_ONCE, (index) => buy(rush, index));
    rush.over = true;
    const { broken, deaths } = await breaking;
    await resendLostCardNews(stage.strings);
    await stopAll(room);
    const { ledger, books } = await letTheWorkerCatchUp(room);
    expect(rush.falsehoods).toEqual([]);
    expect(rush.gaveUp).toEqual([]);
    expect(broken).toBe(BREAKAGES.length);
    expect(deaths).toEqual([]);
    for (const { log } of [...stage.shops, worker]) expect(log()).not.toContain('Node.js v');
    expect(await leaksOf(stage)).toEqual([]);
    expect(breaches({ ledger, books })).toEqual([]);
    expect(chargesThat('paid', { ledger, books })).toHaveLength(ledger.length);
    expect(ledger.length).toBeGreaterThanOrEqual(CUSTOMERS * 0.8);
    const paid = books.orders.filter(({ state }) => state === 'paid');
    expect(paid).toHaveLength(ledger.length);
    expect(receiptsOf(room)).toEqual(paid.map(({ id }) => `receipt.${id}`).sort(byText));
  }, 90_000);
});

/** All breakages, which run in random order. `both` leaves the proxy without a shop. */
const BREAKAGES = [
  ...['shop1', 'shop2', 'shop1', 'shop2'],
  ...['worker', 'worker', 'both', 'database', 'database'],
] as const;

interface Rush {
  readonly room: Room;
  readonly random: Random;
  readonly falsehoods: string[];
  readonly gaveUp: string[];
  over: boolean;
}

/** Runs each breakage at a random request, so that it interrupts the work in progress. */
async function breakThings({ room, random, ...rush }: Rush): Promise<{ broken: number; deaths: string[] }> {
  const { stage, worker, breakDatabase } = room;
  const [first, second] = stage.shops as readonly [Shop, Shop];
  const deaths: string[] = [];
  const restart = async (...shops: readonly Shop[]) => {
    await Promise.all(shops.map((shop) => shop.kill()));
    await Promise.all(shops.map(startAgain));
  };
  const acts = {
    shop1: () => restart(first),
    shop2: () => restart(second),
    both: () => restart(first, second),
    async worker() {
      await worker.kill();
      await worker.start();
    },
    database: async () => breakDatabase?.(),
  };
  let broken = 0;
  let due = room.requests();
  for (const breakage of shuffled(random, BREAKAGES)) {
    due = Math.max(due + random.below(45), room.requests());
    // 2 s limit: if every customer waits after a lost response, the next breakage happens anyway.
    await until(() => room.requests() >= due || rush.over, { withinMs: 2_000, everyMs: 1 });
    await acts[breakage]();
    broken += 1;
    const alive = { shop1: first.isRunning(), shop2: second.isRunning(), worker: worker.isRunning() };
    const dead = Object.entries(alive).filter(([, isRunning]) => !isRunning);
    deaths.push(...dead.map(([name]) => `${name} died when ${breakage} was broken`));
  }
  return { broken, deaths };
}

/** Restarts the shop repeatedly, like a process supervisor. A shop cannot start while the database is down. */
async function startAgain(shop: Shop): Promise<void> {
  const isUp = await until(
    () =>
      shop.start().then(
        () => true,
        () => false,
      ),
    { withinMs: 30_000, everyMs: 50 },
  );
  if (!isUp) throw new Error(`a shop does not start again: ${shop.log().slice(-400)}`);
}

/** Buys with retries and a new cart if the old one is gone. Some customers do not return after paying. */
async function buy(rush: Rush, index: number): Promise<void> {
  const { stage } = rush.room;
  const customer = new Customer(stage);
  try {
    if (index % 5 === 0) await buyByCard(rush, customer);
    else await buyHosted(rush, customer, index);
  } catch (error) {
    rush.gaveUp.push(error instanceof Error ? error.message : String(error));
  }
}

async function buyHosted(rush: Rush, customer: Customer, index: number): Promise<void> {
  const { stage } = rush.room;
  const session = await openPage(rush, customer);
  if (index % 7 === 0) await lookBack(rush, customer, session);
  const back = await pay(stage, session);
  if (index % 3 === 0) return;
  const settled = await patiently(() => customer.get(back), pace(rush));
  const { location = '/' } = expectStatus(settled, 303).headers;
  const page = await patiently(() => customer.get(new URL(location, 'http://shop').pathname), pace(rush));
  await evaluatePayment(rush, page, session);
}

async function openPage(rush: Rush, customer: Customer): Promise<string> {
  const { stage } = rush.room;
  for (const _ of numbers(MOST_STARTS)) {
    expectStatus(await patiently(() => customer.addToCart(), pace(rush)), 303);
    const session = sessionBehind(stage, await patiently(() => customer.payHosted(), pace(rush)));
    if (session !== undefined) return session;
  }
  throw new Error('never got to the payment page');
}

/** Opens the order page without having paid. */
async function lookBack(rush: Rush, customer: Customer, session: string): Promise<void> {
  const { attempts, orders } = await booksOf(rush.room);
  const attempt = attempts.find(({ gatewayId }) => gatewayId === session);
  const order = orders.find(({ id }) => id === attempt?.orderId);
  const page = await patiently(() => customer.get(`/orders/${order?.token}`), pace(rush));
  await evaluatePayment(rush, page, session);
}

/** Submits the card form once. After a lost response the customer does nothing, so the shop must find the payment. */
async function buyByCard(rush: Rush, customer: Customer): Promise<void> {
  expectStatus(await patiently(() => customer.addToCart(), pace(rush)), 303);
  const reply = await customer.payByCard().catch(() => undefined);
  if (reply?.status !== 303) return;
  const { location = '/' } = reply.headers;
  const page = await patiently(() => customer.get(location), pace(rush));
  const [, token] = location.split('/orders/');
  const { attempts, orders } = await booksOf(rush.room);
  const order = orders.find((one) => one.token === token);
  const attempt = attempts.find(({ orderId }) => orderId === order?.id);
  await evaluatePayment(rush, page, attempt?.gatewayId ?? '');
}

/** Compares the state on the page with the ledger. */
async function evaluatePayment(rush: Rush, page: Reply, gatewayId: string): Promise<void> {
  const state = stateOn(expectStatus(page, 200));
  const ledger = await rush.room.stage.strings.ledger();
  const isCharged = ledger.some(({ id }) => id === gatewayId);
  const isFalse = isCharged ? UNTRUE_ONCE_CHARGED.includes(state) : state === 'paid';
  if (isFalse) rush.falsehoods.push(`${state}, ${isCharged ? 'charged' : 'not charged'}`);
}

/** Polls, because the database may be down for a moment. */
async function booksOf({ stage }: Room): Promise<Books> {
  let books: Books | undefined;
  await until(
    async () => {
      books = await readBooks(stage.databaseUrl).catch(() => undefined);
      return books !== undefined;
    },
    { withinMs: 20_000 },
  );
  if (books === undefined) throw new Error('the database does not come back');
  return books;
}

function pace({ random }: Rush): { readonly tries: number; readonly pauseMs: () => number } {
  return { tries: PATIENCE, pauseMs: () => 50 + random.below(100) };
}

function shuffled<T>(random: Random, things: readonly T[]): readonly T[] {
  return things
    .map((thing) => ({ thing, lot: random.next() }))
    .sort((one, other) => one.lot - other.lot)
    .map(({ thing }) => thing);
}

/**
 * Resends card webhook events. The simulator stops after three attempts within a moment; a real gateway retries
 * for hours.
 *
 * Only card payments with a lost response need it. The worker finds all other payments.
 */
async function resendLostCardNews(strings: Strings): Promise<void> {
  for (const { id, event } of await strings.deliveries()) {
    if (event.startsWith('payment_')) await strings.sendWebhookAgain(id);
  }
}

async function stopAll({ stage, worker }: Room): Promise<void> {
  for (const shop of stage.shops) shop.signal('SIGTERM');
  await worker.kill('SIGTERM');
  const areStopped = await until(() => stage.shops.every((shop) => !shop.isRunning()), { withinMs: 30_000 });
  if (!areStopped) throw new Error('a shop does not stop');
}

/** Runs one worker alone, with its clock advanced until all leases of the killed processes have expired. */
async function letTheWorkerCatchUp({ stage, settings, folder }: Room): ReturnType<Stage['look']> {
  const reading = parseConfig(settings);
  if (!reading.ok) throw new Error(reading.problems.join('; '));
  const context = await createContext(reading.config, reading.secrets, {
    clock: { now: () => Date.now() + LATER_MS },
    log: createLog('silent'),
    dataDirectory: join(folder, 'later/data'),
  });
  const worker = startWorker(context.checkout);
  await until(
    async () => {
      const evidence = await stage.look();
      const { jobs } = await countQueues(stage.databaseUrl);
      return jobs === 0 && chargesThat('paid', evidence).length === evidence.ledger.length;
    },
    { withinMs: 20_000 },
  );
  await worker[Symbol.asyncDispose]();
  await context[Symbol.asyncDispose]();
  return stage.look();
}

/** Returns the names of all complete receipts once, regardless of the process that wrote them. */
function receiptsOf({ folder }: Room): readonly string[] {
  const places = readdirSync(folder).map((name) => join(folder, name, 'data/mail'));
  const names = places.filter((place) => existsSync(place)).flatMap((place) => readdirSync(place));
  const whole = names.filter((name) => name.endsWith('.eml')).map((name) => name.slice(0, -'.eml'.length));
  return [...new Set(whole)].sort(byText);
}

function byText(one: string, other: string): number {
  return one < other ? -1 : 1;
}

async function openConnections(proxy: ProxyServer, server: string): Promise<number> {
  const [head = '', ...rows] = (await proxy.administer('show servers conn shops')).split('\n');
  const column = head.replace('# ', '').split(' ').indexOf('used_cur');
  const row = rows.map((line) => line.split(' ')).find(([name]) => name === `shops/${server}`);
  return Number(row?.[column]);
}
