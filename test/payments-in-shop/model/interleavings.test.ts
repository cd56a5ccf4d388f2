import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Gateway } from '../../../packages/payments/src/gateway/gateway.js';
import { verifyPayment } from '../../../packages/payments/src/verify-payment.js';
import { openTestShop } from '../../support/test-shop.js';
import { openEnvironment } from './environment.js';
import { checkInvariants, checkNothingLost } from './invariants.js';
import { OWN_CART_COMMANDS, useOwnCarts } from './own-carts.js';
import { environmentSeeds, runProperty, TIME_LIMIT_MS } from './run-property.js';
import { allCommands, finishAllWork } from './sequence.js';
import { System } from './system.js';

const shop = await openTestShop({ env: { REFUNDS: 'gateway', REFUND_PARTIAL: 'on' } });
afterAll(async () => shop[Symbol.asyncDispose]());

test(
  'after any sequence of events no order is paid falsely, fulfilled twice, undone, charged twice or lost',
  async () => {
    const all = await allCommands();
    await runProperty((replayPath) => {
      const sequences = fc.commands(all, { maxCommands: 14, size: 'max', replayPath });
      return fc.asyncProperty(sequences, environmentSeeds, async (commands, seed) => {
        await using environment = await openEnvironment(shop, seed);
        const system = await System.open(environment);
        await system.add('taza-talavera');
        await fc.asyncModelRun(() => ({ model: {}, real: system }), commands);
        await finishAllWork(system);
        await checkNothingLost(system);
      });
    });
  },
  TIME_LIMIT_MS,
);

test(
  'after any sequence of events that own carts are placed in, no order is ended twice and the same holds',
  async () => {
    await runProperty((replayPath) => {
      const sequences = fc.commands(OWN_CART_COMMANDS, { maxCommands: 14, size: 'max', replayPath });
      return fc.asyncProperty(sequences, environmentSeeds, async (commands, seed) => {
        await using environment = await openEnvironment(shop, seed);
        const system = await System.open(environment);
        useOwnCarts(system);
        await fc.asyncModelRun(() => ({ model: {}, real: system }), commands);
        await finishAllWork(system);
        await checkNothingLost(system);
      });
    });
  },
  TIME_LIMIT_MS,
);

test(
  'lookups of three processes that finish in any order verify an order once',
  async () => {
    const property = fc.asyncProperty(fc.scheduler(), environmentSeeds, async (scheduler, seed) => {
      await using environment = await openEnvironment(shop, seed);
      const system = await System.open(environment);
      await system.add('taza-talavera');
      await system.submitHosted();
      await system.endSession(0, 'paySession');
      system.advance(1);
      const { gateway } = system.context;
      let lookups = 0;
      const lookUp = scheduler.scheduleFunction((...lookup: Parameters<Gateway['lookUp']>) => {
        lookups += 1;
        return gateway.lookUp(...lookup);
      });
      const [order] = await system.orders();
      const processes = [0, 1, 2].map(() => ({
        ...system.context,
        gateway: { ...gateway, lookUp },
        lookups: new Map(),
      }));

      const verifying = processes.map((process) => verifyPayment(process, order?.id ?? '', 'return'));
      await scheduler.waitFor(Promise.all(verifying));
      await checkInvariants(system);

      // A process that finds the order paid looks nothing up.
      expect(lookups).toBeGreaterThanOrEqual(1);
      expect((await system.orders()).map((each) => each.state)).toEqual(['paid']);
    });

    await runProperty(() => property, { share: 1 / 3 });
  },
  TIME_LIMIT_MS,
);
