import type { Config, Secrets } from '../config.js';
import type { Environment } from '../settings.js';
import type { Verdict } from './finding.js';

/** The shop that is looked at. */
export interface Patient {
  readonly config: Config;
  readonly secrets: Secrets;
  /** The settings as they were given: what is absent here is a default. */
  readonly given: Environment;
  /** Whether it is judged as a shop where real money moves. */
  readonly production: boolean;
  /** Where the shop keeps files. */
  readonly dataDirectory: string;
  /** Where `.env` and `.env.example` lie. */
  readonly projectDirectory: string;
}

/** One thing to look at. */
export interface Check {
  /** As a person says it; unique. */
  readonly name: string;
  /** Whether it speaks to another program, which `--offline` forbids. */
  readonly asksOutside: (patient: Patient) => boolean;
  /** Whatever it begins ends when the signal does. */
  examine(patient: Patient, signal: AbortSignal): readonly Verdict[] | Promise<readonly Verdict[]>;
}
