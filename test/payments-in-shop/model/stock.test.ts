import assert from 'node:assert/strict';
import { afterAll, test } from '@jest/globals';
import { DECISIONS } from '@tianguis/payments/rules';
import fc from 'fast-check';
import { LIMITED, setStock, stockOf } from '../../support/stock.js';
import { openTestShop } from '../../support/test-shop.js';
import { openEnvironment, type RunEnvironment } from './environment.js';
import { environmentSeeds, runProperty, TIME_LIMIT_MS } from './run-property.js';
import { type Card, System } from './system.js';

const FIRST_STOCK = 1;

// Sessions outlive their reservations, so that money arrives late.
const shop = await openTestShop({ env: { ORDER_TTL_MINUTES: '240' } });
afterAll(async () => shop[Symbol.asyncDispose]());

/** Three customers of one shop, who compete for one piece. Events that concern no customer use the first. */
interface Crowd {
  readonly customers: readonly System[];
  readonly first: System;
  readonly environment: RunEnvironment;
  arrived: number;
}

interface Step {
  readonly name: string;
  run(crowd: Crowd): Promise<void>;
}

const session = fc.nat(5);
const step = (name: string, run: Step['run']): Step => ({ name, run, toString: () => name }) as Step;
const by = (act: (customer: System) => Promise<void>, name: string): fc.Arbitrary<Step> =>
  fc.nat(2).map((n) =>
    step(`customer ${n} ${name}`, async ({ customers }) => {
      const customer = customers[n];
      if (customer) await act(customer);
    }),
  );
const often = (arbitrary: fc.Arbitrary<Step>) => ({ weight: 4, arbitrary });
const cards = fc.constantFrom<Card>('paid', 'challenged', 'declined');

const payAndReturn = session.map((n) =>
  step(`session ${n} is paid, and its customer returns`, async ({ first }) => {
    await first.endSession(n, 'paySession');
    await first.settleAll('return');
  }),
);
const submitAtOnce = step('all submit at once', async ({ customers }) => {
  await Promise.all(customers.map((customer) => customer.submitHosted()));
});
const onePieceArrives = step('one piece arrives', async (crowd) => {
  crowd.arrived += 1;
  await setStock(shop, ((await stockOf(shop)) ?? 0) + 1);
});

const STEPS: fc.Arbitrary<Step> = fc.oneof(
  by((customer) => customer.add(LIMITED), 'adds a piece'),
  by((customer) => customer.add('taza-talavera'), 'adds another product'),
  often(by((customer) => customer.submitHosted(), 'submits hosted')),
  cards.chain((card) => by((customer) => customer.submitCard(card), `submits the card: ${card}`)),
  often(payAndReturn),
  session.map((n) => step(`session ${n} is paid`, ({ first }) => first.endSession(n, 'paySession'))),
  session.map((n) => step(`session ${n} is cancelled`, ({ first }) => first.endSession(n, 'cancelSession'))),
  fc
    .tuple(session, fc.boolean())
    .map(([n, approves]) =>
      step(`the bank ${approves ? 'approves' : 'refuses'} ${n}`, ({ first }) => first.answerBank(n, approves)),
    ),
  fc.constant(step('customers return', ({ first }) => first.settleAll('return'))),
  fc.constant(step('worker', ({ first }) => first.reconcile())),
  fc.constant(submitAtOnce),
  fc
    .constantFrom(...DECISIONS)
    .map((decision) => step(`merchant: ${decision}`, ({ first }) => first.decide(decision, false))),
  fc.constant(onePieceArrives),
  often(
    fc
      .constantFrom(1, 16, 61, 61)
      .map((minutes) => step(`${minutes} minutes pass`, async ({ first }) => first.advance(minutes))),
  ),
);

async function checkStock({ first: system, environment, arrived }: Crowd): Promise<void> {
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

test(
  'after any sequence of declines, expiry, late money and decisions of three customers no piece is sold twice',
  async () => {
    const property = fc.asyncProperty(
      fc.array(STEPS, { maxLength: 30, size: 'max' }),
      environmentSeeds,
      async (steps, seed) => {
        await using environment = await openEnvironment(shop, seed);
        await setStock(shop, FIRST_STOCK);
        const open = () => System.open(environment);
        const first = await open();
        const crowd: Crowd = { customers: [first, await open(), await open()], first, environment, arrived: 0 };
        for (const customer of crowd.customers) await customer.add(LIMITED);
        for (const { run } of steps) {
          first.advance(0.05);
          await run(crowd);
          await checkStock(crowd);
        }
      },
    );

    await runProperty(() => property);
  },
  TIME_LIMIT_MS,
);
