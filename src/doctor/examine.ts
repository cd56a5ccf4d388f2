/** The whole examination: the settings first, then everything else side by side. */
import { parseConfig } from '../config.js';
import type { Environment, Settings } from '../settings.js';
import { reasonOf } from './ask.js';
import { CHECKS } from './checks.js';
import { type Finding, note, type Verdict } from './finding.js';
import type { Check, Patient } from './patient.js';
import { SETTING_HELP } from './setting-help.js';

export interface Examination {
  readonly environment: Environment;
  /** Judges the settings as those of a production shop, whatever they say themselves. */
  readonly production: boolean;
  /** Asks no other program. */
  readonly offline: boolean;
  readonly dataDirectory: string;
  readonly projectDirectory: string;
  /** How long a check may take, in milliseconds. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 5_000;

/** Never rejects, and ends within five seconds unless it is given more patience. */
export async function examine(examination: Examination): Promise<readonly Finding[]> {
  const { environment, production, patienceMs = PATIENCE_MS } = examination;
  const strict = production ? { ...environment, NODE_ENV: 'production' } : environment;
  const reading = parseConfig(strict);
  const problems = reading.ok ? [] : reading.problems.map(refusal);
  // What only production refuses keeps nobody from looking at the rest.
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

/** A problem reads `NAME: what is wrong`, and never tells a value. */
function refusal(problem: string): Finding {
  const [name = '', ...rest] = problem.split(': ');
  const help = SETTING_HELP[name as keyof Settings];
  return { check: 'settings', level: 'error', what: `${name} ${rest.join(': ')}.`, ...help };
}

const unread = note({
  what: 'Nothing else was looked at.',
  why: 'With these settings the shop does not start.',
  mend: 'Mend them, and run the doctor again.',
});

/** What a check may use itself, so that it can tell in its own words that no answer came. */
const ASKING = 0.9;

/** A check answers in time, or is told to have had no answer; its fault is no end of the others. */
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
    what: `This could not be looked at: ${reason}.`,
    why: 'Whether the shop can rely on it cannot be told.',
    mend: 'Run the doctor again; look at what may hold it up.',
  };
}
