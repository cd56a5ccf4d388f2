import type { Config, Secrets } from '../../src/config/config.js';
import type { Environment } from '../../src/config/settings.js';

/** What a check may read. */
export interface DoctorContext {
  readonly config: Config;
  readonly secrets: Secrets;
  /** The settings as given. A setting that is absent here has its default value. */
  readonly environment: Environment;
  readonly production: boolean;
  /** The names of the features that this program has. */
  readonly features: readonly string[];
  /** Contacts no other program, and reads no database but a file. */
  readonly offline: boolean;
  /** Folder of `content/` and `public/`. */
  readonly projectDirectory: string;
  /** Path of `.env`, which may be absent. */
  readonly envFile: string;
  /** Sends a request and follows no redirect. Rejects when there is no response. */
  readonly send: (url: string, request?: RequestInit) => Promise<Reply>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
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

type Outcome = Problem | false | undefined;

/** One check of the doctor. It changes nothing. */
export interface Check {
  readonly name: string;
  /** The setting with the address of the program that the check contacts. */
  readonly contacts?: keyof typeof UNREACHABLE;
  /** Whether the shop has what is checked. Default: it has. */
  readonly concerns?: (context: DoctorContext) => boolean;
  /** Runs also with `--offline`, and then contacts no program. */
  readonly runsOffline?: boolean;
  /** Returns the most important problem, if any. Rejects when the program of `contacts` does not answer. */
  readonly run: (context: DoctorContext) => Outcome | Promise<Outcome>;
}

export const offersCard = ({ config }: DoctorContext): boolean => config.paymentFlows.includes('card');

/** A problem, or `ok` for a check without problems. */
export type CheckResult = { readonly check: string } & (Problem | { readonly level: 'ok'; readonly what?: never });

const NO_GATEWAY = {
  level: 'error',
  why: 'Customers cannot pay, and the shop cannot look up payments.',
  fix: 'Check the address, this machine’s network and its firewall.',
  inDevelopment: ' If you use the simulator, start it (npm start).',
} as const;

interface Unreachable extends Omit<Problem, 'what'> {
  /** What development adds to `fix`. */
  readonly inDevelopment?: string;
}

/** The problem of each program that does not answer, by the setting with its address. */
const UNREACHABLE = {
  DATABASE_URL: {
    level: 'error',
    why: 'The shop cannot start.',
    fix: 'Check host, port, user, password, database name and the other parameters, or whether the file is a SQLite database.',
  },
  SMTP_URL: {
    level: 'error',
    why: 'The shop retries receipts, but customers receive none until then.',
    fix: 'Check it: smtp:// with port 587 or smtps:// with port 465, host, user and password (special characters percent-encoded).',
  },
  CHECKOUT_API_URL: NO_GATEWAY,
  PAYMENTS_BASE_URL: NO_GATEWAY,
  TOKENIZER_URL: {
    level: 'warning',
    why: 'Customers cannot pay on the shop’s own card page. The gateway’s payment page is not affected.',
    fix: 'Compare it with the gateway’s documentation, or set PAYMENT_FLOWS=hosted.',
  },
  PUBLIC_URL: {
    level: 'error',
    why: 'Customers cannot reach the shop and cannot return to it from the payment page.',
    fix: 'Start the shop. If it runs, check DNS, certificate, proxy and firewall. Without it, use --offline.',
  },
} as const satisfies Record<string, Unreachable>;

/** Returns the problem of a program that does not answer for this reason. */
export function unreachable(contacts: keyof typeof UNREACHABLE, reason: string, production: boolean): Problem {
  const { inDevelopment = '', fix, ...problem }: Unreachable = UNREACHABLE[contacts];
  const what = `${contacts} cannot be used: ${reason}.`;
  return { ...problem, what, fix: production ? fix : `${fix}${inDevelopment}` };
}
