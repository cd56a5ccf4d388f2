/** The simulator as a program of its own. */
import { parseArgs } from 'node:util';
import { config } from 'dotenv';
import { readSettings } from './settings.js';
import { startSimulator } from './simulator.js';
import { testCards } from './test-cards.js';

async function main(): Promise<void> {
  config({ quiet: true });
  const { values } = parseArgs({ options: { replay: { type: 'string' } } });
  const { replay: SIMULATOR_REPLAY = process.env['SIMULATOR_REPLAY'] } = values;
  const simulator = await startSimulator(readSettings({ ...process.env, SIMULATOR_REPLAY }));
  const stop = () => {
    simulator.close().catch((error: unknown) => fail(error));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  console.log(`Payment simulator: ${simulator.url} (not real money)`);
  if (SIMULATOR_REPLAY) console.log(`  It answers as ${SIMULATOR_REPLAY} says.`);
  for (const { number, en } of testCards) console.log(`  ${number}  ${en}`);
}

function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

main().catch(fail);
