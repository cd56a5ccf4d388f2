/** Checks that the API key, the gateway URLs and the environment of the shop match. */
import { isLoopbackHost, isTestHost, kindOfKey } from '../../../src/domain/gateway-hosts.js';
import { error, note, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';

type Kind = 'test' | 'live' | 'here';

export function judgeKeys(patient: Patient): readonly Verdict[] {
  const { payments } = patient.config;
  if (payments.simulated) return [ok('The simulator is used as the gateway.')];
  const addresses = [
    ['PAYMENTS_BASE_URL', payments.baseUrl],
    ['CHECKOUT_API_URL', payments.checkoutApiUrl],
    ['TOKENIZER_URL', payments.tokenizerUrl],
  ] as const;
  const kinds = addresses.map(([name, url]) => ({ name, kind: kindOf(url) }));
  const mixed = new Set(kinds.map(({ kind }) => kind)).size > 1;
  const where = kinds[0]?.kind ?? 'here';
  return [
    ...(mixed
      ? [mixture(kinds)]
      : [ok(`All URLs of the gateway belong to one environment: ${WORDS[where]}.`)]),
    ...keyAt(where, patient),
    ...(patient.secrets.signingSecret === undefined && where !== 'here' ? [unsigned] : []),
  ];
}

const WORDS: Readonly<Record<Kind, string>> = { test: 'test', live: 'live', here: 'this machine' };

function kindOf(url: string): Kind {
  const { hostname } = new URL(url);
  if (isLoopbackHost(hostname)) return 'here';
  return isTestHost(hostname) ? 'test' : 'live';
}

function mixture(kinds: readonly { readonly name: string; readonly kind: Kind }[]): Verdict {
  const told = kinds.map(({ name, kind }) => `${name} is ${WORDS[kind]}`).join(', ');
  return error({
    what: `The URLs of the gateway belong to different environments: ${told}.`,
    why: 'A payment of one environment cannot be looked up in another.',
    mend: 'Copy all URLs from the same environment in the gateway’s documentation.',
  });
}

function keyAt(where: Kind, { secrets, production }: Patient): readonly Verdict[] {
  const key = kindOfKey(secrets.apiKey);
  // In production, the validation of the settings already reports this.
  if (key === 'test' && where === 'live') return production ? [] : [TEST_KEY_LIVE_ADDRESS];
  if (key === 'live' && where !== 'live') return [LIVE_KEY_TEST_ADDRESS];
  if (where === 'live' && !production) return [LIVE_IN_DEVELOPMENT];
  if (key === 'unknown' && where !== 'here') return [UNKNOWN_KEY];
  return [ok('PAYMENTS_API_KEY does not contradict the URLs.')];
}

const TEST_KEY_LIVE_ADDRESS = error({
  what: 'PAYMENTS_API_KEY calls itself a test key, and the addresses are live ones.',
  why: 'The gateway rejects a key of the other environment, so customers cannot pay.',
  mend: 'Use the live key from the dashboard, or the test URLs from the documentation.',
});

const LIVE_KEY_TEST_ADDRESS = error({
  what: 'PAYMENTS_API_KEY calls itself a live key, and the addresses are not live ones.',
  why: 'Live keys must never be used for tests. The test environment rejects the key but has received it.',
  mend: 'Use the test key from the dashboard. Replace the live key, because it may have leaked.',
});

const LIVE_IN_DEVELOPMENT = warning({
  what: 'The addresses of the gateway are live ones, and this is no production shop.',
  why: 'Real cards are charged, and the production rules are off.',
  mend: 'Set NODE_ENV=production, or use the test addresses and a test key.',
});

const UNKNOWN_KEY = note({
  what: 'PAYMENTS_API_KEY does not say whether it is a test key or a live one.',
  why: 'The gateway rejects a key of the other environment. Only a request can show this.',
  mend: 'See the result of the gateway checks in this report.',
});

const unsigned = note({
  what: 'Card payments are not signed: PAYMENTS_SIGNING_SECRET is not set.',
  why: 'Some gateway accounts require a signature and reject card payments without one.',
  mend: 'Ask the gateway whether your account requires signatures. If so, set the secret from the dashboard.',
});
