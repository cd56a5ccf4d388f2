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
  test('default settings pass: exit code 0', () => {
    const { status, stdout, stderr } = doctor(['--offline']);

    expect(stdout).toMatch(/\n0 errors, 0 warnings, 1 notes, \d+ checks passed\.\n$/);
    expect([status, stderr]).toEqual([0, '']);
  });

  test('production settings with an error are reported without a secret: exit code 1', () => {
    const { status, stdout } = doctor(['--offline', '--production'], {
      ...PRODUCTION,
      NODE_ENV: 'development',
      PUBLIC_URL: 'http://tienda.example',
    });

    expect(stdout).toMatch(
      /\nERROR {4}settings: PUBLIC_URL must be https in production\.\n {11}why {2}.+\n {11}fix {2}/,
    );
    expect(stdout).not.toContain(PRODUCTION.PAYMENTS_API_KEY);
    expect(status).toBe(1);
  });

  test('--json prints JSON', () => {
    const { stdout } = doctor(['--offline', '--json'], { PORT: 'eighty' });

    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ check: 'settings', level: 'error', what: 'PORT must be a whole number.' }),
    );
  });

  test('an unknown option prints the usage: exit code 2', () => {
    const { status, stderr } = doctor(['--everything']);

    expect(stderr).toContain('--production');
    expect(status).toBe(2);
  });
});
