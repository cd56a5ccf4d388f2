import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
  const program = ['dist/tools/doctor/main.js', ...args];
  return spawnSync(process.execPath, program, { cwd: copy.home, env, encoding: 'utf8' });
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

  test('--json prints JSON, and an unknown option the usage with exit code 2', () => {
    const json = doctor(['--offline', '--json'], { PORT: 'eighty' });
    const unknown = doctor(['--everything']);

    expect(JSON.parse(json.stdout)).toContainEqual(
      expect.objectContaining({ check: 'settings', level: 'error', what: 'PORT must be a whole number.' }),
    );
    expect(unknown.stderr).toContain('--production');
    expect(unknown.status).toBe(2);
  });
});
