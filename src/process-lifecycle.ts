import { setTimeout as delay } from 'node:timers/promises';
import { SHUTDOWN_MS } from '@tianguis/payments/operations';
import { errorName } from '@tianguis/payments/rules';
import { type Config, parseConfig, type Secrets } from './config/config.js';
import type { Environment } from './config/settings.js';
import { findFileProblems } from './content/file-problems.js';
import { projectRoot } from './project-root.js';
import type { EventLog } from './shop/rules/event-log.js';
import { LOCALES } from './shop/rules/locales.js';

const FAILED = 1;
/** Of `sysexits.h`. */
const EX_CONFIG = 78;

interface Configured {
  readonly config: Config;
  readonly secrets: Secrets;
}

/** Returns the configuration. If it has problems, prints all of them to standard error and exits with code 1. */
export function configOrExit(environment: Environment): Configured {
  const reading = parseConfig(environment);
  return reading.ok ? reading : exitWithProblems(reading.problems, FAILED);
}

/** Like `configOrExit`. Also refuses problems in `content/` and the brand. Under systemd the code is 78. */
export function shopConfigOrExit(environment: Environment): Configured {
  const reading = parseConfig(environment);
  const locales = reading.ok ? reading.config.locales : LOCALES;
  const problems = [...(reading.ok ? [] : reading.problems), ...findFileProblems(projectRoot, locales)];
  return reading.ok && problems.length === 0 ? reading : exitWithProblems(problems, refusedCode(environment));
}

/** Prints what keeps the shop from starting, and exits with code 1, under systemd 78. Without a problem it does nothing. */
export function exitWithSamples(environment: Environment, problems: readonly string[]): void {
  if (problems.length > 0) exitWithProblems(problems, refusedCode(environment));
}

/** systemd sets `SYSTEMD_EXEC_PID` for the process that it starts. `tianguis.service` restarts after each code but EX_CONFIG. */
function refusedCode({ SYSTEMD_EXEC_PID }: Environment): number {
  return SYSTEMD_EXEC_PID === String(process.pid) ? EX_CONFIG : FAILED;
}

function exitWithProblems(problems: readonly string[], code: number): never {
  const list = problems.map((problem) => `  - ${problem}`).join('\n');
  process.stderr.write(`The shop cannot start with these settings:\n${list}\nSee .env.example for what each means.\n`);
  process.exit(code);
}

/** Resolves at the first SIGINT or SIGTERM. The second one ends the process immediately. */
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

/** 46 s until answers of the gateway are stored, and 2 s to close the connections. Process managers wait 60 s. */
const CLOSE_DEADLINE_MS = SHUTDOWN_MS + 2_000;

/**
 * Closes and exits with code 0, or with code 1 when closing fails or takes longer than 48 s. Open timers and sockets,
 * for example of a merchant's hook, do not keep the process alive.
 */
export async function closeAndExit(log: EventLog, close: () => Promise<void>): Promise<never> {
  const timeout = delay(CLOSE_DEADLINE_MS).then(() => Promise.reject(new Error('close_timeout')));
  try {
    await Promise.race([close(), timeout]);
  } catch (error) {
    log.error('process.stop_failed', { reason: errorName(error) });
    process.exit(1);
  }
  process.exit(0);
}

/** Prints the reason of a failed start to standard error and exits with code 1. */
export function exitWith(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const port = error instanceof Error && 'port' in error ? String(error.port) : '';
  const reason = error instanceof Error ? error.message : 'unknown';
  process.stderr.write(
    code === 'EADDRINUSE'
      ? `Port ${port} is taken by another program. Stop it, or choose another port (PORT, SIMULATOR_PORT).\n`
      : `The shop could not start: ${reason}\n`,
  );
  process.exit(1);
}
