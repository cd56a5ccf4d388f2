/** The production setup of docs/running.md: two shops and a worker with one PostgreSQL, behind HAProxy. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sharedBuild } from '../../../test/support/built-program.js';
import { inParallel, numbers } from '../../../test/support/crowd.js';
import { openProxy } from '../../../test/support/haproxy.js';
import { findPostgres, openPostgres } from '../../../test/support/postgres-server.js';
import { freePort, Program } from '../../../test/support/programs.js';
import { retry } from '../customer.js';
import { openEnvironment } from '../environment.js';
import { createRandom, type Random } from '../scenario.js';
import { buy, expectAllSold } from './sales.js';

const postgres = findPostgres();
const testDatabase = process.env['TEST_DATABASE_URL'];
/** Runs on PostgreSQL only, as the other tests of that database do. It then must not be skipped silently. */
const isWanted = testDatabase !== undefined;

const SEED = Number(process.env['TWO_SHOPS_SEED'] ?? 1);
const CONCURRENT_CUSTOMERS = 6;

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

    expect(problems).toEqual([]);
    expect(await expectAllSold(environment, programs, worker)).toBeGreaterThan(CONCURRENT_CUSTOMERS);
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

function shuffled<T>(random: Random, items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, rank: random.below(1e9) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}
