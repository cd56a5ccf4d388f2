import v8 from 'node:v8';
import { type Config, parseConfig, type Secrets } from './config.js';
import type { Environment } from './settings.js';

/** The settings, or every problem with them on standard error and an exit code of 1. */
export function configOrExit(environment: Environment): {
  readonly config: Config;
  readonly secrets: Secrets;
} {
  const reading = parseConfig(environment);
  if (reading.ok) return reading;
  const list = reading.problems.map((problem) => `  - ${problem}`).join('\n');
  process.stderr.write(
    `Tianguis cannot start with these settings:\n${list}\nSee .env.example for what each means.\n`,
  );
  process.exit(1);
}

/** Resolves at the first SIGINT or SIGTERM; the second one ends the process at once. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      process.once('SIGINT', () => process.exit(130));
      process.once('SIGTERM', () => process.exit(143));
      resolve();
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  });
}

/** By how much of what is in use the heap may grow before it is looked through. */
const GROWTH_PERCENT = 30;

/**
 * Keeps the process small. What is under way during a quick collection stays until the whole heap is looked through; left
 * to itself that happens when it has grown to several times what is in use.
 */
export function staySmall(): void {
  v8.setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}

const LOOK_EVERY_MS = 500;

/** Resolves when the program that started this one is gone: npm's shell dies of a signal without passing it on. */
export function untilOrphaned(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      resolve();
    }, LOOK_EVERY_MS);
    watch.unref();
  });
}

/** One plain sentence for the ways a start usually fails; exit code 1. */
export function exitWith(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const port = error instanceof Error && 'port' in error ? String(error.port) : '';
  const reason = error instanceof Error ? error.message : 'unknown';
  process.stderr.write(
    code === 'EADDRINUSE'
      ? `Port ${port} is taken by another program. Stop it, or choose another port (PORT, SIMULATOR_PORT).\n`
      : `Tianguis could not start: ${reason}\n`,
  );
  process.exit(1);
}
