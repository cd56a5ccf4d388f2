import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { PaidOrder } from '../../src/checkout/context.js';
import { createLookupBudget, type LookupBudget } from '../../src/checkout/lookup-budget.js';
import { processOutbox } from '../../src/checkout/process-outbox.js';
import { reconcile } from '../../src/checkout/reconcile.js';
import { startWorker } from '../../src/checkout/run-worker.js';
import type { Trigger } from '../../src/checkout/trigger.js';
import { Customer, contact } from '../support/customer.js';
import { allAttempts, allFulfilments, allOrders, theOrder, until } from '../support/inspect.js';
import { CARDS, openHostedPage, payByCard } from '../support/purchase.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';

const MINUTE = 60_000;

/** Reconciles until nothing is due. */
async function work(shop: TestShop): Promise<void> {
  await drain(shop.context.checkout);
}

async function doneJobs(shop: TestShop): Promise<string[]> {
  return (await outbox(shop)).flatMap(({ job, doneAt }) => (doneAt === null ? [] : [job]));
}

function outbox(shop: TestShop) {
  return shop.context.checkout.db.queries.selectFrom('outbox').selectAll().orderBy('key').execute();
}

describe('the worker', () => {
  test('settles a paid order whose return and webhook were both lost', async () => {
    await using shop = await openTestShop();
    const { session } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);

    shop.clock.advance(MINUTE);
    await work(shop);

    expect((await theOrder(shop)).state).toBe('paid');
    expect(await allFulfilments(shop)).toHaveLength(1);
  });

  test('does not ask before an attempt is due, and ever more rarely after', async () => {
    await using shop = await openTestShop();
    await openHostedPage(shop);
    const asked: number[] = [];

    for (let minute = 0; minute < 30; minute += 1) {
      await work(shop);
      asked.push(shop.simulator.control.calls('read-session').length);
      shop.clock.advance(MINUTE);
    }

    expect(asked[0]).toBe(0);
    expect(asked.at(-1)).toBeGreaterThan(4);
    expect(asked.at(-1)).toBeLessThan(16);
  });

  test('ends an order whose page ran out unpaid', async () => {
    await using shop = await openTestShop();
    await openHostedPage(shop);

    shop.simulator.control.advanceClock(61 * MINUTE);
    shop.clock.advance(63 * MINUTE);
    await work(shop);

    expect((await theOrder(shop)).state).toBe('expired');
  });

  test('ends an unpaid order after its last look even where the gateway never calls it expired', async () => {
    await using shop = await openTestShop();
    await openHostedPage(shop);

    shop.clock.advance(65 * MINUTE);
    await work(shop);

    expect((await theOrder(shop)).state).toBe('expired');
  });

  test('concludes nothing from silence within a day after the attempt’s time', async () => {
    await using shop = await openTestShop();
    const { session } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);
    shop.simulator.control.fault('read-session', { kind: 'status', status: 503 });

    shop.clock.advance(65 * MINUTE);
    await work(shop);
    const silent = (await theOrder(shop)).state;
    shop.simulator.control.clearFaults();
    shop.clock.advance(MINUTE);
    await work(shop);

    expect(silent).toBe('pending');
    expect((await theOrder(shop)).state).toBe('paid');
  });

  test('puts a card payment that waits long after its time before a person', async () => {
    await using shop = await openTestShop();
    await payByCard(shop, await Customer.withCart(shop), CARDS.challenged);

    shop.clock.advance(65 * MINUTE);
    await work(shop);

    expect(await theOrder(shop)).toMatchObject({ state: 'review', reviewReason: 'overdue' });
  });

  test('brings late money on an expired page to light', async () => {
    await using shop = await openTestShop();
    const { session } = await openHostedPage(shop);
    shop.clock.advance(30 * MINUTE);
    shop.simulator.control.fault('read-session', { kind: 'status', status: 404 });
    await work(shop);
    shop.simulator.control.clearFaults();
    shop.simulator.control.paySession(session);

    shop.clock.advance(65 * MINUTE);
    await work(shop);

    expect((await theOrder(shop)).state).toBe('paid');
  });

  test('shares the work with another process and settles each order once', async () => {
    await using shop = await openTestShop();
    const replica = await shop.openReplica();
    for (let order = 0; order < 12; order += 1) await openHostedPageOfMany(shop);
    for (const session of shop.simulator.control.sessions()) shop.simulator.control.paySession(session.id);

    shop.clock.advance(MINUTE);
    await Promise.all([work(shop), drain(replica.checkout), drain(replica.checkout)]);

    expect((await allOrders(shop)).map((order) => order.state)).toEqual(Array(12).fill('paid'));
    expect(await allFulfilments(shop)).toHaveLength(12);
    expect(shop.simulator.control.calls('read-session')).toHaveLength(12);
  });

  test('keeps to its budget of lookups and comes back to what it left', async () => {
    await using shop = await openTestShop();
    for (let order = 0; order < 4; order += 1) await openHostedPageOfMany(shop);
    let left = 2;
    const frugal: LookupBudget = { take: () => Promise.resolve(left-- > 0) };

    shop.clock.advance(MINUTE);
    await drain({ ...shop.context.checkout, lookupBudget: frugal });
    const first = shop.simulator.control.calls('read-session').length;
    shop.clock.advance(10_000);
    await work(shop);

    expect(first).toBe(2);
    expect(shop.simulator.control.calls('read-session')).toHaveLength(4);
  });

  test('has lookups left when returns and order pages have used up their share', async () => {
    await using shop = await openTestShop();
    const budget = createLookupBudget(shop.context.checkout.db.limiter);
    const countUntilRefused = async (trigger: Trigger) => {
      let count = 0;
      while (await budget.take('card', trigger)) count += 1;
      return count;
    };

    const returns = await countUntilRefused('return');
    const pages = await countUntilRefused('order_page');
    const worker = await countUntilRefused('worker');

    expect([returns, pages, worker]).toEqual([180, 0, 100]);
    expect(await budget.take('card', 'checkout')).toBe(true);
  });

  test('runs by itself, and stops when it is disposed of', async () => {
    await using shop = await openTestShop();
    const { session } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);
    shop.clock.advance(MINUTE);

    await using _worker = startWorker(shop.context.checkout);
    await until(async () => (await outbox(shop)).filter((job) => job.doneAt !== null).length === 2);

    expect((await theOrder(shop)).state).toBe('paid');
  });
});

const never = () => new Promise<void>(() => {});

describe('a merchant’s hook that never ends', () => {
  test('holds up no webhook, no lookup, no receipt and no shutdown', async () => {
    await using shop = await openTestShop();
    const logged = () => shop.logged.join('');
    const worker = startWorker({ ...shop.context.checkout, onPaid: never });
    await payHostedAndSettle(shop);
    await until(async () => (await doneJobs(shop)).length === 1);
    const { session } = await openHostedPage(shop);
    shop.simulator.control.paySession(session);
    shop.clock.advance(MINUTE);
    await until(async () => (await allOrders(shop)).every(({ state }) => state === 'paid'));
    await until(async () => (await doneJobs(shop)).length === 2);

    const startedAt = performance.now();
    await worker[Symbol.asyncDispose]();

    expect(await doneJobs(shop)).toEqual(['receipt', 'receipt']);
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    expect(logged()).toContain('worker.stop_timed_out');
  });

  test('is put off at its deadline and runs again with the same key', async () => {
    await using shop = await openTestShop();
    await payHostedAndSettle(shop);
    const { checkout } = shop.context;
    const policy = { ...checkout.policy, jobDeadlineMs: 50 };
    const keys: string[] = [];
    const signals: AbortSignal[] = [];
    const hang = (paid: PaidOrder, signal: AbortSignal) => {
      keys.push(paid.key);
      signals.push(signal);
      return never();
    };

    await processOutbox({ ...checkout, policy, onPaid: hang });
    const [hook] = await outbox(shop);
    shop.clock.advance(MINUTE);
    await processOutbox({ ...checkout, policy, onPaid: hang });

    expect(hook).toMatchObject({ job: 'on_paid', doneAt: null, tries: 1, lastError: 'TimeoutError' });
    expect(keys).toEqual([hook?.key, hook?.key]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });
});

describe('a paid order', () => {
  test('gets its receipt and the merchant’s hook, once', async () => {
    await using shop = await openTestShop();
    await payHostedAndSettle(shop);

    await Promise.all([processOutbox(shop.context.checkout), processOutbox(shop.context.checkout)]);
    await processOutbox(shop.context.checkout);
    const mails = await readMails(shop);

    expect((await outbox(shop)).every((job) => job.doneAt !== null)).toBe(true);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain(contact.email);
    expect(mails[0]).toContain((await theOrder(shop)).number);
  });

  test('gets its receipt later when it cannot be sent now', async () => {
    await using shop = await openTestShop({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } });
    await payHostedAndSettle(shop);

    await processOutbox(shop.context.checkout);
    const [, receipt] = await outbox(shop);

    expect(receipt).toMatchObject({ job: 'receipt', doneAt: null, tries: 1, lastError: 'Error:ESOCKET' });
    expect(receipt?.nextAt).toBeGreaterThan(shop.clock.now());
    expect((await theOrder(shop)).state).toBe('paid');
  });
});

async function openHostedPageOfMany(shop: TestShop): Promise<void> {
  await (await Customer.withCart(shop)).payHosted();
}

async function drain(context: TestShop['context']['checkout']): Promise<void> {
  while ((await reconcile(context)) > 0);
}

async function payHostedAndSettle(shop: TestShop): Promise<void> {
  const { session, customer, returnPath } = await openHostedPage(shop);
  shop.simulator.control.paySession(session);
  await customer.get(returnPath);
}

async function readMails(shop: TestShop): Promise<string[]> {
  const directory = join(shop.directory, 'mail');
  const names = await readdir(directory);
  return Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
}

test('every attempt of a paid order has come to its end', async () => {
  await using shop = await openTestShop();
  await payHostedAndSettle(shop);

  expect((await allAttempts(shop)).map((attempt) => attempt.state)).toEqual(['paid']);
});
