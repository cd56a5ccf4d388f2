import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildCopy } from '../../../test/support/built-copy.js';
import { startSimulator } from '../../simulator/simulator.js';
import { readTarget } from '../target.js';

const TEST_GATEWAY = {
  PAYMENTS_BASE_URL: 'https://stage.pay.example',
  CHECKOUT_API_URL: 'https://api-stage.pay.example',
  PAYMENTS_API_KEY: '5f0c9a7be21d44c8aa01',
};

describe('the contract is tried with', () => {
  const problems = (environment: Record<string, string>) => {
    const reading = readTarget(environment, false);
    return reading.ok ? [] : reading.problems;
  };

  test('a test environment, or this machine', () => {
    expect(problems(TEST_GATEWAY)).toEqual([]);
    expect(problems({ ...TEST_GATEWAY, CHECKOUT_API_URL: 'http://localhost:4000' })).toEqual([]);
  });

  test.each([
    ['nothing set', {}, /^Set PAYMENTS_BASE_URL, CHECKOUT_API_URL and PAYMENTS_API_KEY/],
    ['a part of it set', { PAYMENTS_API_KEY: 'test_5f0c9a7b' }, /^PAYMENTS_BASE_URL: is missing/],
    [
      'a live host',
      { ...TEST_GATEWAY, PAYMENTS_BASE_URL: 'https://app.pay.example' },
      /^PAYMENTS_BASE_URL does not name a test/,
    ],
    [
      'another live host',
      { ...TEST_GATEWAY, CHECKOUT_API_URL: 'https://latest.pay.example' },
      /^CHECKOUT_API_URL does not name/,
    ],
    [
      'a live vault',
      { ...TEST_GATEWAY, TOKENIZER_URL: 'https://token.pay.example/t' },
      /^TOKENIZER_URL does not name/,
    ],
    [
      'a live key',
      { ...TEST_GATEWAY, PAYMENTS_API_KEY: 'live_5f0c9a7b' },
      /^PAYMENTS_API_KEY calls itself a live key/,
    ],
  ])('never %s', (_name, environment, words) => {
    const told = problems(environment);

    expect(told[0]).toMatch(words);
    expect(told.join('\n')).not.toContain('5f0c9a7b');
  });

  test('never the settings of a production shop', () => {
    const told = problems({
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://tienda.example',
      SESSION_SECRET: 'kq3vN8sXw1Zt5yB7uD0fHj2LmR4pG6cA9eQ',
      PAYMENTS_BASE_URL: 'https://localhost:4000',
      CHECKOUT_API_URL: 'https://localhost:4000',
      PAYMENTS_API_KEY: TEST_GATEWAY.PAYMENTS_API_KEY,
      TOKENIZER_URL: 'https://localhost:4000/token',
      WEBHOOK_AUTH: 'bearer:Zx81kQpL0v7RtY3n',
      TRUST_PROXY: '1',
    });

    expect(told).toEqual([expect.stringMatching(/^NODE_ENV is production/)]);
  });
});

describe('npm run contract', () => {
  const API_KEY = 'test_key_of_a_process';
  let copy: ReturnType<typeof buildCopy>;

  beforeAll(() => {
    copy = buildCopy();
  }, 60_000);

  afterAll(() => {
    copy[Symbol.dispose]();
  });

  /** Runs `node dist/tools/contract/main.js` with only these settings. */
  async function contract(settings: Record<string, string>, ...args: readonly string[]) {
    const env = { PATH: process.env['PATH'], ...settings };
    const child = spawn(process.execPath, ['dist/tools/contract/main.js', ...args], { cwd: copy.home, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes) => {
        output += String(bytes);
      });
    const code = await new Promise((resolve) => {
      child.on('close', resolve);
    });
    return { code, output };
  }

  test('without keys says what to set: exit code 2', async () => {
    const { code, output } = await contract({});

    expect(output).toMatch(/^The contract is not tried:\n {2}- Set PAYMENTS_BASE_URL, /);
    expect(code).toBe(2);
  });

  test('refuses a live host before anything is sent: exit code 2', async () => {
    const { code, output } = await contract({ ...TEST_GATEWAY, CHECKOUT_API_URL: 'https://api.pay.example' });

    expect(output).toContain('  - CHECKOUT_API_URL does not name a test environment');
    expect(code).toBe(2);
  });

  test('tells a gateway that keeps to it from one that does not: exit code 0 and 1', async () => {
    await using service = await startSimulator({ port: 0, apiKey: API_KEY });
    const settings = {
      PAYMENTS_BASE_URL: service.url,
      CHECKOUT_API_URL: service.url,
      PAYMENTS_API_KEY: API_KEY,
    };

    const kept = await contract(settings);
    service.control.fault('create-session', { kind: 'rewrite', set: { amount_total: '15000' } });
    const broken = await contract(settings);

    expect(kept.output).toContain('MEETS    create-session (4.3, 2.4.2): ');
    expect(kept.code).toBe(0);
    expect(broken.output).toContain('           amount_total: expected 15000, found "15000"\n');
    expect(broken.output).toContain('The gateway differs from interface.md in 1 point.');
    expect(broken.code).toBe(1);
    expect(kept.output + broken.output).not.toContain(API_KEY);
  });
});
