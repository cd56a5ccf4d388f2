/** What a sequence of events consists of, and its end. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Arbitrary } from 'fast-check';
import { COMMANDS, type Command } from './commands.js';
import { checkInvariants } from './invariants.js';
import type { System } from './system.js';

/** Returns the commands of core and features. A feature adds its commands in a file of its tests, which may be removed. */
export async function allCommands(): Promise<Arbitrary<Command>[]> {
  const folder = fileURLToPath(new URL('../../../src/features', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const modules = files
    .filter((file) => /^[\w-]+\/test\/commands\.ts$/.test(file))
    .map(async (file) => (await import(join(folder, file))) as { readonly COMMANDS: typeof COMMANDS });
  return [...COMMANDS, ...(await Promise.all(modules)).flatMap((each) => each.COMMANDS)];
}

/** Clears all faults and expires all sessions. The second round processes the changes of the first. */
export async function finishAllWork(system: System): Promise<void> {
  system.simulator.control.clearFaults();
  system.simulator.control.settings({ latePaymentMinutes: 0 });
  for (let round = 0; round < 2; round += 1) {
    system.advance(70);
    await system.deliverWebhooks();
    await system.reconcile();
    await checkInvariants(system);
  }
}
