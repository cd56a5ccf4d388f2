/** The simulator meets the contract, and the contract reports each difference of a gateway. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createGatewayClient } from '../../src/contract/gateway-client.js';
import { gatewayOpenApi } from '../../src/contract/openapi.js';
import { CLAUSES, type ClauseResult, runClause } from '../../src/contract/run-clauses.js';
import { readTarget, type Target } from '../../src/contract/target.js';
import { findTester } from '../../src/contract/tester.js';
import { type Profile, type Simulator, startSimulator } from '../../src/simulator/simulator.js';

const API_KEY = 'test_key_of_the_contract';
const SIGNING_SECRET = 'signing-secret-of-the-contract';

let simulator: Simulator;

const start = (profile: Profile) => startSimulator({ port: 0, apiKey: API_KEY, profile });

beforeEach(async () => {
  simulator = await start('interface');
});

afterEach(() => simulator.close());

function targetOf(settings: Record<string, string> = {}): Target {
  return readTarget({
    ...settings,
    PAYMENTS_BASE_URL: simulator.url,
    CHECKOUT_API_URL: simulator.url,
    PAYMENTS_API_KEY: API_KEY,
    TOKENIZER_URL: `${simulator.url}/vault/v1/gateway/inboundRoutes/demo/token`,
  });
}

/** Runs the clauses whose name begins with `name`, by default all, with all steps in a browser. */
async function runContract(target: Target, name = '', pay = true): Promise<readonly ClauseResult[]> {
  const gateway = createGatewayClient(target);
  const tester = pay ? await findTester(target) : undefined;
  const results: ClauseResult[] = [];
  for (const clause of CLAUSES.filter((each) => each.name.startsWith(name)))
    results.push(await runClause(clause, gateway, { pay, tester }));
  return results;
}

function untestedIn(results: readonly ClauseResult[]): readonly string[] {
  return results.flatMap(({ name, untested }) => (untested ? [name] : []));
}

/** Formats every difference as `clause: member: expected …, found …`. */
function differencesIn(results: readonly ClauseResult[]): readonly string[] {
  return results.flatMap(({ name, differences }) => differences.map((difference) => `${name}: ${difference}`));
}

test.each<Profile>(['interface', 'minimal', 'public-docs'])(
  'in the profile %s the simulator meets every clause, and is paid once as José Núñez',
  async (profile) => {
    await simulator.close();
    simulator = await start(profile);
    const results = await runContract(targetOf());

    // The interface shows no refunds.
    expect(untestedIn(results)).toEqual(profile === 'minimal' ? ['refund'] : []);
    expect(differencesIn(results)).toEqual([]);
    expect(results.some(({ published }) => published.length > 0)).toBe(profile === 'public-docs');
    const names = simulator.control.payments().map(({ customer }) => customer.name);
    expect(names.filter((name) => name === 'José Núñez')).toHaveLength(1);
    expect(simulator.control.refundLedger()).toHaveLength(profile === 'minimal' ? 0 : 1);
  },
);

/** The headers of every request, beside those of the OpenAPI document. */
const HEADERS = ['accept', 'accept-encoding', 'authorization', 'connection', 'content-type', 'host', 'user-agent'];

interface Schema {
  readonly properties?: object;
  readonly anyOf?: readonly Schema[];
}

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

/** zod reads an array in `const` as a choice. */
const document = JSON.parse(gatewayOpenApi(), (_, value) =>
  Array.isArray(value?.const) ? { type: 'array', items: { const: value.const[0] } } : value,
);
const { paths } = document as { readonly paths: Record<string, Record<string, Operation>> };

test.each<Call>(['create-session', 'read-session', 'process', 'refund', 'read-transaction', 'tokenization-auth'])(
  'the request %s has the address, headers and members of the OpenAPI document',
  async (call) => {
    const target = targetOf({ PAYMENTS_SIGNING_SECRET: SIGNING_SECRET });
    for (const name of ['read-', 'refund']) await runContract(target, name);

    const [request] = simulator.control.calls(call);
    const operation = paths[request?.path.replace(/[^/]{30,}/, '{id}') ?? '']?.[request?.method.toLowerCase() ?? ''];
    const headers = operation?.parameters.flatMap((each) => (each.in === 'header' ? [each.name.toLowerCase()] : []));
    const sent = Object.keys(request?.headers ?? {}).filter((name) => name !== 'content-length');
    expect(new Set(sent)).toEqual(new Set([...HEADERS, ...(headers ?? ['no operation'])]));
    const schema = operation?.requestBody?.content['application/json'].schema;
    if (!schema) return expect(request?.body).toBeUndefined();
    z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).parse(request?.body);
    const members = (schema.anyOf ?? [schema]).map(({ properties }) => new Set(Object.keys(properties ?? {})));
    expect(members).toContainEqual(new Set(Object.keys(Object(request?.body))));
  },
);

test('the simulator is not charged without --pay', async () => {
  const results = await runContract(targetOf(), '', false);

  expect(untestedIn(results)).toEqual([
    'card-payment',
    'accented-name',
    'read-transaction',
    'transaction-members',
    '3d-secure',
    'declined-card',
    'refund',
    'paid-session',
    'return_url-fallback',
    'declined-session',
    'cancelled-session',
    'expired-session',
    '3d-secure-confirmed',
    '3d-secure-refused',
  ]);
  expect(simulator.control.ledger()).toEqual([]);
});

test.each([
  ['ascii', 'ascii', []],
  ['utf8', 'utf8', []],
  ['ascii', 'utf8', ['accented-name: status: expected a 2xx status, found 401']],
] as const)('signing %s for a gateway that verifies %s differs by %j', async (text, gatewayText, expected) => {
  simulator.control.settings({ signingSecret: SIGNING_SECRET, signingText: gatewayText });
  const target = targetOf({ PAYMENTS_SIGNING_SECRET: SIGNING_SECRET, PAYMENTS_SIGNING_TEXT: text });

  const differences = differencesIn(await runContract(target, 'accented-name'));

  expect(differences.filter((difference) => difference.includes('status'))).toEqual(expected);
});

type Call = Parameters<Simulator['control']['fault']>[0];
type Fault = Parameters<Simulator['control']['fault']>[1];

const rewrite = (set: Record<string, unknown>, remove?: string[]): Fault => ({
  kind: 'rewrite',
  set,
  ...(remove && { remove }),
});

/** The expected difference of each fault. It begins with the name of the clause. */
const FAULTS: Readonly<Record<string, readonly [Call, Fault]>> = {
  'create-session: amount_total: expected 15000, found "15000"': ['create-session', rewrite({ amount_total: '15000' })],
  'create-session: id: expected a text, found nothing': ['create-session', rewrite({}, ['id'])],
  'create-session: url: expected an https URL (http on this machine only), found "http://pay.example/1"': [
    'create-session',
    rewrite({ url: 'http://pay.example/1' }),
  ],
  'payment-page: origin of url: expected "http://localhost", found "https://page.example"': [
    'create-session',
    rewrite({ url: 'https://page.example/1' }),
  ],
  'session refused: currency USD: status: expected a refusal (400, 422 or another 4xx that is about the request), found 201':
    ['create-session', { kind: 'raw', status: 201, body: '{}' }],
  'session accepted: expires_at in 30.5 minutes: status: expected 201, found 422': [
    'create-session',
    { kind: 'status', status: 422 },
  ],
  'key refused: process with an empty Authorization: status: expected a refusal of the key (401 or 403), found 200': [
    'process',
    { kind: 'status', status: 200 },
  ],
  'card-payment: id: expected a UUID, found 17': ['process', rewrite({ id: 17 })],
  '3d-secure: next_action.redirect_to_url: expected object, found nothing': [
    'process',
    rewrite({ next_action: { url: 'https://bank.example' } }),
  ],
  'first-address: status: expected 201, found 404': ['create-session', { kind: 'status', status: 404 }],
  'card-tokens: card_number: expected 12 to 19 digits in four-digit blocks, found a value of type string': [
    'tokenize',
    rewrite({ card_number: '0000-0000-000' }),
  ],
  'card-tokens: card with 15 digits: cvv: expected a UUID, found nothing': ['tokenize', rewrite({}, ['cvv'])],
  'transaction-members: operation_type: expected "payment", found "refund"': [
    'read-transaction',
    rewrite({ operation_type: 'refund' }),
  ],
  'refund: amount: expected 150, found 15000': ['refund', rewrite({ amount: 15_000 })],
  'refund: second refund: status: expected a refusal (400, 422 or another 4xx that is about the request), found 201': [
    'refund',
    { kind: 'status', status: 201, apply: true },
  ],
};

test.each(Object.entries(FAULTS))('a gateway fault is reported as %s', async (expected, [call, fault]) => {
  simulator.control.fault(call, fault);
  // Only the clauses that the expected text begins with.
  const [, name] = /^((?:\w+ refused: |\w+ accepted: )?[^:]+):/.exec(expected) ?? [];

  const differences = differencesIn(await runContract(targetOf(), name));

  expect(differences.map((text) => text.replace(simulator.url, 'http://localhost'))).toContain(expected);
});

test('a gateway that closes the connection is reported as a missing answer', async () => {
  simulator.control.fault('read-session', { kind: 'drop', when: 'before' });

  expect(differencesIn(await runContract(targetOf(), 'read-session'))).toEqual([
    expect.stringMatching(/^read-session: answer: expected an answer, found none: ECONNRESET$/),
  ]);
});

test('a refusal with a body that is not JSON meets the clause', async () => {
  simulator.control.fault('process', { kind: 'raw', status: 401, body: '<h1>401</h1>', contentType: 'text/html' });

  expect(differencesIn(await runContract(targetOf(), 'key refused: process'))).toEqual([]);
});

test('a gateway that echoes a secret is reported without it', async () => {
  const target = targetOf({ PAYMENTS_SIGNING_SECRET: SIGNING_SECRET });
  const longText = 'x'.repeat(280);
  simulator.control.fault(
    'create-session',
    rewrite({ currency: `for ${API_KEY}`, provider: [SIGNING_SECRET], url: `${longText}${API_KEY}` }),
  );

  const differences = differencesIn(await runContract(target, 'create-session')).join('\n');

  expect(differences).toContain('currency: expected "MXN", found "for [secret]"');
  expect(differences).toContain('provider: expected a text, found ["[secret]"]');
  expect(differences).not.toContain('test_key');
});
