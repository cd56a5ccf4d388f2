import { within } from '../../test/support/crowd.js';
import type { DrillOptions } from './options.js';
import { createRandom } from './random.js';
import type { Result } from './report.js';
import type { Aftermath, Scale, Scenario } from './scenario.js';
import { audit } from './settling.js';
import { openStage, type Stage, type StageOptions } from './stage.js';

/** Number of scenarios that may wait for background work while the next one runs. */
const WAITING_AT_MOST = 5;
const LIMIT_MS = 120_000;

export interface Drill {
  readonly options: DrillOptions;
  /** Environment of every child process. */
  readonly environment: Readonly<Record<string, string>>;
  began(scenario: Scenario): void;
  ended(result: Result): void;
}

/**
 * Runs the scenarios in sequence, each with its own shop and simulator. The waiting phases of several scenarios
 * may overlap.
 */
export async function runDrill(drill: Drill, scenarios: readonly Scenario[]): Promise<readonly Result[]> {
  const results: Promise<Result>[] = [];
  const waiting = new Set<Promise<unknown>>();
  for (const scenario of scenarios) {
    drill.began(scenario);
    const play = await begin(drill, scenario);
    const result = play.end().then((ended) => {
      drill.ended(ended);
      return ended;
    });
    results.push(result);
    const settled: Promise<unknown> = result.catch(() => {}).then(() => waiting.delete(settled));
    waiting.add(settled);
    if (waiting.size >= WAITING_AT_MOST) await Promise.race(waiting);
  }
  return Promise.all(results);
}

interface Play {
  /** Waits for the aftermath of the scenario, checks all invariants and removes the stage. */
  end(): Promise<Result>;
}

async function begin({ options, environment }: Drill, scenario: Scenario): Promise<Play> {
  const startedAt = performance.now();
  const { limitMs = LIMIT_MS } = scenario;
  const settle = (figures: string, problems: readonly string[]): Result => ({
    ...{ scenario, figures, problems },
    seconds: (performance.now() - startedAt) / 1000,
  });
  let stage: Stage | undefined;
  try {
    const wanted = stageOptions(scenario, options, environment);
    // Another process may have taken a port after it was chosen, so the start is retried once with new ports.
    stage = await openStage(wanted).catch(() => openStage(wanted));
    const aftermath = await within(limitMs, scenario.play(stage, scaleOf(options, scenario)));
    const played = stage;
    return { end: () => evaluateAfterExpiry(played, aftermath, { limitMs, settle }) };
  } catch (error) {
    await stage?.[Symbol.asyncDispose]();
    return { end: () => Promise.resolve(settle('', [reasonOf(error)])) };
  }
}

interface Conclusion {
  readonly limitMs: number;
  settle(figures: string, problems: readonly string[]): Result;
}

async function evaluateAfterExpiry(
  stage: Stage,
  aftermath: Aftermath,
  { limitMs, settle }: Conclusion,
): Promise<Result> {
  try {
    const { figures, problems } = await within(limitMs, aftermath());
    return settle(figures, [...problems, ...(await audit(stage))]);
  } catch (error) {
    return settle('', [reasonOf(error)]);
  } finally {
    await stage[Symbol.asyncDispose]();
  }
}

function stageOptions(
  scenario: Scenario,
  { server }: DrillOptions,
  environment: Readonly<Record<string, string>>,
): StageOptions {
  const shops = server === undefined ? 1 : (scenario.shops ?? 1);
  return { shops, environment, server };
}

/** Derives the seed from the scenario's id, so that a scenario behaves the same alone and among others. */
function scaleOf({ full, kills, seed, scale }: DrillOptions, { id }: Scenario): Scale {
  const own = [...id].reduce((sum, content) => Math.imul(sum, 31) + content.charCodeAt(0), seed);
  return {
    short: !full,
    random: createRandom(own),
    of: (sizes) => Math.max(1, Math.round((full ? sizes.full : sizes.short) * scale)),
    kills,
  };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return error instanceof Error ? `${error.message}${cause}` : String(error);
}
