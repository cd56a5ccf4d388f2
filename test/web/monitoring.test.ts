import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { isPostgres } from '@tianguis/payments/database';
import { TRANSACTION_LIMITS } from '@tianguis/payments/testing';
import { sql } from 'kysely';
import supertest from 'supertest';
import { createApp } from '../../src/app.js';
import { parseConfig } from '../../src/config/config.js';
import { createLog } from '../../src/log.js';
import { startShop } from '../../src/start-shop.js';
import { until, within } from '../support/crowd.js';
import { levelsOfRequests } from '../support/request-levels.js';
import { openTestShop } from '../support/test-shop.js';

const INTERNALS = ['/debug/pprof', '/heapdump', '/env', '/server-status', '/json/version', '/.git/config'];

test('a shop that can take orders is live and ready, shows nothing else, and is unready while it closes', async () => {
  await using shop = await openTestShop();
  const { queries } = shop.context.checkout.db;
  const closing = createApp({ ...shop.context.web, shutdown: AbortSignal.abort() });

  const live = await supertest(shop.url).get('/healthz');
  const ready = await supertest(shop.url).get('/readyz');
  const hidden = await Promise.all(INTERNALS.map((path) => supertest(shop.url).get(path)));

  expect([live.status, live.text, ready.status, ready.text]).toEqual([200, 'ok', 200, 'ok']);
  expect(ready.headers['set-cookie']).toBeUndefined();
  expect(hidden.map(({ status }) => status)).toEqual(hidden.map(() => 404));
  expect(await queries.selectFrom('sessions').selectAll().execute()).toEqual([]);
  expect((await supertest(closing).get('/readyz')).status).toBe(503);
});

test('probes that succeed are logged at debug, and one that fails at info', async () => {
  await using shop = await openTestShop();
  const { web } = shop.context;

  expect(await levelsOfRequests(web, '/healthz', '/readyz', '/')).toEqual(['debug', 'debug', 'info']);
  expect(await levelsOfRequests({ ...web, shutdown: AbortSignal.abort() }, '/readyz')).toEqual(['info']);
});

test('a shop whose database can be read but not written is not ready within seconds, and ready again afterwards', async () => {
  await using shop = await openTestShop();
  await using other = await shop.connect();

  const statuses = await other.transaction(async (queries) => {
    if (isPostgres(queries)) await sql`lock table sessions in exclusive mode`.execute(queries);
    const ready = await within(30_000, Promise.resolve(supertest(shop.url).get('/readyz')));
    return [ready.status, (await supertest(shop.url).get('/')).status];
  });
  await until(async () => (await supertest(shop.url).get('/readyz')).status === 200);

  expect(statuses).toEqual([503, 200]);
  expect(shop.logged.some((line) => line.includes('"readiness.failed"'))).toBe(true);
});

test('case 179: a shop that holds the write lock of its own file for more than a minute is not live', async () => {
  await using shop = await openTestShop();
  const { db } = shop.checkout;
  const statusOf = async () => (await supertest(shop.url).get('/healthz')).status;
  const limits = { ...TRANSACTION_LIMITS, totalMs: 600_000 };

  const statuses = await db.transaction(async () => {
    const before = await statusOf();
    const start = performance.now();
    const monotonic = jest.spyOn(performance, 'now').mockReturnValue(start + 61_000);
    const after = await statusOf();
    monotonic.mockRestore();
    return [before, after];
  }, limits);

  expect(statuses).toEqual([200, isPostgres(db.queries) ? 200 : 503]);
  expect(await statusOf()).toBe(200);
});

test('a shop that is stopped reports that it is not ready and serves requests for a while before it closes', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tianguis-'));
  const reading = parseConfig({ PORT: '0', DATABASE_URL: `file:${join(directory, 'shop.db')}` });
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  const config = { ...reading.config, shutdownDelayMs: 1_000 };
  const log = createLog('silent');
  const shop = await startShop(config, reading.secrets, { clock: Date, log, dataDirectory: directory });
  const statusOf = async (path: string) => (await fetch(`${shop.url}${path}`)).status;
  const before = await statusOf('/readyz');

  const closing = shop.close();
  const during = await Promise.all(['/readyz', '/healthz', '/'].map(statusOf));
  await closing;
  await rm(directory, { recursive: true });

  expect([before, ...during]).toEqual([200, 503, 200, 200]);
  await expect(statusOf('/healthz')).rejects.toThrow();
});
