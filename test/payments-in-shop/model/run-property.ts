/** Runs properties of the model, and replays a run that failed. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import fc, { type IAsyncProperty, type RunDetails } from 'fast-check';
import { profileOfThisRun } from '../../support/test-shop.js';

type Settings = Readonly<Partial<Record<'MODEL_RUNS' | 'MODEL_SEED' | 'MODEL_PATH', string>>>;

/** Between the path of fast-check and the replay path of the commands. */
const SEPARATOR = '@';

/** For 60 runs on a busy machine. */
export const TIME_LIMIT_MS = 1_800_000;

/** The seed of the environment of one run. It stays the same while fast-check shortens a run that failed. */
export const environmentSeeds = fc.noShrink(fc.nat());

/**
 * Checks a property in generated runs. `MODEL_RUNS=5000 npm test -- model` runs more; each other simulator profile runs a
 * quarter of them. `MODEL_SEED` repeats all runs of a seed, with `MODEL_PATH` the run that failed. `make` gets the replay
 * path for `fc.commands`. The error of a failure ends with the command that replays it.
 */
export async function runProperty<T>(
  make: (replayPath: string | undefined) => IAsyncProperty<T>,
  { share = 1, settings = process.env }: { readonly share?: number; readonly settings?: Settings } = {},
): Promise<void> {
  const [path, replayPath] = settings.MODEL_PATH?.split(SEPARATOR) ?? [];
  const runs = Number(settings.MODEL_RUNS ?? 20) * share * (profileOfThisRun() === 'interface' ? 1 : 0.25);
  const details = await fc.check(make(replayPath), {
    numRuns: path ? 1 : Math.ceil(runs),
    ...(settings.MODEL_SEED && { seed: Number(settings.MODEL_SEED) }),
    ...(path && { path, endOnFailure: true }),
  });
  if (!details.failed) return;
  const message = `${await fc.asyncDefaultReportMessage(details)}\n\nReplay: ${replayCommand(details)}`;
  throw new Error(message, { cause: details.errorInstance });
}

function replayCommand<T>({ seed, counterexamplePath, counterexample }: RunDetails<T>): string {
  const replayPath = /replayPath="([^"]*)"/.exec(fc.stringify(counterexample))?.[1];
  const path = [counterexamplePath, ...(replayPath === undefined ? [] : [replayPath])].join(SEPARATOR);
  const { testPath = '', currentTestName = '' } = expect.getState();
  const file = relative(fileURLToPath(new URL('../../..', import.meta.url)), testPath).replace(/\.test\.ts$/, '');
  const profile = profileOfThisRun();
  const project = profile === 'interface' ? 'server' : profile;
  return `MODEL_SEED=${seed} MODEL_PATH=${path} npm test -- ${file} --selectProjects ${project} -t "${currentTestName}"`;
}
