import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import supertest from 'supertest';
import { createApp } from '../../src/app.js';
import { isPostgres } from '../../src/db/dialects.js';
import { until } from '../support/inspect.js';
import { openTestShop } from '../support/test-shop.js';

const INTERNALS = ['/debug', '/debug/pprof/', '/heapdump', '/env', '/server-status', '/actuator/health'];

test('a shop that can take orders is live and ready, shows nothing else, and is unready while it closes', async () => {
  await using shop = await openTestShop();
  const { queries } = shop.context.checkout.db;
  const closing = createApp({ ...shop.context.web, shutdown: AbortSignal.abort() });

  const live = await supertest(shop.url).get('/healthz');
  const ready = await supertest(shop.url).get('/readyz');
  const hidden = await Promise.all(
    [...INTERNALS, '/json/version', '/.git/config'].map((path) => supertest(shop.url).get(path)),
  );

  expect([live.status, live.text, ready.status, ready.text]).toEqual([200, 'ok', 200, 'ok']);
  expect(ready.headers['set-cookie']).toBeUndefined();
  expect(hidden.map(({ status }) => status)).toEqual(hidden.map(() => 404));
  expect(await queries.selectFrom('sessions').selectAll().execute()).toEqual([]);
  expect((await supertest(closing).get('/readyz')).status).toBe(503);
});

test('a shop without its tables is live and not ready', async () => {
  await using shop = await openTestShop();
  await shop.context.checkout.db.queries.schema.alterTable('carts').renameTo('carts_elsewhere').execute();

  const live = await supertest(shop.url).get('/healthz');
  const ready = await supertest(shop.url).get('/readyz');

  expect(live.status).toBe(200);
  expect([ready.status, ready.text]).toEqual([503, 'not ok']);
});

test('a shop whose database can be read but not written is not ready within seconds, and ready again afterwards', async () => {
  await using shop = await openTestShop();
  await using other = await shop.connect();
  const startedAt = performance.now();

  const statuses = await other.transaction(async (queries) => {
    if (isPostgres(queries)) await sql`lock table sessions in exclusive mode`.execute(queries);
    const ready = await supertest(shop.url).get('/readyz');
    return [ready.status, (await supertest(shop.url).get('/')).status];
  });
  const elapsedMs = performance.now() - startedAt;
  await until(async () => (await supertest(shop.url).get('/readyz')).status === 200);

  expect(statuses).toEqual([503, 200]);
  expect(elapsedMs).toBeLessThan(5_000);
  expect(shop.logged.some((line) => line.includes('"readiness.failed"'))).toBe(true);
});
