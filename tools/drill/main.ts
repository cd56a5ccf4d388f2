/** `npm run drill`: runs this copy of the shop against injected faults and compares it with the simulator's ledger. */
import { closeConnections } from '../../test/support/http.js';
import { killAllPrograms } from '../../test/support/programs.js';
import { type DrillOptions, readOptions, USAGE } from './options.js';
import { showProgress } from './progress.js';
import { hasPassed, line, lists, table } from './report.js';
import { runDrill } from './run-drill.js';
import type { Scenario } from './scenario.js';
import { scenarios } from './scenarios.js';
import { closeAllStages, removeAllFolders } from './stage.js';

/** Environment variables that the shops receive. All others are removed, so that the user's settings have no effect. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'SystemRoot'];

async function main(): Promise<void> {
  const options = optionsOrExit();
  if (options.help) return console.log(USAGE);
  if (options.list) return console.log(lists(scenarios));
  const given = Object.entries(process.env).filter(([name]) => PASSED_ON.includes(name));
  const environment = Object.fromEntries(given.map(([name, value]) => [name, value ?? '']));
  const startedAt = performance.now();
  const playing = chosen(options);
  const progress = showProgress(process.stdout, playing.length);
  const results = await runDrill(
    {
      options,
      environment,
      began: ({ id }) => progress.began(id),
      ended: (result) => {
        if (!stopping) progress.ended(result.scenario.id, line(result));
      },
    },
    playing,
  );
  progress.stop();
  if (stopping) return;
  const failed = results.filter((result) => !hasPassed(result)).length;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(`\n${table(results)}\n`);
  console.log(`${results.length - failed} passed, ${failed} failed in ${seconds} s (seed ${options.seed})`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** Removes the scenario with two processes if there is no PostgreSQL server: SQLite allows one process only. */
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

/** Leaves no connection, process or folder behind, however the drill ends. */
function cleanUp(): void {
  closeConnections();
  killAllPrograms();
  removeAllFolders();
}

/** 1.5 s to drop the schemas. With this limit the drill ends within 2 s of a signal. */
const CLOSING_MS = 1_500;
let stopping = false;

/** Stops the drill. Ctrl-C sends the signal twice, from the terminal and through npm, so the second one is ignored. */
function stop(exitCode: number): void {
  if (stopping) return;
  stopping = true;
  killAllPrograms();
  setTimeout(() => process.exit(exitCode), CLOSING_MS);
  void closeAllStages().then(() => process.exit(exitCode));
}

process.once('exit', cleanUp);
process.on('SIGINT', () => stop(130));
process.on('SIGTERM', () => stop(143));
await main();
