import { setImmediate as nextRun } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import express from 'express';
import supertest from 'supertest';
import type { WebContext } from '../../src/web/context.js';
import { refuseOverload } from '../../src/web/middleware/refuse-overload.js';
import { until } from '../support/inspect.js';

const LIMITS = { delayMs: 200, windowMs: 100 };

/** An app with a short window that ends with `shutdown`, and the number of its refusals. */
function appWith(shutdown: AbortSignal) {
  const refused = { count: 0 };
  const observer = { requestShed: () => (refused.count += 1) };
  const context = { shutdown, checkout: { observer } } as unknown as WebContext;
  const app = express();
  app.get('/webhooks/payments', (_req, res) => res.send('ok'));
  app.use(refuseOverload(context, LIMITS));
  app.use((_req, res) => res.send('ok'));
  return { app, refused };
}

function block(ms: number): void {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt);
}

/** Each turn of the event loop takes 250 ms until the signal is aborted. */
async function overload(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    block(250);
    await nextRun();
  }
}

test('a process whose event loop is overloaded refuses pages with a time to retry, serves order pages and earlier routes, and recovers', async () => {
  const [shutdown, end] = [new AbortController(), new AbortController()];
  const { app, refused } = appWith(shutdown.signal);
  const status = async (path: string) => (await supertest(app).get(path)).status;
  const running = overload(end.signal);

  await until(async () => (await status('/cart')) === 503);
  const page = await supertest(app).get('/cart');
  const others = [await status('/orders/token'), await status('/webhooks/payments')];
  end.abort();
  await running;

  expect([page.status, ...others]).toEqual([503, 200, 200]);
  expect([page.headers['retry-after'], page.headers['cache-control']]).toEqual(['5', 'no-store']);
  expect(page.text).toContain('No se hizo ningún cargo');
  expect(refused.count).toBe(2);
  await until(async () => (await status('/cart')) === 200);
  shutdown.abort();
});

test('a process whose event loop is overloaded serves pages after one long pause', async () => {
  const shutdown = new AbortController();
  const { app, refused } = appWith(shutdown.signal);
  await supertest(app).get('/cart');

  block(1_000);
  const endsAt = performance.now() + 3 * LIMITS.windowMs;
  while (performance.now() < endsAt) await supertest(app).get('/cart');
  shutdown.abort();

  expect(refused.count).toBe(0);
});
