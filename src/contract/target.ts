/** Which service is judged, and whether it may be: a test environment with a test key, and nothing else ever. */
import { isLoopbackHost, isTestHost, kindOfKey } from '../core/environments.js';
import { type Environment, isSimulated, readSettings, type Settings } from '../settings.js';

export interface Target {
  /** `{base_url}` and `{checkout_api_url}` of interface.md. */
  readonly baseUrl: string;
  readonly checkoutApiUrl: string;
  readonly apiKey: string;
  /** Where the shop lets the payment page live. */
  readonly pageOrigins: readonly string[];
  /** Absent: tokenisation is not judged. */
  readonly tokenizerUrl?: string;
  /** Whether this account asks for signed payments. */
  readonly signs: boolean;
  /** Whether test cards are charged too. */
  readonly pays: boolean;
}

export type TargetReading =
  | { readonly ok: true; readonly target: Target }
  | { readonly ok: false; readonly problems: readonly string[] };

const NEEDED =
  'Set PAYMENTS_BASE_URL, CHECKOUT_API_URL and PAYMENTS_API_KEY to the service’s test environment and a test key, in the environment or in .env.';

/** Reads the target from the shop's own settings, or tells why it is not judged; never a value. */
export function readTarget(environment: Environment, pays: boolean): TargetReading {
  const reading = readSettings(environment);
  if (!reading.ok) return { ok: false, problems: reading.problems };
  const { settings } = reading;
  if (isSimulated(settings)) return { ok: false, problems: [NEEDED] };
  const problems = objections(settings);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, target: toTarget(settings, pays) };
}

const ADDRESSES = ['PAYMENTS_BASE_URL', 'CHECKOUT_API_URL', 'TOKENIZER_URL'] as const;

function objections(settings: Settings): string[] {
  const live = ADDRESSES.filter((name) => settings[name] !== undefined && !isForTests(settings[name]));
  return [
    ...(settings.NODE_ENV === 'production'
      ? ['NODE_ENV is production: the contract is never tried with a production shop’s settings.']
      : []),
    ...live.map(
      (name) => `${name} does not name a test environment (stage, staging, sandbox, test) or this machine.`,
    ),
    ...(kindOfKey(settings.PAYMENTS_API_KEY ?? '') === 'live'
      ? ['PAYMENTS_API_KEY calls itself a live key. Production keys are never used for testing.']
      : []),
  ];
}

function isForTests(url: string): boolean {
  const { hostname } = new URL(url);
  return isTestHost(hostname) || isLoopbackHost(hostname);
}

function toTarget(settings: Settings, pays: boolean): Target {
  const { CHECKOUT_API_URL: checkoutApiUrl = '', TOKENIZER_URL: tokenizerUrl } = settings;
  return {
    baseUrl: settings.PAYMENTS_BASE_URL ?? '',
    checkoutApiUrl,
    pageOrigins: settings.CHECKOUT_PAGE_ORIGINS ?? [new URL(checkoutApiUrl).origin],
    apiKey: settings.PAYMENTS_API_KEY ?? '',
    signs: settings.PAYMENTS_SIGNING_SECRET !== undefined,
    pays,
    ...(tokenizerUrl !== undefined && { tokenizerUrl }),
  };
}
