import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildCopy } from '../../../test/support/built-copy.js';
import { PRODUCTION } from './support.js';

let copy: ReturnType<typeof buildCopy>;

beforeAll(() => {
  copy = buildCopy();
}, 60_000);

afterAll(() => {
  copy[Symbol.dispose]();
});

/** Runs `node dist/tools/doctor/main.js` with exactly these settings. */
function doctor(args: readonly string[], settings: Record<string, string> = {}) {
  const env = { PATH: process.env['PATH'], ...settings };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/tools/doctor/main.js', ...args], {
    cwd: copy.home,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('npm run doctor', () => {
  test('finds a fresh copy’s settings in order: exit code 0', () => {
    const { status, stdout, stderr } = doctor(['--offline']);

    expect(stdout).toMatch(/\n0 errors, 0 warnings, 1 notes, \d+ in order\.\n$/);
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  test('tells what no production shop may have: exit code 1, and no secret', () => {
    const { status, stdout } = doctor(['--offline', '--production'], {
      ...PRODUCTION,
      NODE_ENV: 'development',
      PUBLIC_URL: 'http://tienda.example',
    });

    expect(stdout).toMatch(
      /\nERROR {4}settings: PUBLIC_URL must be https in production\.\n {11}why .+\n {11}mend /,
    );
    expect(stdout).not.toContain(PRODUCTION.PAYMENTS_API_KEY);
    expect(status).toBe(1);
  });

  test('speaks JSON to programs', () => {
    const { stdout } = doctor(['--offline', '--json'], { PORT: 'eighty' });

    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ check: 'settings', level: 'error', what: 'PORT must be a whole number.' }),
    );
  });

  test('says so when nothing runs, and ends', () => {
    const nobody = 'http://localhost:2';
    const settings = { PUBLIC_URL: nobody, PAYMENTS_BASE_URL: nobody, CHECKOUT_API_URL: nobody };
    const { status, stdout } = doctor([], { ...settings, PAYMENTS_API_KEY: 'test_key_of_nobody' });

    expect(stdout).toContain('ERROR    shop: Nothing answers at PUBLIC_URL: nothing listens there.');
    expect(status).toBe(1);
  });

  test('asked for what it does not know, tells what it knows: exit code 2', () => {
    const { status, stderr } = doctor(['--everything']);

    expect(stderr).toContain('--production');
    expect(status).toBe(2);
  });
});
