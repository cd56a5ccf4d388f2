/** `npm start`: starts the shop and, if no gateway is configured, the simulator. */

import type { Simulator } from '@tianguis/gateway-tools';
import type { Config } from '../../src/config/config.js';
import { loadEnvFile } from '../../src/env-file.js';
import { brand } from '../../src/locales/brand.js';
import { createLog } from '../../src/log.js';
import {
  closeAndExit,
  exitWith,
  exitWithSamples,
  shopConfigOrExit,
  untilStopped,
} from '../../src/process-lifecycle.js';
import { startShop } from '../../src/start-shop.js';

const PARENT_CHECK_MS = 500;

loadEnvFile();
const { config, secrets } = shopConfigOrExit(process.env);
const log = createLog(config.logLevel);
const checkSettings = (problems: readonly string[]) => exitWithSamples(process.env, problems);
const options = { clock: Date, log, dataDirectory: 'data', checkSettings };
const stopped = Promise.race([untilStopped(), untilOrphaned()]);
const simulator = config.payments.simulatorUrl ? await openSimulator().catch(exitWith) : undefined;
const shop = await startShop(config, secrets, options).catch(exitWith);
await greet(config, shop.context.adminPassword);
await stopped;
process.stdout.write('\nClosing …\n');
await closeAndExit(log, async () => {
  await shop.close();
  await simulator?.close();
});

/** Imported lazily: a shop with a gateway does not need the simulator. */
async function openSimulator(): Promise<Simulator> {
  const { readSimulatorOptions, startSimulator } = await import('@tianguis/gateway-tools');
  const webhooks = { SIMULATOR_WEBHOOK_URL: `${config.publicUrl}/webhooks/payments` };
  return startSimulator(readSimulatorOptions({ ...webhooks, ...process.env }));
}

async function greet({ payments, publicUrl, production }: Config, adminPassword: string | undefined): Promise<void> {
  const label = (text: string) => text.padEnd(Math.max(11, brand.name.length));
  const lines = ['', `  ${label(brand.name)}  ${publicUrl}`];
  // In production the merchant sets the password, and output may be logged.
  if (adminPassword !== undefined && !production)
    lines.push(`  ${label('Back office')}  ${publicUrl}/admin   (user admin, first password ${adminPassword})`);
  if (payments.simulatorUrl) {
    const { testCards } = await import('@tianguis/gateway-tools');
    lines.push(
      `  ${label('Simulator')}  ${payments.simulatorUrl}   (no account, no real money)`,
      '',
      '  Test cards, any future date and CVV:',
    );
    for (const card of testCards.slice(0, 6)) lines.push(`    ${card.number}   ${card.en}`);
    lines.push('', '  The simulator’s page lists more cards and the faults that it can simulate.');
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

/** Resolves when the parent process has ended. The shell that npm starts ends on a signal without forwarding it. */
function untilOrphaned(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    setInterval(() => {
      if (process.ppid !== parent) resolve();
    }, PARENT_CHECK_MS).unref();
  });
}
