/** The gateway to test. Only a test environment with a test key is allowed. */
import { isTestHost, kindOfKey } from '../../src/domain/gateway-hosts.js';
import { isLoopbackHost } from '../../src/domain/redirect.js';
import { type Environment, isSimulated, readSettings, type Settings } from '../../src/settings.js';

export interface Signing {
  readonly secret: string;
  readonly text: 'ascii' | 'utf8';
}

export interface Target {
  /** `{base_url}` and `{checkout_api_url}` of docs/gateway-interface.md. */
  readonly baseUrl: string;
  readonly checkoutApiUrl: string;
  readonly apiKey: string;
  /** Origins that the shop accepts for the hosted payment page. */
  readonly pageOrigins: readonly string[];
  /** Absent: tokenization is not tested. */
  readonly tokenizerUrl?: string;
  /** Absent: payments are not signed. */
  readonly signing?: Signing;
  readonly pays: boolean;
}

type TargetReading =
  | { readonly ok: true; readonly target: Target }
  | { readonly ok: false; readonly problems: readonly string[] };

const NO_GATEWAY =
  'Set PAYMENTS_BASE_URL, CHECKOUT_API_URL and PAYMENTS_API_KEY to the gateway’s test environment and a test key, in the environment or in .env.';

/** Reads the target from the shop's settings, or returns the problems. Problems never contain a value. */
export function readTarget(environment: Environment, pays: boolean): TargetReading {
  const reading = readSettings(environment);
  if (!reading.ok) return { ok: false, problems: reading.problems };
  const { settings } = reading;
  if (isSimulated(settings)) return { ok: false, problems: [NO_GATEWAY] };
  const problems = targetProblems(settings);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, target: toTarget(settings, pays) };
}

const ADDRESSES = ['PAYMENTS_BASE_URL', 'CHECKOUT_API_URL', 'TOKENIZER_URL'] as const;

function targetProblems(settings: Settings): string[] {
  const live = ADDRESSES.filter((name) => settings[name] !== undefined && !isTestUrl(settings[name]));
  return [
    ...(settings.NODE_ENV === 'production'
      ? ['NODE_ENV is production. Tests never use the settings of a production shop.']
      : []),
    ...live.map(
      (name) => `${name} does not name a test environment (stage, staging, sandbox, test) or this machine.`,
    ),
    ...(kindOfKey(settings.PAYMENTS_API_KEY ?? '') === 'live'
      ? ['PAYMENTS_API_KEY is a live key. Tests never use live keys.']
      : []),
  ];
}

function isTestUrl(url: string): boolean {
  const { hostname } = new URL(url);
  return isTestHost(hostname) || isLoopbackHost(hostname);
}

function toTarget(settings: Settings, pays: boolean): Target {
  const { CHECKOUT_API_URL: checkoutApiUrl = '', TOKENIZER_URL: tokenizerUrl } = settings;
  const { PAYMENTS_SIGNING_SECRET: secret } = settings;
  return {
    baseUrl: settings.PAYMENTS_BASE_URL ?? '',
    checkoutApiUrl,
    pageOrigins: settings.CHECKOUT_PAGE_ORIGINS ?? [new URL(checkoutApiUrl).origin],
    apiKey: settings.PAYMENTS_API_KEY ?? '',
    pays,
    ...(secret !== undefined && { signing: { secret, text: settings.PAYMENTS_SIGNING_TEXT } }),
    tokenizerUrl,
  };
}
