import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { copyBuild, runBuilt } from '../../../test/support/built-program.js';
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

test('npm run doctor names version and commit of the payments', async () => {
  using build = copyBuild({});
  const file = join(build.home, 'node_modules/@tianguis/payments/package.json');
  const read = () => JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string; readonly gitHead?: string };
  // As in a packed package. Those of a clone without the sources are packed.
  if (existsSync(join(build.home, 'packages/payments')))
    writeFileSync(file, JSON.stringify({ ...read(), gitHead: '0123456789abcdef0123456789abcdef01234567' }));
  const { version, gitHead } = read();

  const { stdout } = await runBuilt(COMMAND, ['--offline'], build);
  const json = await runBuilt(COMMAND, ['--offline', '--json'], build);

  expect(gitHead).toMatch(/^[0-9a-f]{40}$/);
  expect(stdout).toContain(`Payments ${version} (${gitHead})\n`);
  expect(JSON.parse(json.stdout)).toMatchObject({ payments: version, paymentsCommit: gitHead });
});

test('npm run doctor prints the usage with exit code 2 for an unknown option', async () => {
  const unknown = await runBuilt(COMMAND, ['--everything']);

  expect(unknown.stderr).toContain('--production');
  expect(unknown.code).toBe(2);
});
