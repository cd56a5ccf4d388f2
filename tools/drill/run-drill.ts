import { within } from '../../test/support/crowd.js';
import { type Environment, openEnvironment } from './environment.js';
import type { Finding, Result, Scale, Scenario } from './scenario.js';
import { createRandom } from './scenario.js';
import { checkInvariants } from './settlement.js';

/** Number of scenarios that may wait for background work while the next one runs. */
const MAX_WAITING = 5;
const LIMIT_MS = 120_000;

interface DrillOptions {
  readonly full: boolean;
  readonly database?: string;
  /** Seed of the random numbers. */
  readonly seed: number;
  /** Factor of the sizes. */
  readonly scale: number;
}

interface Drill {
  readonly options: DrillOptions;
  readonly variables: Readonly<Record<string, string>>;
  started(scenario: Scenario): void;
  ended(result: Result): void;
}

/** Runs the scenarios in sequence, each in its own environment. Their waiting phases may overlap. */
export async function runDrill(scenarios: readonly Scenario[], drill: Drill): Promise<readonly Result[]> {
  const results: Promise<Result>[] = [];
  const waiting = new Set<Promise<unknown>>();
  for (const scenario of scenarios) {
    drill.started(scenario);
    const { result } = await runScenario(drill, scenario);
    results.push(result);
    const ended = result.then((value) => {
      waiting.delete(ended);
      drill.ended(value);
    });
    waiting.add(ended);
    if (waiting.size >= MAX_WAITING) await Promise.race(waiting);
  }
  await Promise.all(waiting);
  return Promise.all(results);
}

/** Resolves when the next scenario may run. The result follows after the waiting phase. */
async function runScenario(
  { options, variables }: Drill,
  scenario: Scenario,
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
