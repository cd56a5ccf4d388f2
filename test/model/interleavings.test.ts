import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { settlePayment } from '../../src/checkout/settle-payment.js';
import { openTestShop, type TestShop } from '../support/test-shop.js';
import { happenings, type Model } from './commands.js';
import { checkInvariants, checkNothingLost } from './invariants.js';
import { setStage } from './stage.js';
import { World } from './world.js';

/**
 * Number of generated runs. `MODEL_RUNS=5000 npm test -- model` plays more.
 *
 * `MODEL_SEED=… npm test -- model` repeats the runs of the seed that a failure printed.
 */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 100);
const seed = process.env['MODEL_SEED'] ? { seed: Number(process.env['MODEL_SEED']) } : {};
const ENOUGH_MS = 600_000;

let shop: TestShop;

beforeAll(async () => {
  shop = await openTestShop();
});

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});

/**
 * Clears all faults and expires all sessions, then processes webhooks and reconciles. The second round processes
 * the changes of the first.
 */
async function comeToRest(world: World, model: Model): Promise<void> {
  world.simulator.control.clearFaults();
  for (let round = 0; round < 2; round += 1) {
    world.advance(70);
    await world.webhooks();
    await world.work();
    await checkInvariants(world, model);
  }
}

describe('whatever happens to a customer, in whatever order', () => {
  test(
    'nothing is paid falsely, fulfilled twice, undone, charged twice or lost',
    async () => {
      const played = fc.asyncProperty(
        fc.commands(happenings, { maxCommands: 14, size: 'max' }),
        async (commands) => {
          await using stage = await setStage(shop);
          const world = await World.open(stage);
          const model: Model = { cardSubmits: 0 };
          await world.add('taza-talavera');
          await fc.asyncModelRun(() => ({ model, real: world }), commands);
          await comeToRest(world, model);
          await checkNothingLost(world);
        },
      );

      await fc.assert(played, { numRuns: RUNS, ...seed });
    },
    ENOUGH_MS,
  );

  test(
    'answers of the gateway that overtake each other settle an order once',
    async () => {
      const played = fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        await using stage = await setStage(shop);
        const world = await World.open(stage);
        await world.add('taza-talavera');
        await world.submitHosted();
        await world.paySession(0);
        world.advance(1);
        const { gateway } = world.context;
        const slow = { ...gateway, readSession: scheduler.scheduleFunction(gateway.readSession) };
        const [order] = await world.orders();
        const processes = [0, 1, 2].map(() => ({ ...world.context, gateway: slow, lookups: new Map() }));

        const settling = processes.map((process) => settlePayment(process, order?.id ?? '', 'return'));
        await scheduler.waitFor(Promise.all(settling));
        await checkInvariants(world, { cardSubmits: 0 });

        expect((await world.orders()).map((each) => each.state)).toEqual(['paid']);
      });

      await fc.assert(played, { numRuns: Math.ceil(RUNS / 3), ...seed });
    },
    ENOUGH_MS,
  );
});
