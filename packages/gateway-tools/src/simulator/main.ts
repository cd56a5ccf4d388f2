/** The simulator as a program of its own. */
import { config } from 'dotenv';
import { readSimulatorOptions } from './settings.js';
import { startSimulator } from './simulator.js';
import { testCards } from './test-cards.js';

async function main(): Promise<void> {
  config({ quiet: true });
  const simulator = await startSimulator(readSimulatorOptions(process.env));
  const stop = () => {
    simulator.close().catch(fail);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  console.log(`Payment simulator: ${simulator.url} (no real money)`);
  for (const { number, en } of testCards) console.log(`  ${number}  ${en}`);
}

function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

main().catch(fail);
