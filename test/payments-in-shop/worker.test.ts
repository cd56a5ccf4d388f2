import { expect, test } from '@jest/globals';
import { processOutbox } from '@tianguis/payments/testing';
import { createLookupBudget, type LookupBudget } from '../../packages/payments/src/lookup-budget.js';
import type { Trigger } from '../../packages/payments/src/rules/lookup.js';
import { startWorker } from '../../packages/payments/src/run-worker.js';
import { watchClock } from '../../packages/payments/src/watch-clock.js';
import type { PaidOrder } from '../../src/shop/checkout-context.js';
import { HOUR, MINUTE, orderStates, reconcileAfter, reconcileAll, sessionLookups } from '../checkout/support.js';
import { changeCheckout } from '../support/change-checkout.js';
import { until, within } from '../support/crowd.js';
import { contact } from '../support/customer.js';
import { allFulfillments, allOrders, theOrder } from '../support/inspect.js';
import { receiveMails } from '../support/mailbox.js';
import { openHostedPage, openPaidPage, placePaidOrder } from '../support/purchase.js';
import { openSharedShop } from '../support/shared-shop.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const shop = await openSharedShop();

function outbox({ queries }: TestShop = shop) {
  return queries.selectFrom('outbox').selectAll().orderBy('key').execute();
}

async function doneJobs(): Promise<readonly string[]> {
  return (await outbox()).flatMap(({ job, doneAt }) => (doneAt === null ? [] : [job]));
}

test.each([61, 0])('reconciliation expires an unpaid order (gateway clock +%i minutes)', async (minutes) => {
  await openHostedPage(shop);

  shop.control.advanceClock(minutes * MINUTE);
  await reconcileAfter(shop, 65 * MINUTE);

  expect((await theOrder(shop)).state).toBe('expired');
});

test('a late payment on a session that was not found in between pays the order', async () => {
  const { session } = await openHostedPage(shop);
  shop.clock.advance(30 * MINUTE);
  shop.control.fault('read-session', { kind: 'status', status: 404 });
  await reconcileAll(shop.checkout);
  shop.control.clearFaults();
  shop.control.paySession(session);

  await reconcileAfter(shop, 65 * MINUTE);

  expect((await theOrder(shop)).state).toBe('paid');
});

test('two processes that reconcile six orders at once verify each with one lookup', async () => {
  const replica = await shop.openReplica();
  for (let count = 0; count < 6; count += 1) await openPaidPage(shop);

  shop.clock.advance(MINUTE);
  await Promise.all([shop.context, replica, replica].map(({ checkout }) => reconcileAll(checkout)));

  expect(await orderStates(shop)).toEqual(Array(6).fill('paid'));
  expect(await allFulfillments(shop)).toHaveLength(6);
  expect(sessionLookups(shop)).toHaveLength(6);
});

test('reconciliation stops at its lookup budget and continues later', async () => {
  for (let count = 0; count < 4; count += 1) await openHostedPage(shop);
  let left = 2;
  const lookupBudget: LookupBudget = { take: () => Promise.resolve(left-- > 0) };

  shop.clock.advance(MINUTE);
  await reconcileAll({ ...shop.checkout, lookupBudget });
  const first = sessionLookups(shop).length;
  await reconcileAfter(shop, 10_000);

  expect(first).toBe(2);
  expect(sessionLookups(shop)).toHaveLength(4);
});

test('the worker has lookups left when returns and order pages have used their share', async () => {
  const budget = createLookupBudget(shop.checkout.db.limiter);
  const countUntilRefused = async (trigger: Trigger) => {
    let count = 0;
    while (await budget.take('card', trigger, false)) count += 1;
    return count;
  };

  const returns = await countUntilRefused('return');
  const pages = await countUntilRefused('order_page');
  const worker = await countUntilRefused('worker');

  expect([returns, pages, worker]).toEqual([180, 0, 100]);
  expect(await budget.take('card', 'checkout', false)).toBe(true);
});

test('a clock that goes back by an hour makes a live attempt due once, and by half a minute not', async () => {
  const context = { ...shop.checkout };
  const lookupsAfter = async (backMs: number) => {
    shop.clock.advance(-backMs);
    await watchClock(context);
    await reconcileAll(context);
    return sessionLookups(shop).length;
  };
  shop.clock.advance(2 * HOUR);
  await watchClock(context);
  await openHostedPage(shop);

  expect([await lookupsAfter(MINUTE / 2), await lookupsAfter(HOUR), await lookupsAfter(0)]).toEqual([0, 1, 1]);
});

test('a payment made before the clock of the worker went back by an hour is found at once', async () => {
  shop.clock.advance(2 * HOUR);
  await using _worker = startWorker(shop.checkout);
  await openPaidPage(shop);

  shop.clock.advance(-HOUR);

  await until(async () => (await theOrder(shop)).state === 'paid');
});

const never = () => new Promise<void>(() => {});

test('a merchant’s hook that never ends delays no lookup, no receipt and no shutdown', async () => {
  const worker = startWorker(changeCheckout(shop.checkout, { onPaid: never }), { stopMs: 500 });
  await placePaidOrder(shop);
  await until(async () => (await doneJobs()).length === 1);
  await openPaidPage(shop);
  shop.clock.advance(MINUTE);
  await until(async () => (await allOrders(shop)).every(({ state }) => state === 'paid'));
  await until(async () => (await doneJobs()).length === 2);

  await within(30_000, Promise.resolve(worker[Symbol.asyncDispose]()));

  expect(await doneJobs()).toEqual(['receipt', 'receipt']);
  expect(shop.logged.join('')).toContain('worker.stop_timed_out');
});

test('a loop of a feature that fails is logged and run again, and stops no other loop', async () => {
  let runs = 0;
  const failing = {
    ...{ name: 'failing', maxBatches: 1 },
    process() {
      runs += 1;
      return Promise.reject(new Error('the feature is broken'));
    },
  };
  await using _worker = startWorker({ ...shop.checkout, loops: [failing] });
  await openPaidPage(shop);
  shop.clock.advance(MINUTE);

  await until(async () => runs > 1 && (await theOrder(shop)).state === 'paid');

  expect(
    shop.logged.filter((line) => line.includes('worker.run_failed')).every((line) => line.includes('failing')),
  ).toBe(true);
});

test('a loop that took nothing runs again after its own pause, by default after half a second', async () => {
  const runs = { often: 0, rarely: 0 };
  const loopOf = (name: keyof typeof runs, pauseMs?: number) => ({
    ...{ name, maxBatches: 1, pauseMs },
    process() {
      runs[name] += 1;
      return Promise.resolve(0);
    },
  });
  await using _worker = startWorker({ ...shop.checkout, loops: [loopOf('often'), loopOf('rarely', HOUR)] });

  await until(() => runs.often > 2);

  expect(runs.rarely).toBe(1);
});

test('a merchant’s hook that exceeds its deadline is aborted and runs again with the same key', async () => {
  await placePaidOrder(shop);
  const keys: string[] = [];
  const signals: AbortSignal[] = [];
  const onPaid = (paid: PaidOrder, signal: AbortSignal) => {
    keys.push(paid.key);
    signals.push(signal);
    return never();
  };
  const { checkout, queries } = shop;
  // The short deadline applies to all jobs, and a receipt may take longer on a slow machine.
  await queries.updateTable('outbox').set({ doneAt: 1 }).where('job', '=', 'receipt').execute();
  const context = changeCheckout(checkout, { config: { ...checkout.config, jobDeadlineMs: 500 }, onPaid });

  await processOutbox(context);
  const [hook] = await outbox();
  shop.clock.advance(MINUTE);
  await processOutbox(context);

  expect(hook).toMatchObject({ job: 'on_paid', doneAt: null, tries: 1, lastError: 'TimeoutError' });
  expect(keys).toEqual([hook?.key, hook?.key]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

test('receipt and merchant’s hook of a paid order run once when the outbox is processed twice at once', async () => {
  await placePaidOrder(shop);

  await Promise.all([processOutbox(shop.checkout), processOutbox(shop.checkout)]);
  const mails = await receiveMails(shop);

  const { number } = await theOrder(shop);
  expect(await doneJobs()).toEqual(['on_paid', 'receipt']);
  expect(mails).toMatchObject([{ to: contact.email, text: expect.stringContaining(number) }]);
});

test('a receipt that cannot be sent is scheduled again, and the order stays paid', async () => {
  await using other = await openTestShop({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } });
  await placePaidOrder(other);

  await processOutbox(other.checkout);
  const [, receipt] = await outbox(other);

  expect(receipt).toMatchObject({ job: 'receipt', doneAt: null, tries: 1, lastError: 'Error:ESOCKET' });
  expect(receipt?.nextAt).toBeGreaterThan(other.clock.now());
  expect((await theOrder(other)).state).toBe('paid');
});
