import { expect, test } from '@jest/globals';
import { findHistory, queueJob } from '@tianguis/payments/back-office';
import { jobBacklogs } from '@tianguis/payments/operations';
import { processOutbox } from '@tianguis/payments/testing';
import { dropUnhandledJobs } from '../../packages/payments/src/drop-unhandled-jobs.js';
import { startWorker } from '../../packages/payments/src/run-worker.js';
import type { JobName } from '../../src/tables/schema.js';
import { DAY, HOUR } from '../checkout/support.js';
import { openBackOffice } from '../support/admin.js';
import { changeCheckout } from '../support/change-checkout.js';
import { until } from '../support/crowd.js';
import { placePaidOrder } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';

const shop = await openSharedShop();
const { checkout, queries } = shop;
/** The name of a job whose feature was removed. */
const GONE = 'gift_card' as JobName;

async function queueUnhandled() {
  const { order } = await placePaidOrder(shop);
  await processOutbox(checkout);
  return { order, ...(await queueFor(order.id, `${GONE}:${order.id}`)) };
}

async function queueFor(orderId: string, key: string) {
  await queueJob(queries, { key, orderId, job: GONE, at: shop.clock.now() });
  const read = () => queries.selectFrom('outbox').selectAll().where('key', '=', key).executeTakeFirstOrThrow();
  return { key, read };
}

/** Runs unhandled jobs whenever one is due, for this time at most. */
async function retryFor(ms: number, run: () => Promise<unknown> = () => dropUnhandledJobs(checkout)): Promise<void> {
  const end = shop.clock.now() + ms;
  while (shop.clock.now() < end) {
    await run();
    const next = await queries.selectFrom('outbox').select('nextAt').where('doneAt', 'is', null).executeTakeFirst();
    if (!next) return;
    shop.clock.advance(Math.max(1, next.nextAt - shop.clock.now()));
  }
}

test('an outbox job without a handler is retried for a day, then dropped, logged and recorded once', async () => {
  const { order, read } = await queueUnhandled();
  const untouched = await processOutbox(checkout);

  await retryFor(23 * HOUR);
  const late = await read();
  const waiting = await jobBacklogs(queries, 5);
  await retryFor(2 * HOUR, () => Promise.all([dropUnhandledJobs(checkout), dropUnhandledJobs(checkout)]));

  expect(untouched).toBe(0);
  expect(late).toMatchObject({ doneAt: null, lastError: 'no_handler' });
  expect([...waiting.keys()]).toEqual([GONE]);
  expect(await read()).toMatchObject({ doneAt: expect.any(Number), lastError: 'dropped', tries: 34 });
  expect((await jobBacklogs(queries, 5)).size).toBe(0);
  const dropped = (await findHistory(queries, order.id)).filter(({ kind }) => kind === 'job_dropped');
  expect(dropped).toMatchObject([{ detail: `{"job":"${GONE}"}` }]);
  const logged = shop.logged.filter((line) => line.includes('job.dropped'));
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain(`"order":"${order.number}","job":"${GONE}","count":34`);
});

test('a dropped job does not run when its feature is restored, and a job with retries left does', async () => {
  const { order, key, read } = await queueUnhandled();
  await retryFor(2 * DAY);
  const kept = await queueFor(order.id, `${key}:2`);
  await retryFor(HOUR);
  const runs: string[] = [];
  const handler = (_context: unknown, _order: unknown, job: { readonly key: string }) => {
    runs.push(job.key);
    return Promise.resolve();
  };
  const restored = changeCheckout(checkout, { jobs: { ...checkout.jobs, [GONE]: handler } });

  shop.clock.advance(DAY);
  await dropUnhandledJobs(restored);
  while ((await processOutbox(restored)) > 0);

  expect(runs).toEqual([kept.key]);
  expect(await read()).toMatchObject({ lastError: 'dropped' });
  expect(await kept.read()).toMatchObject({ doneAt: expect.any(Number), lastError: null });
});

test('a job that failed often with its handler has all retries left without it', async () => {
  const { read } = await queueUnhandled();
  await queries.updateTable('outbox').set({ tries: 90, lastError: 'Error:ESOCKET' }).where('job', '=', GONE).execute();

  await dropUnhandledJobs(checkout);

  expect(await read()).toMatchObject({ doneAt: null, lastError: 'no_handler', tries: 1 });
});

test('a host without jobs drops every queued job', async () => {
  const { read } = await queueUnhandled();
  const context = changeCheckout(checkout, {}, { jobs: {} });

  await retryFor(2 * DAY, () => dropUnhandledJobs(context));

  expect(await read()).toMatchObject({ lastError: 'dropped' });
});

test('the worker drops a job without a handler, and the back office shows it in the history of its order', async () => {
  const { order, read } = await queueUnhandled();
  await queries.updateTable('outbox').set({ tries: 40, lastError: 'no_handler' }).where('job', '=', GONE).execute();
  const merchant = await openBackOffice(shop);

  await using _worker = startWorker(checkout);
  await until(async () => (await read()).doneAt !== null);

  const { text } = await merchant.get(`/admin/orders/${order.number}`);
  expect(text).toContain('Se descartó un correo o una notificación sin enviarlo, porque su función ya no existe');
  expect(text).toContain(GONE);
});
