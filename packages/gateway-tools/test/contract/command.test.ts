import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { runBuilt } from '../../../../test/support/built-program.js';
import { readTarget } from '../../src/contract/target.js';
import { startSimulator } from '../../src/simulator/simulator.js';

const TEST_GATEWAY = {
  PAYMENTS_BASE_URL: 'https://stage.pay.example',
  CHECKOUT_API_URL: 'https://api-stage.pay.example',
  PAYMENTS_API_KEY: '5f0c9a7be21d44c8aa01',
};

const folder = mkdtempSync(join(tmpdir(), 'tianguis-contract-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a test environment and this machine are allowed as target', () => {
  expect(readTarget(TEST_GATEWAY)).toMatchObject(TEST_GATEWAY);
  expect(() => readTarget({ ...TEST_GATEWAY, CHECKOUT_API_URL: 'http://localhost:4000' })).not.toThrow();
});

test.each([
  [{ PAYMENTS_API_KEY: 'test_5f0c9a7b' }, 'PAYMENTS_BASE_URL is not set'],
  [{ ...TEST_GATEWAY, CHECKOUT_API_URL: '' }, 'CHECKOUT_API_URL is not set'],
  [{ ...TEST_GATEWAY, CHECKOUT_API_URL: 'nowhere 5f0c9a7b' }, 'CHECKOUT_API_URL must be an http(s) address'],
  [{ ...TEST_GATEWAY, PAYMENTS_BASE_URL: 'https://app.pay.example' }, 'PAYMENTS_BASE_URL does not name a test'],
  [{ ...TEST_GATEWAY, CHECKOUT_API_URL: 'https://latest.pay.example' }, 'CHECKOUT_API_URL does not name'],
  [{ ...TEST_GATEWAY, CHECKOUT_API_URL: 'https://me:5f0c9a7b@stage.pay.example' }, 'CHECKOUT_API_URL must not hold'],
  [
    { ...TEST_GATEWAY, CHECKOUT_PAGE_ORIGINS: 'https://a.example,https://b.example/p' },
    'CHECKOUT_PAGE_ORIGINS must be',
  ],
  [{ ...TEST_GATEWAY, PAYMENTS_API_KEY: 'key 5f0c9a7b' }, 'PAYMENTS_API_KEY must be 8 or more'],
  [{ ...TEST_GATEWAY, TOKENIZER_URL: 'https://token.pay.example/t' }, 'TOKENIZER_URL does not name'],
  [{ ...TEST_GATEWAY, PAYMENTS_API_KEY: 'live_5f0c9a7b' }, 'PAYMENTS_API_KEY is a live key'],
  [{ ...TEST_GATEWAY, NODE_ENV: 'production' }, 'NODE_ENV is production'],
])('the settings %j are refused with %s, and the key is not shown', (environment, expected) => {
  expect(() => readTarget(environment)).toThrow(`The gateway is not tested:\n  - ${expected}`);
  expect(() => readTarget(environment)).not.toThrow('5f0c9a7b');
});

const API_KEY = 'test_key_of_a_process';
const COMMAND = '../node_modules/@tianguis/gateway-tools/bin/gateway-contract.js';

test('without settings the command prints what to set: exit code 2', async () => {
  const { code, stderr } = await runBuilt(COMMAND, []);

  expect(stderr).toMatch(/^The gateway is not tested:\n {2}- PAYMENTS_BASE_URL is not set\n/);
  expect(code).toBe(2);
});

const settingsOf = ({ url }: { readonly url: string }) => ({
  PAYMENTS_BASE_URL: url,
  CHECKOUT_API_URL: url,
  PAYMENTS_API_KEY: API_KEY,
});

test('settings are read from .env, and a value that ends before its # is reported without it', async () => {
  const file = join(folder, '.env');
  writeFileSync(file, 'PAYMENTS_API_KEY=live_5f0c9#a7b\nPAYMENTS_BASE_URL=https://stage.pay.example # test\n');

  const { code, stderr } = await runBuilt(COMMAND, [], { cwd: folder });
  rmSync(file);

  expect(stderr.split('\n').slice(0, 4)).toEqual([
    'Warning: in .env the value of PAYMENTS_API_KEY ends before its #. Put the value in quotes.',
    'The gateway is not tested:',
    '  - CHECKOUT_API_URL is not set',
    '  - PAYMENTS_API_KEY is a live key; tests never use live keys',
  ]);
  expect(code).toBe(2);
});

test('a gateway that meets the interface has exit code 0, and one that differs has 1', async () => {
  await using simulator = await startSimulator({ port: 0, apiKey: API_KEY });
  const run = { settings: settingsOf(simulator), cwd: folder };

  const meeting = await runBuilt(COMMAND, [], run);
  simulator.control.fault('create-session', { kind: 'rewrite', set: { amount_total: '15000' } });
  const differing = await runBuilt(COMMAND, [], run);

  expect(meeting.stdout).toContain('MEETS     create-session (4.3, 2.4.2, 3.1)\n');
  expect(meeting.stdout).toContain('\nNOT TESTED\n');
  expect(meeting.stdout).toContain('\n  paid-session (3.1, 4.4): charges test cards: use --pay\n');
  expect(meeting.code).toBe(0);
  expect(differing.stdout).toContain('            amount_total: expected 15000, found "15000"\n');
  expect(differing.stdout).toContain(' clauses met, 1 not, ');
  expect(differing.code).toBe(1);
  expect(JSON.stringify([meeting, differing])).not.toContain(API_KEY);
});

test('with --pay --guided the simulator is paid, declined, cancelled and asked by the program, and a dated report is written', async () => {
  await using simulator = await startSimulator({ port: 0, apiKey: API_KEY });
  const settings = {
    ...settingsOf(simulator),
    TOKENIZER_URL: `${simulator.url}/vault/v1/gateway/inboundRoutes/demo/token`,
  };

  const { code, stdout } = await runBuilt(COMMAND, ['--pay', '--guided'], { settings, cwd: folder });

  expect(code).toBe(0);
  for (const name of ['paid', 'declined', 'cancelled', 'expired'])
    expect(stdout).toContain(`MEETS     ${name}-session`);
  expect(new Set(simulator.control.sessions().map(({ status }) => status))).toEqual(
    new Set(['pending', 'completed', 'cancelled', 'expired']),
  );
  const path = /^Report: (data\/contract\/\d{4}-\d\d-\d\dT[\d-]+\.\d{3}Z\.md)$/m.exec(stdout)?.[1] ?? '';
  const report = readFileSync(join(folder, path), 'utf8');
  expect(report).toMatch(/^\| 3d-secure-refused \| 3\.2, 4\.1, 4\.2 \| [^|]+ \| [^|]+ \| MEETS \|$/m);
  expect(report).toContain('\n## NOT TESTED\n\n- pending_url (2.4.1): ');
  expect(report + stdout).not.toContain(API_KEY);
});

test('--guided without --pay is refused with exit code 2', async () => {
  const { code, stderr } = await runBuilt(COMMAND, ['--guided']);

  expect([code, stderr]).toEqual([2, expect.stringMatching(/^--guided needs --pay\n/)]);
});
