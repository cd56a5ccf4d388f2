import type { Config, Secrets } from '../../src/config.js';
import type { Environment } from '../../src/settings.js';
import type { Send } from './send-request.js';

/** What a check may read. */
export interface DoctorContext {
  readonly config: Config;
  readonly secrets: Secrets;
  /** The settings as given. A setting that is absent here has its default value. */
  readonly environment: Environment;
  readonly production: boolean;
  /** Data folder of the shop. */
  readonly dataDirectory: string;
  /** Folder of `.env` and `.env.example`. */
  readonly projectDirectory: string;
  readonly send: Send;
}

/** A problem never contains a secret. */
export interface Problem {
  /**
   * `error`: prevents sales or makes them unsafe. `warning`: the shop can sell, but the setting should change.
   * `note`: needs no action.
   */
  readonly level: 'error' | 'warning' | 'note';
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

/** One check of the doctor. It changes nothing. */
export interface Check {
  readonly name: string;
  /** Whether the check contacts another program. `--offline` skips such checks. */
  readonly usesNetwork: (context: DoctorContext) => boolean;
  /** Returns the most important problem, or `undefined` if there is none. */
  readonly run: (context: DoctorContext) => Problem | undefined | Promise<Problem | undefined>;
}

/** A problem, or `ok` for a check without problems. */
export type CheckResult = { readonly check: string } & (Problem | { readonly level: 'ok' });
