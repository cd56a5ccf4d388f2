import { once } from 'node:events';
import { parseConfig } from '../../src/config/config.js';
import { type Environment, type Settings, settingsSchema } from '../../src/config/settings.js';
import { FEATURES } from '../../src/features/index.js';
import { type Check, type CheckResult, type DoctorContext, UNREACHABLE } from './check.js';
import { databaseChecks } from './checks/database.js';
import { featureChecks } from './checks/features.js';
import { gatewayChecks } from './checks/gateway.js';
import { mailChecks } from './checks/mail.js';
import { poolerChecks } from './checks/pooler.js';
import { settingsChecks } from './checks/settings.js';
import { shopChecks } from './checks/shop.js';
import { failureReason } from './failure-reason.js';

/** In the order of the report. */
const CHECKS = [
  ...settingsChecks,
  ...databaseChecks,
  ...featureChecks,
  ...poolerChecks,
  ...mailChecks,
  ...gatewayChecks,
  ...shopChecks,
];
const FEATURE_NAMES = FEATURES.map(({ name }) => name);

export interface DoctorInput {
  readonly environment: Environment;
  /** Applies the production rules, regardless of NODE_ENV. */
  readonly production: boolean;
  readonly offline: boolean;
  readonly projectDirectory: string;
  /** The names of the features. Default: those of this program. */
  readonly features?: readonly string[];
  /** Time limit of the checks in milliseconds. They run in parallel. Default: 5,000. */
  readonly timeoutMs?: number;
}

/** Reads the settings, then runs all checks. */
export async function runDoctor(input: DoctorInput): Promise<readonly CheckResult[]> {
  const { environment, production, offline, projectDirectory } = input;
  const { timeoutMs = 5_000, features = FEATURE_NAMES } = input;
  const strict = parseConfig(production ? { ...environment, NODE_ENV: 'production' } : environment);
  const settings = strict.ok ? [{ check: 'settings', level: 'ok' } as const] : strict.problems.map(toProblem);
  // A setting that only production rejects does not prevent the other checks.
  const reading = strict.ok ? strict : parseConfig(environment);
  if (!reading.ok) return [...settings, OTHER_CHECKS_SKIPPED];
  const { config, secrets } = reading;
  const signal = AbortSignal.timeout(timeoutMs);
  const timeout = once(signal, 'abort').then(() => Promise.reject(signal.reason));
  const context: DoctorContext = {
    config,
    secrets,
    environment,
    production: production || config.production,
    projectDirectory,
    features,
    async send(url, request) {
      const response = await fetch(url, { ...request, redirect: 'manual', signal });
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
  };
  const isLocal = ({ contacts }: Check) =>
    contacts === undefined || (contacts === 'DATABASE_URL' && secrets.databaseUrl.startsWith('file:'));
  const checks = CHECKS.filter((check) => !offline || isLocal(check));
  const results = await Promise.all(checks.map((check) => runCheck(check, context, timeout)));
  // Several checks contact the same program. If it does not answer, the first of them reports it.
  const isFirst = ({ what }: CheckResult, index: number) =>
    what === undefined || results.findIndex((other) => other.what === what) === index;
  return [...settings, ...results.filter(isFirst)];
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

/** Returns a timeout or exception as a problem of the program that the check contacts. */
async function runCheck(
  { name, contacts, run }: Check,
  context: DoctorContext,
  timeout: Promise<never>,
): Promise<CheckResult> {
  try {
    const problem = await Promise.race([run(context), timeout]);
    return { check: name, ...(problem || { level: 'ok' }) };
  } catch (error) {
    if (contacts === undefined) throw error;
    const what = `${contacts} cannot be used: ${failureReason(error)}.`;
    return { check: name, what, ...UNREACHABLE[contacts] };
  }
}
