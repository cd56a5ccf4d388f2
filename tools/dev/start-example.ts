/** `npm run example`: starts `examples/minimal` and, if no gateway is set, the simulator. */
import { once } from 'node:events';
import { exitWith } from '../../src/process-lifecycle.js';

const PARENT_CHECK_MS = 500;
const PROGRAM = new URL('../../examples/minimal/main.js', import.meta.url).href;
const { env } = process;
const publicUrl = env['PUBLIC_URL'] || `http://localhost:${env['PORT'] || 3000}`;
const hasGateway = [env['PAYMENTS_BASE_URL'], env['CHECKOUT_API_URL'], env['PAYMENTS_API_KEY']].some(Boolean);

stopWithParent();
const simulator = hasGateway || env['NODE_ENV'] === 'production' ? undefined : await openSimulator().catch(exitWith);
const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
// It ends when the program has stopped.
const program = import(PROGRAM).catch(exitWith);
await greet();
await stopped;
await program;
await simulator?.close();

async function openSimulator() {
  const { readSimulatorOptions, startSimulator } = await import('@tianguis/gateway-tools');
  return startSimulator(readSimulatorOptions({ SIMULATOR_WEBHOOK_URL: `${publicUrl}/webhooks/payments`, ...env }));
}

async function greet(): Promise<void> {
  const lines = ['', `  Example    ${publicUrl}`];
  if (simulator) {
    const { testCards } = await import('@tianguis/gateway-tools');
    lines.push(
      `  Simulator  ${simulator.url}   (no account, no real money)`,
      '',
      '  Test cards, any future date and CVV:',
    );
    for (const { number, en } of testCards) lines.push(`    ${number}   ${en}`);
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

/** The shell that npm starts ends on a signal without forwarding it. */
function stopWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS).unref();
}
