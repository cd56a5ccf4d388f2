/** The simulator meets the contract, and the suite reports each deviation of a gateway. */
import { describe, expect, test } from '@jest/globals';
import { profileOfThisRun } from '../../../test/support/test-shop.js';
import { type Simulator, startSimulator } from '../../simulator/simulator.js';
import { line, summary } from '../report.js';
import { type Result, runContract } from '../run-contract.js';
import { readTarget, type Target } from '../target.js';

const API_KEY = 'test_key_of_the_contract';

function openGateway(): Promise<Simulator> {
  return startSimulator({ port: 0, apiKey: API_KEY, profile: profileOfThisRun() });
}

function targetOf(service: Simulator, settings: Record<string, string> = {}): Target {
  const environment = {
    ...settings,
    PAYMENTS_BASE_URL: service.url,
    CHECKOUT_API_URL: service.url,
    PAYMENTS_API_KEY: API_KEY,
    TOKENIZER_URL: `${service.url}/vault/v1/gateway/inboundRoutes/demo/token`,
  };
  const reading = readTarget(environment, true);
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  return reading.target;
}

/** Formats every difference as `clause at: expected …, found …`. */
function differences(results: readonly Result[]): readonly string[] {
  return results.flatMap(({ clause, deviations }) =>
    deviations.map(({ at, expected, found }) => `${clause.name} ${at}: expected ${expected}, found ${found}`),
  );
}

/** Returns the differences of one clause. */
async function evaluatePayment(service: Simulator, clause: string): Promise<readonly string[]> {
  return differences(await runContract(targetOf(service), { only: [clause] }));
}

/** Expected differences of each profile. The public documents contradict interface.md in these points. */
const OF_PROFILE = {
  interface: [],
  'public-docs': [
    'card-payment status: expected "authorized", found "Success"',
    'card-payment transaction_id: expected a text, found 0',
    'read-transaction amount: expected 150, found "150.0000"',
    'read-transaction status: expected "authorized", found "Success"',
  ],
} as const;

const numbersLeftOut = (lines: readonly string[]) =>
  lines.map((text) => text.replace(/found \d+$/, 'found 0'));

const SIGNING_SECRET = 'signing-secret-of-the-contract';

describe('a gateway that asks for signed payments', () => {
  test.each([
    ['ascii', 'ascii', []],
    ['utf8', 'utf8', []],
    ['ascii', 'utf8', ['accented-name status: expected a 2xx status, found 401']],
  ] as const)(
    'PAYMENTS_SIGNING_TEXT=%s against a gateway that signs %s leads to the differences %j',
    async (text, verified, expected) => {
      await using service = await openGateway();
      service.control.settings({ signingSecret: SIGNING_SECRET, signingText: verified });
      const settings = { PAYMENTS_SIGNING_SECRET: SIGNING_SECRET, PAYMENTS_SIGNING_TEXT: text };

      const results = await runContract(targetOf(service, settings), {
        only: ['payment-fields', 'accented-name'],
      });

      expect(results.filter(({ skipped }) => skipped !== undefined)).toEqual([]);
      expect(differences(results)).toEqual(expected);
    },
  );
});

describe('the simulator', () => {
  test('is paid once as José Núñez', async () => {
    await using service = await openGateway();

    await runContract(targetOf(service));

    const names = service.control.payments().map(({ customer }) => customer.name);
    expect(names.filter((name) => name === 'José Núñez')).toHaveLength(1);
  });

  test('keeps to interface.md in every clause, but for what its profile says otherwise', async () => {
    await using service = await openGateway();

    const results = await runContract(targetOf(service));

    expect(results.filter(({ skipped }) => skipped !== undefined)).toEqual([]);
    expect(numbersLeftOut(differences(results))).toEqual(OF_PROFILE[profileOfThisRun()]);
  });

  test('charges nobody unless it is asked to pay', async () => {
    await using service = await openGateway();
    const target = { ...targetOf(service), pays: false };

    const results = await runContract(target);

    expect(differences(results)).toEqual([]);
    expect(results.flatMap(({ clause, skipped }) => (skipped ? [clause.name] : []))).toEqual([
      'card-payment',
      'accented-name',
      'read-transaction',
      '3d-secure',
    ]);
    expect(service.control.ledger()).toEqual([]);
  });
});

type Call = Parameters<Simulator['control']['fault']>[0];
type Fault = Parameters<Simulator['control']['fault']>[1];

const rewrite = (set: Record<string, unknown>, remove?: string[]): Fault => ({
  kind: 'rewrite',
  set,
  ...(remove && { remove }),
});

/** Each: the deviation of the gateway, the call, the fault, and the expected line of the report. */
const DEVIATING: readonly (readonly [string, Call, Fault, string])[] = [
  [
    'an amount as text',
    'create-session',
    rewrite({ amount_total: '15000' }),
    'create-session amount_total: expected 15000, found "15000"',
  ],
  [
    'an amount in pesos',
    'read-session',
    rewrite({ amount_total: 150 }),
    'read-session amount_total: expected 15000, found 150',
  ],
  [
    'a status word in another case',
    'create-session',
    rewrite({ status: 'Pending' }),
    'create-session status: expected "pending", found "Pending"',
  ],
  [
    'times in seconds',
    'create-session',
    rewrite({ created_at: 1_700_000_000 }),
    'create-session created_at: expected Unix milliseconds of this moment, found 1700000000',
  ],
  ['no id', 'create-session', rewrite({}, ['id']), 'create-session id: expected a text, found nothing'],
  [
    'a page without https',
    'create-session',
    rewrite({ url: 'http://pay.example/1' }),
    'create-session url: expected an https address (http on this machine only), found "http://pay.example/1"',
  ],
  [
    'a page elsewhere',
    'create-session',
    rewrite({ url: 'https://page.example/1' }),
    'payment-page origin of url: expected http://localhost:0, found "https://page.example"',
  ],
  [
    'one id for all',
    'create-session',
    rewrite({ id: 'cs_1' }),
    'two-sessions id: expected another than before, found "cs_1"',
  ],
  [
    '201 for every session',
    'create-session',
    { kind: 'raw', status: 201, body: '{}' },
    'session-fields currency USD: expected a refusal (400, 422 or another 4xx that is about the request), found 201',
  ],
  [
    '200 for a new session',
    'create-session',
    { kind: 'raw', status: 200, body: '{}' },
    'create-session status: expected 201, found 200',
  ],
  [
    'any time to pay',
    'create-session',
    { kind: 'raw', status: 201, body: '{}' },
    'session-window in 25 hours: expected a refusal (400, 422 or another 4xx that is about the request), found 201',
  ],
  [
    'no time to pay',
    'create-session',
    { kind: 'status', status: 422 },
    'session-window in 35 minutes: status: expected 201, found 422',
  ],
  [
    '200 for a wrong key',
    'read-session',
    { kind: 'status', status: 200 },
    'keys read-session with another key: expected a refusal of the key (401 or 403), found 200',
  ],
  [
    'a payment for a wrong key',
    'process',
    { kind: 'status', status: 200 },
    'keys process without a header: expected a refusal of the key (401 or 403), found 200',
  ],
  [
    '200 for an unknown id',
    'read-transaction',
    { kind: 'status', status: 200 },
    'unknown-ids transaction: expected 404, found 200',
  ],
  [
    'a page instead of JSON',
    'read-session',
    { kind: 'raw', status: 200, body: '<p>', contentType: 'text/html; charset=utf-8' },
    'read-session content-type: expected application/json, found "text/html"',
  ],
  [
    'no access token',
    'tokenization-auth',
    rewrite({ access_token: 7 }),
    'tokenization-access access_token: expected a text, found a value of type number',
  ],
  [
    'a payment without an id that is one',
    'process',
    rewrite({ id: 17 }),
    'card-payment id: expected a UUID, found 17',
  ],
  [
    'an amount of its own',
    'read-transaction',
    rewrite({ amount: 15_000 }),
    'read-transaction amount: expected 150, found 15000',
  ],
  [
    'a bank’s address elsewhere',
    'process',
    rewrite({ next_action: { url: 'https://bank.example' } }),
    '3d-secure next_action.redirect_to_url.body: expected a JSON object, found nothing',
  ],
  [
    'silence',
    'read-session',
    { kind: 'drop', when: 'before' },
    'read-session answer: expected an answer, found none: ',
  ],
];

describe('a gateway with', () => {
  test.each(DEVIATING)('%s is told', async (...deviating) => {
    const [, call, fault, expected] = deviating;
    await using service = await openGateway();
    service.control.fault(call, fault);

    const told = (await evaluatePayment(service, expected.split(' ', 1)[0] ?? '')).map((text) =>
      text.replace(service.url, 'http://localhost:0'),
    );

    expect(told.filter((text) => text.startsWith(expected))).not.toEqual([]);
  });

  test('our key in its answer is told without it', async () => {
    await using service = await openGateway();
    service.control.fault('create-session', rewrite({ currency: `for ${API_KEY}` }));

    const results = await runContract(targetOf(service));

    const told = `${results.map(line).join('\n')}\n${summary(results)}`;
    expect(told).toContain('currency: expected "MXN", found "for [key]"');
    expect(told).not.toContain(API_KEY);
  });

  test('a limit is waited for', async () => {
    await using service = await openGateway();
    service.control.rateLimit('create-session', 0, 2);

    expect(await evaluatePayment(service, 'session-defaults')).toEqual([]);
  });
});
