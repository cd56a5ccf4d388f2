import type { Config, Secrets } from '../../src/config.js';
import type { Environment } from '../../src/settings.js';
import type { Verdict } from './finding.js';

/** The shop under examination. */
export interface Patient {
  readonly config: Config;
  readonly secrets: Secrets;
  /** The settings as given. A setting that is absent here has its default value. */
  readonly given: Environment;
  /** Whether the production rules apply. */
  readonly production: boolean;
  /** Data folder of the shop. */
  readonly dataDirectory: string;
  /** Folder of `.env` and `.env.example`. */
  readonly projectDirectory: string;
}

/** One check of the doctor. */
export interface Check {
  /** Unique name for the output. */
  readonly name: string;
  /** Whether the check contacts another program. `--offline` skips such checks. */
  readonly asksOutside: (patient: Patient) => boolean;
  /** Must end all its work when `signal` aborts. */
  examine(patient: Patient, signal: AbortSignal): readonly Verdict[] | Promise<readonly Verdict[]>;
}
