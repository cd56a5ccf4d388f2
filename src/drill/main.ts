/** `npm run drill`: this very copy of the shop against named faults, with the simulator's ledger as the truth. */
import { closeConnections } from './http.js';
import { type DrillOptions, readOptions, USAGE } from './options.js';
import { killAllPrograms } from './programs.js';
import { hasPassed, line, lists, table } from './report.js';
import { runDrill } from './run-drill.js';
import type { Scenario } from './scenario.js';
import { scenarios } from './scenarios.js';
import { closeAllStages, removeAllFolders } from './stage.js';

/** Of the drill's own environment the shops see only what programs need to run at all. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'SystemRoot'];

async function main(): Promise<void> {
  const options = optionsOrExit();
  if (options.help) return console.log(USAGE);
  if (options.list) return console.log(lists(scenarios));
  const given = Object.entries(process.env).filter(([name]) => PASSED_ON.includes(name));
  const environment = Object.fromEntries(given.map(([name, value]) => [name, value ?? '']));
  const startedAt = performance.now();
  const tell = (result: Parameters<typeof line>[0]) => console.log(line(result));
  const results = await runDrill({ options, environment, tell }, chosen(options));
  const failed = results.filter((result) => !hasPassed(result)).length;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(`\n${table(results)}\n`);
  console.log(`${results.length - failed} passed, ${failed} failed in ${seconds} s (seed ${options.seed})`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** Races between processes need a database that several may write to. */
function chosen({ only, server }: DrillOptions): readonly Scenario[] {
  const possible = scenarios.filter(({ id }) => server !== undefined || id !== 'same-instant-two');
  return only.length === 0 ? possible : possible.filter(({ id }) => only.includes(id));
}

function optionsOrExit(): DrillOptions {
  try {
    return readOptions(
      process.argv.slice(2),
      scenarios.map(({ id }) => id),
    );
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

/** Nothing of a drill outlives it, however it ends. */
function cleanUp(): void {
  closeConnections();
  killAllPrograms();
  removeAllFolders();
}

process.once('exit', cleanUp);
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => {
    killAllPrograms();
    closeAllStages().then(
      () => process.exit(code),
      () => process.exit(code),
    );
  });
}
await main();
