/** Commands of the model test. Each one is one event in the life of a shop, and they run in any order. */
import fc, { type AsyncCommand } from 'fast-check';
import type { CheckoutContext } from '../../src/checkout/context.js';
import { DECISIONS } from '../../src/domain/decision.js';
import type { Gateway } from '../../src/gateway/gateway.js';
import { checkInvariants } from './invariants.js';
import type { Card, World } from './world.js';

export interface Model {
  cardSubmits: number;
}

type Happening = AsyncCommand<Model, World>;

/** Advances the clock by 3 s before each command, so that the last lookup is no longer fresh. */
const A_MOMENT_MINUTES = 0.05;

function happening(name: string, run: (world: World, model: Model) => Promise<void>): Happening {
  return {
    check: () => true,
    toString: () => name,
    async run(model, world) {
      world.advance(A_MOMENT_MINUTES);
      await run(world, model);
      await checkInvariants(world, model);
    },
  };
}

const PRODUCTS = ['taza-talavera', 'papel-picado', 'vainilla-papantla'];

/**
 * Returns services of a process that dies at its next gateway call, and a promise that resolves at its death.
 * `when` selects death before the gateway receives the call, or after it answered.
 */
function dying(context: CheckoutContext, when: 'before' | 'after') {
  let die = () => {};
  const death = new Promise<void>((resolve) => {
    die = resolve;
  });
  const mortal =
    <A extends readonly unknown[]>(call: (...args: A) => Promise<unknown>) =>
    async (...args: A) => {
      if (when === 'after') await call(...args).catch(() => {});
      die();
      return new Promise<never>(() => {});
    };
  const { gateway } = context;
  const dead: Gateway = {
    ...gateway,
    startSession: mortal(gateway.startSession),
    processPayment: mortal(gateway.processPayment),
    readSession: mortal(gateway.readSession),
    readTransaction: mortal(gateway.readTransaction),
  };
  return { context: { ...context, gateway: dead }, death };
}

/**
 * Runs `work` in a process that dies during it. Then starts a new process and advances the clock by 1 minute, so
 * that leases expire.
 */
async function dieDuring(world: World, when: 'before' | 'after', work: () => Promise<void>): Promise<void> {
  const { context, death } = dying(world.context, when);
  world.use(context);
  const working = work();
  await Promise.race([working, death]);
  // Work of the killed process may still fail. The failure does not concern the test.
  working.catch(() => {});
  await world.restart();
  world.advance(1);
}

const cards: readonly Card[] = ['paid', 'authorized', 'challenged', 'declined'];
const when = fc.constantFrom('before' as const, 'after' as const);

/** All commands, as arbitraries for `fc.commands`. */
export const happenings: fc.Arbitrary<Happening>[] = [
  fc.constantFrom(...PRODUCTS).map((id) => happening(`add ${id}`, (world) => world.add(id))),
  fc.constant(happening('pay on the page', (world) => world.submitHosted())),
  fc.constant(
    happening('pay on the page, twice at once', async (world) => {
      await Promise.all([world.submitHosted(), world.submitHosted()]);
    }),
  ),
  fc.constantFrom(...cards).map((card) =>
    happening(`pay by card: ${card}`, (world, model) => {
      model.cardSubmits += 1;
      return world.submitCard(card);
    }),
  ),
  fc.constant(
    happening('pay by card, declined with 402', async (world, model) => {
      model.cardSubmits += 1;
      const { control } = world.simulator;
      control.settings({ declineHttpStatus: 402 });
      await world.submitCard('declined');
      control.settings({ declineHttpStatus: 200 });
    }),
  ),
  fc.constantFrom(...cards).map((card) =>
    happening(`pay by card, the answer is lost: ${card}`, async (world, model) => {
      model.cardSubmits += 1;
      const { control } = world.simulator;
      control.fault('process', { kind: 'drop', when: 'after' }, 1);
      await world.submitCard(card);
      control.clearFaults();
    }),
  ),
  fc.constant(
    happening('pay on the page, the gateway is down', async (world) => {
      const { control } = world.simulator;
      control.fault('create-session', { kind: 'status', status: 422 }, 1);
      await world.submitHosted();
      control.clearFaults();
    }),
  ),
  fc.nat(5).map((n) => happening(`customer pays session ${n}`, (world) => world.paySession(n))),
  fc.nat(5).map((n) => happening(`customer cancels session ${n}`, (world) => world.cancelSession(n))),
  fc
    .tuple(fc.nat(5), fc.boolean())
    .map(([n, approves]) =>
      happening(`bank ${approves ? 'approves' : 'refuses'} payment ${n}`, (world) =>
        world.answerBank(n, approves),
      ),
    ),
  fc.constant(happening('customer returns', (world) => world.lookAgain('return'))),
  fc.constant(
    happening('customer returns, the gateway is down', async (world) => {
      const { control } = world.simulator;
      control.fault('read-session', { kind: 'status', status: 404 });
      control.fault('read-transaction', { kind: 'status', status: 404 });
      await world.lookAgain('return');
      control.clearFaults();
    }),
  ),
  fc.constant(happening('webhooks', (world) => world.webhooks())),
  fc.constant(happening('worker', (world) => world.work())),
  fc.constant(
    happening('return, webhooks and worker at once', async (world) => {
      await Promise.all([
        world.lookAgain('return'),
        world.webhooks(),
        world.work(),
        world.lookAgain('order_page'),
      ]);
    }),
  ),
  fc
    .tuple(fc.constantFrom(...DECISIONS), fc.boolean())
    .map(([decision, knows]) =>
      happening(`merchant: ${decision}${knows ? ', by the id at the gateway' : ''}`, (world) =>
        world.decide(decision, knows),
      ),
    ),
  fc
    .constantFrom(1, 20, 61)
    .map((minutes) => happening(`${minutes} minutes pass`, async (world) => world.advance(minutes))),
  when.map((moment) =>
    happening(`dies ${moment} opening the page`, (world) =>
      dieDuring(world, moment, () => world.submitHosted()),
    ),
  ),
  fc.tuple(when, fc.constantFrom(...cards)).map(([moment, card]) =>
    happening(`dies ${moment} the card call: ${card}`, (world, model) => {
      model.cardSubmits += 1;
      return dieDuring(world, moment, () => world.submitCard(card));
    }),
  ),
  when.map((moment) =>
    happening(`dies ${moment} a lookup`, (world) =>
      dieDuring(world, moment, () => world.lookAgain('return')),
    ),
  ),
];
