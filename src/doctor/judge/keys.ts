/** Whether the key, the addresses of the service and the kind of shop belong together. */
import { isLoopbackHost, isTestHost, kindOfKey } from '../../core/environments.js';
import { error, note, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';

type Kind = 'test' | 'live' | 'here';

export function judgeKeys(patient: Patient): readonly Verdict[] {
  const { payments } = patient.config;
  if (payments.simulated) return [ok('The simulator stands in for the payment service.')];
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
      : [ok(`The addresses of the service are all of one kind: ${WORDS[where]}.`)]),
    keyAt(where, patient),
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
    what: `The addresses of the service belong to different environments: ${told}.`,
    why: 'A payment that is made in one environment is not found in another.',
    mend: 'Take all addresses from the same page of the service’s documentation.',
  });
}

function keyAt(where: Kind, { secrets, production }: Patient): Verdict {
  const key = kindOfKey(secrets.apiKey);
  if (key === 'test' && where === 'live') return TEST_KEY_LIVE_ADDRESS;
  if (key === 'live' && where !== 'live') return LIVE_KEY_TEST_ADDRESS;
  if (where === 'live' && !production) return LIVE_IN_DEVELOPMENT;
  if (key === 'unknown' && where !== 'here') return UNKNOWN_KEY;
  return ok('PAYMENTS_API_KEY fits the addresses, by its own words.');
}

const TEST_KEY_LIVE_ADDRESS = error({
  what: 'PAYMENTS_API_KEY calls itself a test key, and the addresses are live ones.',
  why: 'The service refuses a key of the other environment: nobody could pay.',
  mend: 'Take the live key from the dashboard, or the test addresses from the documentation.',
});

const LIVE_KEY_TEST_ADDRESS = error({
  what: 'PAYMENTS_API_KEY calls itself a live key, and the addresses are not live ones.',
  why: 'Live keys are never used for testing: it is refused there, and now known where it should not be.',
  mend: 'Take the test key from the dashboard. Have the live key replaced, as others may have seen it.',
});

const LIVE_IN_DEVELOPMENT = warning({
  what: 'The addresses of the service are live ones, and this is no production shop.',
  why: 'Cards are charged in earnest, and the strict rules of production are off.',
  mend: 'Set NODE_ENV=production, or use the test addresses and a test key.',
});

const UNKNOWN_KEY = note({
  what: 'PAYMENTS_API_KEY does not say whether it is a test key or a live one.',
  why: 'A key of the other environment is refused; this can only be seen by asking the service.',
  mend: 'See below whether the service took it.',
});

const unsigned = note({
  what: 'Card payments are not signed: PAYMENTS_SIGNING_SECRET is not set.',
  why: 'Some accounts ask for a signature and refuse card payments without one.',
  mend: 'Ask the service whether your account signs. If so, set the secret from the dashboard.',
});
