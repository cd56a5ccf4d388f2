/** Two shops and a worker of docs/running.md on one PostgreSQL, behind Caddy: killed, frozen, changed and upgraded during sales. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { copyBuild, sharedBuild } from '../../../test/support/built-program.js';
import { openCaddy } from '../../../test/support/caddy.js';
import { numbers, until } from '../../../test/support/crowd.js';
import { exchange } from '../../../test/support/http.js';
import { openPgBouncer } from '../../../test/support/pgbouncer.js';
import { freePort, Program, type StartOptions } from '../../../test/support/programs.js';
import { openDatabaseOf } from '../../../test/support/temporary-database.js';
import { changeShippingPrice } from '../database-state.js';
import { type Environment, openEnvironment } from '../environment.js';
import { createRandom } from '../scenario.js';
import { buy, expectAllSold } from './sales.js';

/** Runs on PostgreSQL only, as the other tests of that database do. It then must not be skipped silently. */
const server = process.env['TEST_DATABASE_URL'];
const hasCaddy = spawnSync('caddy', ['version']).error === undefined || process.env['CI'] === 'true';
const testSeveral = server !== undefined && hasCaddy ? test : test.skip;

const SEED = 1;
const MAX_WAIT_MS = 15_000;
/** Between two customers. */
const ARRIVAL_MS = 400;
/** Charges that follow each fault before it ends. */
const SALES = 3;
const PRICE = 123;
const NEXT_SECRET = 'x9'.repeat(20);
const thisBuild = () => join(sharedBuild(), 'dist');

const ADDED = "addColumn('next', 'integer', (column) => column.notNull().defaultTo(0))";

/** A build of the next version, which has a further migration. */
const buildNextVersion = () =>
  copyBuild({
    'src/tables/migrations/index.ts': (source) =>
      source.replace(/\};\s*$/, `'9999-next': { up: (db) => db.schema.alterTable('orders').${ADDED}.execute() } };`),
  });

/** Lets a customer arrive again and again. Disposal waits until all have bought. Returns their problems. */
function openSales(environment: Environment) {
  const random = createRandom(SEED);
  const end = new AbortController();
  const problems: string[] = [];
  const customers: Promise<void>[] = [];
  const arriving = (async () => {
    for (let count = 0; !end.signal.aborted; count += 1) {
      customers.push(buy({ environment, random }, count).catch((error) => void problems.push(String(error))));
      await delay(ARRIVAL_MS);
    }
  })();
  return {
    async close() {
      end.abort();
      await arriving;
      await Promise.all(customers);
      return problems;
    },
  };
}

/** Asks for a page again and again. `close` returns the longest time without an answer, in ms. */
function openProbe(url: string) {
  const end = new AbortController();
  let longestMs = 0;
  const probing = (async () => {
    for (let answeredAt = performance.now(); !end.signal.aborted; await delay(100)) {
      const answer = await exchange(url, '/', { timeoutMs: 1_000 }).catch(() => undefined);
      longestMs = Math.max(longestMs, performance.now() - answeredAt);
      if (answer?.status === 200) answeredAt = performance.now();
    }
  })();
  return {
    async close() {
      end.abort();
      await probing;
      return Math.round(longestMs);
    },
  };
}

/** Waits until further customers paid. Rejects after 15 s. */
async function sellOn({ control }: Environment): Promise<void> {
  const { length } = await control('ledger');
  const isSold = async () => (await control('ledger')).length >= length + SALES;
  await until(isSold, { withinMs: MAX_WAIT_MS, everyMs: 100 });
}

/** Waits until the proxy sends no more requests to a frozen shop, so that each is answered. Rejects after 15 s. */
async function expectAnswers({ nextUrl }: Environment): Promise<void> {
  const answers = () => exchange(nextUrl(), '/', { timeoutMs: 2_000 }).then(({ status }) => status === 200);
  const isAnswered = () =>
    Promise.all(numbers(20).map(answers)).then(
      (all) => all.every(Boolean),
      () => false,
    );
  await until(isAnswered, { withinMs: MAX_WAIT_MS, everyMs: 100 });
}

/** Opens two shops with the proxy's address as their public URL. */
async function openShops(databaseUrl: string, port: number): Promise<Environment> {
  const variables = { PATH: process.env['PATH'] ?? '', TRUST_PROXY: '1' };
  const environment = await openEnvironment({ shops: 2, databaseUrl, variables, dist: thisBuild(), publicPort: port });
  return { ...environment, nextUrl: () => `http://127.0.0.1:${port}` };
}

function openWorker({ folder, settings }: Environment, home: string, name: string): Program {
  const ready = { output: '"worker.started"' };
  return new Program({
    name,
    script: join(home, 'src/worker.js'),
    folder,
    env: { ...settings, LOG_LEVEL: 'info' },
    ready,
  });
}

/** Opens the programs that replace the two shops and the worker. */
function openSuccessors(environment: Environment, home: string): readonly [Program, Program, Program] {
  const { folder, settings, shopPorts } = environment;
  const [first, second] = shopPorts.map((port, index) => {
    const ready = { url: `http://localhost:${port}/readyz` };
    const script = join(home, 'src/main.js');
    return new Program({ name: `next-${index}`, script, folder, env: { ...settings, PORT: String(port) }, ready });
  });
  if (!first || !second) throw new Error('the environment has one shop');
  return [first, second, openWorker(environment, home, 'next-worker')];
}

/** Restarts each program after the other, with other settings or as its successor. */
async function restart(
  environment: Environment,
  programs: readonly Program[],
  { successors = programs, ...options }: StartOptions & { readonly successors?: readonly Program[] },
): Promise<void> {
  for (const [index, program] of programs.entries()) {
    await program.kill('SIGTERM');
    await successors[index]?.start(options);
    await sellOn(environment);
  }
}

/** Plays all faults during sales, and ends with the programs of the next version. */
async function playFaults(environment: Environment, programs: readonly Program[], successors: readonly Program[]) {
  const [first, second] = programs;
  await sellOn(environment);
  await first?.kill();
  await sellOn(environment);
  await first?.start();
  second?.signal('SIGSTOP');
  await expectAnswers(environment);
  await sellOn(environment);
  second?.signal('SIGCONT');
  await changeShippingPrice(environment.databaseUrl, PRICE);
  await sellOn(environment);
  const { SESSION_SECRET } = environment.settings;
  await restart(environment, programs, { env: { SESSION_SECRET: `${SESSION_SECRET},${NEXT_SECRET}` } });
  await restart(environment, programs, { successors });
}

async function play(databaseUrl: string): Promise<void> {
  const port = await freePort();
  await using environment = await openShops(databaseUrl, port);
  const { folder, shops, shopPorts } = environment;
  await using worker = openWorker(environment, thisBuild(), 'worker');
  await worker.start();
  await using _caddy = await openCaddy({ folder, port, shopPorts });
  using build = buildNextVersion();
  const successors = openSuccessors(environment, join(build.home, 'dist'));
  await using _ending = {
    [Symbol.asyncDispose]: async () => void (await Promise.all(successors.map((one) => one.kill()))),
  };
  const [sales, probe] = [openSales(environment), openProbe(environment.nextUrl())];

  await playFaults(environment, [...shops, worker], successors);

  expect(await probe.close()).toBeLessThanOrEqual(MAX_WAIT_MS);
  expect(await sales.close()).toEqual([]);
  const programs = [...shops, worker, ...successors];
  expect(await expectAllSold(environment, programs, successors[2])).toBeGreaterThan(10 * SALES);
}

testSeveral(
  'several processes lose and repeat no sale while one is killed, frozen, changed and upgraded',
  async () => {
    await using database = await openDatabaseOf(server ?? '');
    await play(database.url);
  },
  240_000,
);

testSeveral(
  'several processes behind PgBouncer lose and repeat no sale while one is killed, frozen, changed and upgraded',
  async () => {
    await using bouncer = await openPgBouncer(server ?? '', { mode: 'transaction' });
    await using database = await openDatabaseOf(server ?? '');
    await play(bouncer.through(database.url));
  },
  240_000,
);
