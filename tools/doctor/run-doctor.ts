import { parseConfig } from '../../src/config.js';
import { type Environment, type Settings, settingsSchema } from '../../src/settings.js';
import type { Check, CheckResult, DoctorContext } from './check.js';
import { CHECKS } from './checks.js';
import { createSend, failureReason } from './send-request.js';

export interface DoctorInput {
  readonly environment: Environment;
  /** Applies the production rules, regardless of NODE_ENV. */
  readonly production: boolean;
  readonly offline: boolean;
  readonly dataDirectory: string;
  readonly projectDirectory: string;
  /** Time limit of each request in milliseconds. Default: 4,000. */
  readonly requestTimeoutMs?: number;
}

const REQUEST_TIMEOUT_MS = 4_000;
/** The time limit of a check is longer, so that a check can report the timeout of its request. */
const EXTRA_CHECK_TIME_MS = 1_000;

/**
 * Reads the settings, then runs all checks in parallel. Never rejects. Ends one second after the time limit of a
 * request at the latest.
 */
export async function runDoctor(input: DoctorInput): Promise<readonly CheckResult[]> {
  const { environment, production, offline, requestTimeoutMs = REQUEST_TIMEOUT_MS } = input;
  const strict = parseConfig(production ? { ...environment, NODE_ENV: 'production' } : environment);
  const settings = strict.ok ? [{ check: 'settings', level: 'ok' } as const] : strict.problems.map(toProblem);
  // A setting that only production rejects does not prevent the other checks.
  const reading = strict.ok ? strict : parseConfig(environment);
  if (!reading.ok) return [...settings, OTHER_CHECKS_SKIPPED];
  const { config, secrets } = reading;
  const context: DoctorContext = {
    config,
    secrets,
    environment,
    production: production || config.production,
    dataDirectory: input.dataDirectory,
    projectDirectory: input.projectDirectory,
    send: createSend(requestTimeoutMs),
  };
  const checks = CHECKS.filter((check) => !(offline && check.usesNetwork(context)));
  const results = await Promise.all(
    checks.map((check) => runCheck(check, context, requestTimeoutMs + EXTRA_CHECK_TIME_MS)),
  );
  return [...settings, ...results];
}

/** `rejected` has the form `NAME: what is wrong` and contains no value. */
function toProblem(rejected: string): CheckResult {
  const [name = '', ...rest] = rejected.split(': ');
  return {
    check: 'settings',
    level: 'error',
    what: `${name} ${rest.join(': ')}.`,
    why: 'The shop does not start with this value.',
    fix: settingsSchema.shape[name as keyof Settings].description ?? '',
  };
}

const OTHER_CHECKS_SKIPPED: CheckResult = {
  check: 'settings',
  level: 'note',
  what: 'The other checks were skipped.',
  why: 'The shop does not start with these settings.',
  fix: 'Fix the settings, and run the doctor again.',
};

/** A timeout or an exception becomes a problem of this check and does not affect other checks. */
async function runCheck(check: Check, context: DoctorContext, timeoutMs: number): Promise<CheckResult> {
  const signal = AbortSignal.timeout(timeoutMs);
  const timeout = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  try {
    const problem = await Promise.race([check.run(context), timeout]);
    return { check: check.name, ...(problem ?? { level: 'ok' }) };
  } catch (error) {
    return {
      check: check.name,
      level: 'error',
      what: `This check did not finish: ${failureReason(error)}.`,
      why: 'The result of this check is unknown.',
      fix: 'Run the doctor again. If it fails again, find the cause of the delay or error.',
    };
  }
}
