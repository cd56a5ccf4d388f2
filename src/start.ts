/** `npm start`: the shop and, where no payment service is configured, the simulator beside it. */
import dotenv from 'dotenv';
import type { Config } from './config.js';
import { createLog } from './log.js';
import { configOrExit, exitWith, untilOrphaned, untilStopped } from './process-life.js';
import { openShop } from './shop.js';
import type { Simulator } from './simulator/simulator.js';

dotenv.config({ quiet: true });
const { config, secrets } = configOrExit(process.env);
const log = createLog(config.logLevel);
const stopped = Promise.race([untilStopped(), untilOrphaned()]);
const simulator = config.payments.simulated ? await openSimulator().catch(exitWith) : undefined;
const shop = await openShop(config, secrets, { clock: Date, log, dataDirectory: 'data' }).catch(exitWith);
await greet(config, shop.services.web.settings.adminPassword);
await stopped;
process.stdout.write('\nClosing …\n');
await shop.close();
await simulator?.close();

/** Loaded only when it is needed: the simulator is no part of a shop that has a payment service. */
async function openSimulator(): Promise<Simulator> {
  const { startSimulator } = await import('./simulator/simulator.js');
  const { readSettings } = await import('./simulator/settings.js');
  const webhooks = { SIMULATOR_WEBHOOK_URL: `${config.publicUrl}/webhooks/payments` };
  return startSimulator(readSettings({ ...webhooks, ...process.env }));
}

async function greet(
  { payments, publicUrl, production }: Config,
  adminPassword: string | undefined,
): Promise<void> {
  const lines = ['', `  Tianguis     ${publicUrl}`];
  // In production the password is the merchant's own, and a terminal's log is no place for it.
  if (adminPassword !== undefined && !production)
    lines.push(`  Desk         ${publicUrl}/admin   (password ${adminPassword})`);
  if (payments.simulated) {
    const { testCards } = await import('./simulator/test-cards.js');
    lines.push(
      `  Simulator    ${payments.checkoutApiUrl}   (no account, no real money)`,
      '',
      '  Test cards, any future date and CVV:',
    );
    for (const card of testCards.slice(0, 6)) lines.push(`    ${card.number}   ${card.en}`);
    lines.push('', '  More cards and every fault to try are on the simulator’s own page.');
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
