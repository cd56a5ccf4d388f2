import { describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { createApp } from '../../src/app.js';
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
    const { schema } = shop.services.checkout.db.queries;
    await schema.alterTable('carts').renameTo('carts_elsewhere').execute();

    const alive = await supertest(shop.url).get('/healthz');
    const ready = await supertest(shop.url).get('/readyz');

    expect(alive.status).toBe(200);
    expect([ready.status, ready.text]).toEqual([503, 'not ok']);
  });

  test('a shop that is closing is no longer ready', async () => {
    await using shop = await openTestShop();
    const { serve } = createApp(shop.services.web, () => true);

    const ready = await supertest(serve).get('/readyz');

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
