import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { settlePayment } from '../../src/checkout/settle-payment.js';
import type { Gateway } from '../../src/gateway/gateway.js';
import { openTestShop } from '../support/test-shop.js';
import { COMMANDS, type Command } from './commands.js';
import { openEnvironment, RUNS, seed, TIME_LIMIT_MS } from './environment.js';
import { checkInvariants, checkNothingLost } from './invariants.js';
import { System } from './system.js';

const shop = await openTestShop({ env: { REFUNDS: 'gateway', REFUND_PARTIAL: 'on' } });
afterAll(async () => shop[Symbol.asyncDispose]());

/** A feature adds its commands in a file of its tests, which may be removed. */
async function commandsOfFeatures(): Promise<readonly fc.Arbitrary<Command>[]> {
  const tests = fileURLToPath(new URL('..', import.meta.url));
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' });
  const modules = files
    .filter((file) => /^features\/[\w-]+\/commands\.ts$/.test(file))
    .map(async (file) => (await import(join(tests, file))) as { readonly COMMANDS: typeof COMMANDS });
  return (await Promise.all(modules)).flatMap((each) => each.COMMANDS);
}

/** Clears all faults and expires all sessions. The second round processes the changes of the first. */
async function finishAllWork(system: System): Promise<void> {
  system.simulator.control.clearFaults();
  system.simulator.control.settings({ latePaymentMinutes: 0 });
  for (let round = 0; round < 2; round += 1) {
    system.advance(70);
    await system.deliverWebhooks();
    await system.reconcile();
    await checkInvariants(system);
  }
}

test(
  'after any sequence of events no order is paid falsely, fulfilled twice, undone, charged twice or lost',
  async () => {
    const all = [...COMMANDS, ...(await commandsOfFeatures())];
    const property = fc.asyncProperty(fc.commands(all, { maxCommands: 14, size: 'max' }), async (commands) => {
      await using environment = await openEnvironment(shop);
      const system = await System.open(environment);
      await system.add('taza-talavera');
      await fc.asyncModelRun(() => ({ model: {}, real: system }), commands);
      await finishAllWork(system);
      await checkNothingLost(system);
    });

    await fc.assert(property, { numRuns: RUNS, ...seed });
  },
  TIME_LIMIT_MS,
);

test(
  'lookups of three processes that finish in any order settle an order once',
  async () => {
    const property = fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      await using environment = await openEnvironment(shop);
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

      const settling = processes.map((process) => settlePayment(process, order?.id ?? '', 'return'));
      await scheduler.waitFor(Promise.all(settling));
      await checkInvariants(system);

      // A process that finds the order paid looks nothing up.
      expect(lookups).toBeGreaterThanOrEqual(1);
      expect((await system.orders()).map((each) => each.state)).toEqual(['paid']);
    });

    await fc.assert(property, { numRuns: Math.ceil(RUNS / 3), ...seed });
  },
  TIME_LIMIT_MS,
);
