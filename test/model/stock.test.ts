import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from '@jest/globals';
import fc from 'fast-check';
import { DECISIONS } from '../../src/domain/decision.js';
import { LIMITED, setStock, stockOf } from '../support/stock.js';
import { openTestShop, profileOfThisRun, type TestShop } from '../support/test-shop.js';
import { openEnvironment, type RunEnvironment } from './environment.js';
import { type Card, System } from './system.js';

const REQUESTED_RUNS = Number(process.env['MODEL_RUNS'] ?? 60);
const RUNS = profileOfThisRun() === 'interface' ? REQUESTED_RUNS : Math.ceil(REQUESTED_RUNS / 4);
const seed = process.env['MODEL_SEED'] ? { seed: Number(process.env['MODEL_SEED']) } : {};
const FIRST_STOCK = 1;

let shop: TestShop;

beforeAll(async () => {
  // Sessions outlive their reservations, so that money arrives late.
  shop = await openTestShop({ env: { ORDER_TTL_MINUTES: '240' } });
});

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});

/** Three customers of one shop, who compete for one piece. */
interface Crowd {
  readonly customers: readonly System[];
  readonly environment: RunEnvironment;
  arrived: number;
}

interface Step {
  readonly name: string;
  run(crowd: Crowd): Promise<void>;
}

const index = fc.nat(2);
const session = fc.nat(5);
const step = (name: string, run: Step['run']): Step => ({ name, run, toString: () => name }) as Step;
const by = (act: (customer: System) => Promise<void>, name: string): fc.Arbitrary<Step> =>
  index.map((n) =>
    step(`customer ${n} ${name}`, async ({ customers }) => {
      const customer = customers[n];
      if (customer) await act(customer);
    }),
  );
const any =
  (act: (system: System) => Promise<void>) =>
  async ({ customers }: Crowd) => {
    const [system] = customers;
    if (system) await act(system);
  };

const often = (arbitrary: fc.Arbitrary<Step>) => ({ weight: 4, arbitrary });

const STEPS: fc.Arbitrary<Step> = fc.oneof(
  by((customer) => customer.add(LIMITED), 'adds a piece'),
  by((customer) => customer.add('taza-talavera'), 'adds another product'),
  often(by((customer) => customer.submitHosted(), 'submits hosted')),
  fc
    .constantFrom<Card>('paid', 'challenged', 'declined')
    .chain((card) => by((customer) => customer.submitCard(card), `submits the card: ${card}`)),
  often(
    session.map((n) =>
      step(
        `session ${n} is paid, and its customer returns`,
        any(async (system) => {
          await system.paySession(n);
          await system.settleAll('return');
        }),
      ),
    ),
  ),
  session.map((n) =>
    step(
      `session ${n} is paid`,
      any((system) => system.paySession(n)),
    ),
  ),
  session.map((n) =>
    step(
      `session ${n} is cancelled`,
      any((system) => system.cancelSession(n)),
    ),
  ),
  fc.tuple(session, fc.boolean()).map(([n, approves]) =>
    step(
      `the bank ${approves ? 'approves' : 'refuses'} ${n}`,
      any((system) => system.answerBank(n, approves)),
    ),
  ),
  fc.constant(
    step(
      'customers return',
      any((system) => system.settleAll('return')),
    ),
  ),
  fc.constant(
    step(
      'worker',
      any((system) => system.reconcile()),
    ),
  ),
  fc.constant(
    step('all submit at once', async ({ customers }) => {
      await Promise.all(customers.map((customer) => customer.submitHosted()));
    }),
  ),
  fc.constantFrom(...DECISIONS).map((decision) =>
    step(
      `merchant: ${decision}`,
      any((system) => system.decide(decision, false)),
    ),
  ),
  fc.constant(
    step('one piece arrives', async (crowd) => {
      crowd.arrived += 1;
      await setStock(shop, ((await stockOf(shop)) ?? 0) + 1);
    }),
  ),
  often(
    fc.constantFrom(1, 16, 61, 61).map((minutes) =>
      step(
        `${minutes} minutes pass`,
        any(async (system) => system.advance(minutes)),
      ),
    ),
  ),
);

async function checkStock({ customers, environment, arrived }: Crowd): Promise<void> {
  const [system] = customers;
  assert(system);
  const { queries } = system.context.db;
  const stock = (await stockOf(shop)) ?? -1;
  const fulfillments = await system.fulfillments();
  const lines = await queries.selectFrom('orderLines').selectAll().where('productId', '=', LIMITED).execute();
  const taken = lines
    .filter(({ orderId }) => fulfillments.some((each) => each.orderId === orderId && each.stockTaken === 1))
    .reduce((sum, { quantity }) => sum + quantity, 0);
  assert(stock >= 0, 'the stock is never negative');
  assert.equal(FIRST_STOCK + arrived - stock, taken, 'the stock is taken once for each order that took it');
  const active = await queries
    .selectFrom('reservations')
    .selectAll()
    .where('expiresAt', '>', environment.clock.now())
    .execute();
  const reserved = active.reduce((sum, { quantity }) => sum + quantity, 0);
  assert(reserved <= stock, 'no piece is reserved twice');
  const attempts = await system.attempts();
  for (const order of (await system.orders()).filter(({ state }) => state === 'paid')) {
    const isTaken = fulfillments.some((each) => each.orderId === order.id && each.stockTaken === 1);
    const payment = attempts.find(({ id }) => id === order.paidAttemptId)?.state;
    assert(isTaken || order.reviewReason !== null || payment === 'refunded', 'a paid order takes its stock');
    assert(!active.some(({ orderId }) => orderId === order.id), 'a paid order has no reservation');
  }
}

test('after any sequence of declines, expiry, late money and decisions of three customers no piece is sold twice', async () => {
  const property = fc.asyncProperty(fc.array(STEPS, { maxLength: 30, size: 'max' }), async (steps) => {
    await using environment = await openEnvironment(shop);
    await setStock(shop, FIRST_STOCK);
    const open = () => System.open(environment);
    const crowd: Crowd = { customers: [await open(), await open(), await open()], environment, arrived: 0 };
    for (const customer of crowd.customers) await customer.add(LIMITED);
    for (const { run } of steps) {
      crowd.customers[0]?.advance(0.05);
      await run(crowd);
      await checkStock(crowd);
    }
  });

  await fc.assert(property, { numRuns: RUNS, ...seed });
}, 600_000);
