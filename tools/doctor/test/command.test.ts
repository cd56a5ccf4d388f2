import { tmpdir } from 'node:os';
import { expect, test } from '@jest/globals';
import { runBuilt } from '../../../test/support/built-program.js';
import { PRODUCTION } from './support.js';

const COMMAND = 'tools/doctor/main.js';

test('npm run doctor passes with default settings in the working directory of a server: exit code 0', async () => {
  const { code, stdout, stderr } = await runBuilt(COMMAND, ['--offline'], { cwd: tmpdir() });

  expect(stdout).toMatch(/\n0 errors, 0 warnings, 1 notes, \d+ checks passed\.\n$/);
  expect([code, stderr]).toEqual([0, '']);
});

test('npm run doctor reports production settings with an error without a secret: exit code 1', async () => {
  const settings = { ...PRODUCTION, NODE_ENV: 'development', PUBLIC_URL: 'http://tienda.example' };

  const { code, stdout } = await runBuilt(COMMAND, ['--offline', '--production'], { settings });

  expect(stdout).toMatch(/\nERROR {4}settings: PUBLIC_URL must be https in production\.\n {11}why {2}.+\n {11}fix {2}/);
  expect(stdout).not.toContain(PRODUCTION.PAYMENTS_API_KEY);
  expect(code).toBe(1);
});

test('npm run doctor --json prints the checks as JSON, and does not wait for an open input', async () => {
  const { code, stdout } = await runBuilt(COMMAND, ['--offline', '--json'], { input: 'open' });
  const report = JSON.parse(stdout) as { readonly results: readonly object[] };

  expect([code, report]).toEqual([0, expect.objectContaining({ errors: 0, warnings: 0, notes: 1 })]);
  expect(report.results).toContainEqual({ check: 'settings', level: 'ok' });
});

test('npm run doctor prints the usage with exit code 2 for an unknown option', async () => {
  const unknown = await runBuilt(COMMAND, ['--everything']);

  expect(unknown.stderr).toContain('--production');
  expect(unknown.code).toBe(2);
});
