import { describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import supertest from 'supertest';
import { createApp } from '../../src/app.js';
import { isPostgres } from '../../src/db/dialects.js';
import { until } from '../support/inspect.js';
import { openTestShop } from '../support/test-shop.js';

describe('health', () => {
  test('a shop that can take orders is alive and ready, and says no more than that', async () => {
    await using shop = await openTestShop();

    const alive = await supertest(shop.url).get('/healthz');
    const ready = await supertest(shop.url).get('/readyz');

    expect([alive.status, alive.text]).toEqual([200, 'ok']);
    expect([ready.status, ready.text]).toEqual([200, 'ok']);
    expect(ready.headers['set-cookie']).toBeUndefined();
  });

  test('a shop without its database is alive and not ready', async () => {
    await using shop = await openTestShop();
    const { schema } = shop.context.checkout.db.queries;
    await schema.alterTable('carts').renameTo('carts_elsewhere').execute();

    const alive = await supertest(shop.url).get('/healthz');
    const ready = await supertest(shop.url).get('/readyz');

    expect(alive.status).toBe(200);
    expect([ready.status, ready.text]).toEqual([503, 'not ok']);
  });

  test('a shop whose database can be read but not written is not ready within seconds, and ready again afterwards', async () => {
    await using shop = await openTestShop();
    await using other = await shop.connect();
    const startedAt = performance.now();

    const { ready, status } = await other.transaction(async (queries) => {
      if (isPostgres(queries)) await sql`lock table sessions in exclusive mode`.execute(queries);
      const answer = await supertest(shop.url).get('/readyz');
      return { ready: answer.status, status: (await supertest(shop.url).get('/')).status };
    });
    const elapsedMs = performance.now() - startedAt;
    await until(async () => (await supertest(shop.url).get('/readyz')).status === 200);

    expect([ready, status]).toEqual([503, 200]);
    expect(elapsedMs).toBeLessThan(5_000);
    expect(shop.logged.some((line) => line.includes('"readiness.failed"'))).toBe(true);
  });

  test('a successful write counts for the next hundred probes and leaves no row', async () => {
    await using shop = await openTestShop();
    const { queries } = shop.context.checkout.db;

    const first = await supertest(shop.url).get('/readyz');
    const sessions = await queries.selectFrom('sessions').selectAll().execute();
    await queries.schema.alterTable('sessions').renameTo('sessions_elsewhere').execute();
    const others = await Promise.all(Array.from({ length: 100 }, () => supertest(shop.url).get('/readyz')));

    expect([first, ...others].map(({ status }) => status)).toEqual(Array(101).fill(200));
    expect(sessions).toEqual([]);
  });

  test('a shop that is closing is no longer ready', async () => {
    await using shop = await openTestShop();
    const app = createApp({ ...shop.context.web, shutdown: AbortSignal.abort() });

    const ready = await supertest(app).get('/readyz');

    expect(ready.status).toBe(503);
  });

  test('what tells of the inside of the process is at no address', async () => {
    await using shop = await openTestShop();
    const paths = [
      '/debug',
      '/debug/pprof/',
      '/heapdump',
      '/env',
      '/server-status',
      '/actuator/health',
      '/json/version',
      '/.git/config',
    ];

    const answers = await Promise.all(paths.map((path) => supertest(shop.url).get(path)));

    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 404));
  });
});
