/** Runs the doctor: reads the settings first, then runs all checks in parallel. */
import { parseConfig } from '../../src/config.js';
import type { Environment, Settings } from '../../src/settings.js';
import { reasonOf } from './ask.js';
import { CHECKS } from './checks.js';
import { type Finding, note, type Verdict } from './finding.js';
import type { Check, Patient } from './patient.js';
import { SETTING_HELP } from './setting-help.js';

export interface Examination {
  readonly environment: Environment;
  /** Applies the production rules, regardless of NODE_ENV. */
  readonly production: boolean;
  /** Skips checks that contact another program. */
  readonly offline: boolean;
  readonly dataDirectory: string;
  readonly projectDirectory: string;
  /** Time limit of each check in milliseconds. Default: 5,000. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 5_000;

/** Returns the findings of all checks. Never rejects. Ends within `patienceMs`, because the checks run in parallel. */
export async function examine(examination: Examination): Promise<readonly Finding[]> {
  const { environment, production, patienceMs = PATIENCE_MS } = examination;
  const strict = production ? { ...environment, NODE_ENV: 'production' } : environment;
  const reading = parseConfig(strict);
  const problems = reading.ok ? [] : reading.problems.map(refusal);
  // A setting that only production rejects does not prevent the other checks.
  const usable = reading.ok ? reading : parseConfig(environment);
  if (!usable.ok) return [...problems, { check: 'settings', ...unread }];
  const patient: Patient = {
    config: usable.config,
    secrets: usable.secrets,
    given: environment,
    production: production || usable.config.production,
    dataDirectory: examination.dataDirectory,
    projectDirectory: examination.projectDirectory,
  };
  const checks = CHECKS.filter((check) => !(examination.offline && check.asksOutside(patient)));
  const found = await Promise.all(checks.map((check) => perform(check, patient, patienceMs)));
  const sound: Finding = { check: 'settings', level: 'ok', what: 'Every setting can be read.' };
  return [...(reading.ok ? [sound] : problems), ...found.flat()];
}

/** Converts a problem of the form `NAME: what is wrong` to a finding. A problem contains no values of settings. */
function refusal(problem: string): Finding {
  const [name = '', ...rest] = problem.split(': ');
  const help = SETTING_HELP[name as keyof Settings];
  return { check: 'settings', level: 'error', what: `${name} ${rest.join(': ')}.`, ...help };
}

const unread = note({
  what: 'Nothing else was looked at.',
  why: 'With these settings the shop does not start.',
  mend: 'Fix them, and run the doctor again.',
});

/** Share of the time limit for a check itself. The rest lets the check report a timeout in its own words. */
const ASKING = 0.9;

/**
 * Runs one check. A timeout or an exception becomes an error finding of this check and does not affect other
 * checks.
 */
async function perform(check: Check, patient: Patient, patienceMs: number): Promise<Finding[]> {
  let last: NodeJS.Timeout | undefined;
  const over = new Promise<readonly Verdict[]>((resolve) => {
    last = setTimeout(() => resolve([unfinished('it took too long')]), patienceMs);
  });
  const examined = async () => check.examine(patient, AbortSignal.timeout(patienceMs * ASKING));
  try {
    const verdicts = await Promise.race([examined(), over]);
    return verdicts.map((verdict) => ({ check: check.name, ...verdict }));
  } catch (fault) {
    return [{ check: check.name, ...unfinished(reasonOf(fault)) }];
  } finally {
    clearTimeout(last);
  }
}

function unfinished(reason: string): Verdict {
  return {
    level: 'error',
    what: `This check did not finish: ${reason}.`,
    why: 'The result of this check is unknown.',
    mend: 'Run the doctor again. If it fails again, find the cause of the delay or error.',
  };
}
