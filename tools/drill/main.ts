/** `npm run drill`: runs this copy of the shop against injected faults and compares it with the simulator's ledger. */
import { parseArgs } from 'node:util';
import type { PaymentFlow } from '@tianguis/payments/rules';
import { z } from 'zod';
import { FLOW_IDS } from '../../src/shop/rules/flows.js';
import { within } from '../../test/support/crowd.js';
import { findViolations } from '../../test/support/invariants.js';
import { killAllPrograms } from '../../test/support/programs.js';
import { closeAllEnvironments, openEnvironment, readShopState, removeAllFolders } from './environment.js';
import { findLeaks } from './leaks.js';
import { createRandom, type Scale, type Scenario } from './scenario.js';
import { scenarios } from './scenarios.js';

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
  const wanted = scenarios
    .filter(({ shops }) => options.database !== undefined || shops !== 2)
    .filter(({ id }) => options.only.length === 0 || options.only.includes(id));
  const chosen = wanted.filter((scenario) => missingFlows(scenario).length === 0);
  for (const scenario of wanted.filter((each) => !chosen.includes(each)))
    console.log(
      `SKIP  ${scenario.id}  It pays by ${missingFlows(scenario).join(' and ')}, which the shop does not have.`,
    );
  /** The end of each running scenario. Scenarios run in sequence, and their waiting phases may overlap. */
  const running = new Map<string, Promise<void>>();
  const results: Result[] = [];
  const seconds = () => Math.round(performance.now() / 1000);
  const showProgress = () => {
    const ids = [...running.keys()].join(', ');
    if (!stopping) console.log(`${results.length} of ${chosen.length} done, ${seconds()} s: ${ids}`);
  };
  const timer = setInterval(showProgress, PROGRESS_MS);
  for (const scenario of chosen) {
    await new Promise<void>((startNext) => {
      const ended = runScenario(scenario, options, startNext).then((result) => {
        running.delete(scenario.id);
        results.push(result);
        if (!stopping) console.log(resultLines(scenario, result, options));
      });
      running.set(scenario.id, ended);
      showProgress();
    });
    if (running.size >= MAX_WAITING) await Promise.race(running.values());
  }
  await Promise.all(running.values());
  clearInterval(timer);
  if (stopping) return;
  const failed = results.filter(({ problems }) => problems.length > 0).length;
  console.log(`${results.length - failed} passed, ${failed} failed in ${seconds()} s (seed ${options.seed})`);
  process.exitCode = failed === 0 && results.length > 0 ? 0 : 1;
}

const ids = scenarios.map(({ id }) => id);
const optionsSchema = z.object({
  help: z.boolean().default(false),
  full: z.boolean().default(false),
  only: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((id) => id !== ''))
    .refine((only) => only.every((id) => ids.includes(id)), `must be among ${ids.join(', ')}`),
  database: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//, 'must start with postgres://')
    .optional(),
  scale: z.coerce.number('must be a number').gt(0).max(100).default(1),
  seed: z.coerce.number('must be a number').int().min(0).default(1),
});

type DrillOptions = z.infer<typeof optionsSchema>;

function optionsOrExit(): DrillOptions {
  const [flag, text] = [{ type: 'boolean' }, { type: 'string' }] as const;
  const options = { help: flag, full: flag, only: text, database: text, scale: text, seed: text };
  try {
    const { data, error } = optionsSchema.safeParse(parseArgs({ options }).values);
    if (data !== undefined) return data;
    throw new Error(error.issues.map(({ path, message }) => `--${path[0]?.toString()} ${message}`).join('\n'));
  } catch (error) {
    console.error(`${reasonOf(error)}\n${USAGE}`);
    process.exit(2);
  }
}

function missingFlows({ flows = ['hosted'] }: Scenario): readonly PaymentFlow[] {
  return flows.filter((flow) => !FLOW_IDS.includes(flow));
}

interface Result {
  readonly summary: string;
  readonly problems: readonly string[];
  readonly seconds: number;
}

function resultLines({ id, description }: Scenario, result: Result, options: DrillOptions): string {
  const { summary, problems, seconds } = result;
  const replay = problems.length === 0 ? [] : [`Replay: ${replayCommand(id, options)}`];
  const lines = [...problems, ...replay].map((text) => `\n      ${text}`).join('');
  const verdict = problems.length === 0 ? 'PASS' : 'FAIL';
  return `${verdict}  ${id}  ${description} (${summary}; ${seconds.toFixed(0)} s)${lines}`;
}

/** The address of a database may contain a password, so it is not printed. */
function replayCommand(id: string, { full, scale, seed, database }: DrillOptions): string {
  const options = [full && '--full', scale !== 1 && `--scale ${scale}`, database !== undefined && '--database URL'];
  return ['npm run drill --', `--only ${id} --seed ${seed}`, ...options.filter(Boolean)].join(' ');
}

/** Runs a scenario, then checks all invariants. Calls `startNext` when the next scenario may run. */
async function runScenario(scenario: Scenario, options: DrillOptions, startNext: () => void): Promise<Result> {
  const startedAt = performance.now();
  const { limitMs = LIMIT_MS, shops = 1 } = scenario;
  const conclude = (summary: string, problems: readonly string[]): Result => {
    return { summary, problems, seconds: (performance.now() - startedAt) / 1000 };
  };
  const variables = Object.fromEntries(
    PASSED_VARIABLES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
  try {
    await using environment = await openEnvironment({ shops, server: options.database, variables });
    const outcome = await within(limitMs, scenario.run(environment, scaleOf(options, scenario)));
    startNext();
    const { summary, checks } = typeof outcome === 'object' ? outcome : await within(limitMs, outcome());
    const isRunning = environment.shops.every((shop) => shop.isRunning());
    return conclude(summary, [
      ...checks.filter(([holds]) => !holds).map(([, problem]) => problem),
      ...findViolations(await readShopState(environment)),
      ...(await findLeaks(environment)),
      ...(isRunning ? [] : ['I8 a shop process has exited']),
    ]);
  } catch (error) {
    return conclude('', [reasonOf(error)]);
  } finally {
    startNext();
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
