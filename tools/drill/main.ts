/** `npm run drill`: runs this copy of the shop against injected faults and compares it with the simulator's ledger. */
import { parseArgs } from 'node:util';
import { within } from '../../test/support/crowd.js';
import { killAllPrograms } from '../../test/support/programs.js';
import { closeAllEnvironments, type Environment, openEnvironment, removeAllFolders } from './environment.js';
import { createRandom, type Finding, type Result, type Scale, type Scenario } from './scenario.js';
import { scenarios } from './scenarios.js';
import { checkInvariants } from './settlement.js';

const USAGE = `npm run drill -- [options]
  --full             full run; the default is a short run of at most three minutes
  --only id[,id]     runs only these scenarios
  --database URL     postgres://… instead of SQLite; uses its own schema and drops it at the end
  --scale X          factor for the sizes, for example 0.25 or 3
  --seed N           seed of the random numbers, to repeat a run`;

/** Environment variables that the programs receive. All others are removed, so that the user's settings have no effect. */
const PASSED_VARIABLES = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'SystemRoot'];
/** 1.2 s to drop the schemas. With this limit the drill ends within 2 s of a signal. */
const CLOSING_MS = 1_200;
const PROGRESS_MS = 10_000;
/** Number of scenarios that may wait for background work while the next one runs. */
const MAX_WAITING = 5;
const LIMIT_MS = 120_000;
let stopping = false;

async function main(): Promise<void> {
  const options = optionsOrExit();
  if (options.help) return console.log(USAGE);
  const chosen = scenarios
    .filter(({ shops }) => options.database !== undefined || shops !== 2)
    .filter(({ id }) => options.only.length === 0 || options.only.includes(id));
  const variables = Object.fromEntries(
    PASSED_VARIABLES.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined),
  );
  /** The end of each running scenario. Scenarios run in sequence, and their waiting phases may overlap. */
  const running = new Map<string, Promise<void> | undefined>();
  const results: Result[] = [];
  const seconds = () => Math.round(performance.now() / 1000);
  const showProgress = () => {
    if (!stopping)
      console.log(
        `${results.length} of ${chosen.length} done, ${seconds()} s: ${[...running.keys()].join(', ')}`,
      );
  };
  const timer = setInterval(showProgress, PROGRESS_MS);
  for (const scenario of chosen) {
    running.set(scenario.id, undefined);
    showProgress();
    const { result } = await runScenario(scenario, options, variables);
    const ended = result.then((value) => {
      running.delete(scenario.id);
      results.push(value);
      if (!stopping) console.log(resultLines(value));
    });
    running.set(scenario.id, ended);
    if (running.size >= MAX_WAITING) await Promise.race(running.values());
  }
  await Promise.all(running.values());
  clearInterval(timer);
  if (stopping) return;
  const failed = results.filter(({ problems }) => problems.length > 0).length;
  console.log(`${results.length - failed} passed, ${failed} failed in ${seconds()} s (seed ${options.seed})`);
  process.exitCode = failed === 0 && results.length > 0 ? 0 : 1;
}

function optionsOrExit() {
  try {
    return readOptions();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

type DrillOptions = ReturnType<typeof readOptions>;

/** Parses the options. Throws an error with a readable message for invalid ones. */
function readOptions() {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      database: { type: 'string' },
      scale: { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
    },
  });
  const only = values.only.split(',').filter((id) => id !== '');
  const ids = scenarios.map(({ id }) => id);
  const unknown = only.filter((id) => !ids.includes(id));
  if (unknown.length > 0)
    throw new Error(`no such scenario: ${unknown.join(', ')}. Scenarios: ${ids.join(', ')}`);
  if (values.database !== undefined && !/^postgres(?:ql)?:\/\//.test(values.database))
    throw new Error('--database must start with postgres://');
  return {
    ...values,
    only,
    scale: factor(values.scale),
    seed: integer(values.seed),
  };
}

function integer(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error('--seed must be an integer');
  return Number(text);
}

function factor(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 100)) throw new Error('--scale must be greater than 0 and at most 100');
  return value;
}

function resultLines({ scenario, summary, problems, seconds }: Result): string {
  const lines = problems.map((text) => `\n      ${text}`).join('');
  const verdict = problems.length === 0 ? 'PASS' : 'FAIL';
  return `${verdict}  ${scenario.id}  ${scenario.description} (${summary}; ${seconds.toFixed(0)} s)${lines}`;
}

/** Resolves when the next scenario may run. The result follows after the waiting phase. */
async function runScenario(
  scenario: Scenario,
  options: DrillOptions,
  variables: Readonly<Record<string, string>>,
): Promise<{ readonly result: Promise<Result> }> {
  const startedAt = performance.now();
  const { limitMs = LIMIT_MS } = scenario;
  const conclude = (finding: Finding): Result => {
    return { ...finding, scenario, seconds: (performance.now() - startedAt) / 1000 };
  };
  let environment: Environment | undefined;
  try {
    const { shops = 1 } = scenario;
    environment = await openEnvironment({ shops, server: options.database, variables });
    const outcome = await within(limitMs, scenario.run(environment, scaleOf(options, scenario)));
    return { result: finish(environment, outcome, limitMs).then(conclude) };
  } catch (error) {
    await environment?.[Symbol.asyncDispose]();
    return { result: Promise.resolve(conclude({ summary: '', problems: [reasonOf(error)] })) };
  }
}

/** Waits for the finding, checks all invariants and closes the environment. */
async function finish(
  environment: Environment,
  outcome: Awaited<ReturnType<Scenario['run']>>,
  limitMs: number,
): Promise<Finding> {
  try {
    const { summary, problems } = typeof outcome === 'object' ? outcome : await within(limitMs, outcome());
    return { summary, problems: [...problems, ...(await checkInvariants(environment))] };
  } catch (error) {
    return { summary: '', problems: [reasonOf(error)] };
  } finally {
    await environment[Symbol.asyncDispose]();
  }
}

/** Derives the seed from the scenario's id, so that a scenario behaves the same alone and among others. */
function scaleOf({ full, seed, scale }: DrillOptions, { id }: Scenario): Scale {
  const ownSeed = [...id].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seed);
  return {
    short: !full,
    random: createRandom(ownSeed),
    of: (sizes) => Math.max(1, Math.round((full ? sizes.full : sizes.short) * scale)),
  };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error instanceof Error ? error.message : error}${cause}`;
}

/** Stops the drill. Ctrl-C sends the signal twice, from the terminal and through npm, so the second one is ignored. */
function stop(exitCode: number): void {
  if (stopping) return;
  stopping = true;
  killAllPrograms();
  setTimeout(() => process.exit(exitCode), CLOSING_MS);
  void closeAllEnvironments().then(() => process.exit(exitCode));
}

process.once('exit', () => {
  killAllPrograms();
  removeAllFolders();
});
process.on('SIGINT', () => stop(130));
process.on('SIGTERM', () => stop(143));
await main();
