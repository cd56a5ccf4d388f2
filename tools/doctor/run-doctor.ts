import { once } from 'node:events';
import { parseConfig } from '../../src/config/config.js';
import { type Environment, type Settings, settingsSchema } from '../../src/config/settings.js';
import { FEATURES } from '../../src/features/index.js';
import { type Check, type CheckResult, type DoctorContext, unreachable } from './check.js';
import { databaseChecks } from './checks/database.js';
import { featureChecks } from './checks/features.js';
import { gatewayChecks } from './checks/gateway.js';
import { mailChecks } from './checks/mail.js';
import { poolerChecks } from './checks/pooler.js';
import { settingsChecks } from './checks/settings.js';
import { shopChecks } from './checks/shop.js';
import { CLOSED, failureReason } from './failure-reason.js';

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
  readonly envFile: string;
  /** The names of the features. Default: those of this program. */
  readonly features?: readonly string[];
  /** Time limit of the checks in milliseconds. They run in parallel. Default: 5,000. */
  readonly timeoutMs?: number;
}

/** Reads the settings, then runs all checks. */
export async function runDoctor(input: DoctorInput): Promise<readonly CheckResult[]> {
  const { environment, production, offline, projectDirectory, envFile } = input;
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
    offline,
    projectDirectory,
    envFile,
    features,
    async send(url, request) {
      const response = await fetch(url, { ...request, redirect: 'manual', signal });
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
  };
  const isLocal = ({ contacts, runsOffline = false }: Check) =>
    contacts === undefined || runsOffline || (contacts === 'DATABASE_URL' && secrets.databaseUrl.startsWith('file:'));
  const checks = CHECKS.filter((check) => (check.concerns?.(context) ?? true) && (!offline || isLocal(check)));
  const outcomes = await Promise.all(checks.map((check) => runCheck(check, context, timeout)));
  const results = outcomes.map((outcome) => toResult(outcome, outcomes, context.production));
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

/** A check whose program did not answer. */
interface NoAnswer {
  readonly check: string;
  readonly contacts: Parameters<typeof unreachable>[0];
  readonly reason: string;
}

/** A program that refuses one connection may close another one at the same time, which says less. */
function toResult(
  outcome: CheckResult | NoAnswer,
  outcomes: readonly (CheckResult | NoAnswer)[],
  production: boolean,
): CheckResult {
  if (!('contacts' in outcome)) return outcome;
  const { check, contacts } = outcome;
  const all = outcomes.flatMap((each) => ('contacts' in each && each.contacts === contacts ? each.reason : []));
  const reason = outcome.reason === CLOSED ? (all.find((each) => each !== CLOSED) ?? CLOSED) : outcome.reason;
  return { check, ...unreachable(contacts, reason, production) };
}

/** Returns a timeout or exception as the reason why the program that the check contacts cannot be used. */
async function runCheck(
  { name, contacts, run }: Check,
  context: DoctorContext,
  timeout: Promise<never>,
): Promise<CheckResult | NoAnswer> {
  try {
    const problem = await Promise.race([run(context), timeout]);
    return { check: name, ...(problem || { level: 'ok' }) };
  } catch (error) {
    if (contacts === undefined) throw error;
    return { check: name, contacts, reason: failureReason(error) };
  }
}
