import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Returns the files that `npm test -- …` would run, relative to the project. */
function filesOf(...args: readonly string[]): readonly string[] {
  const command = ['--experimental-vm-modules', 'tools/dev/test.js', ...args, '--listTests', '--json'];
  const { stdout } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  return (JSON.parse(stdout) as string[]).map((file) => relative(root, file));
}

test.each([
  [['--selectProjects', 'server', 'test/domain/tax.test.ts']],
  [['--selectProjects', 'server', 'browser', '--seed=1', 'test/domain/tax.test.ts']],
])('npm test -- %j runs one file', (args) => {
  expect(filesOf(...args)).toEqual(['test/domain/tax.test.ts']);
});

test('npm test runs no sweep and no test of the template, and npm run test:all runs each test file', () => {
  const [shop, all] = [filesOf(), filesOf('--all')];

  expect(shop.filter((file) => /^(?:test\/(?:template|example)|tools)\/|\/sweeps\//.test(file))).toEqual([]);
  expect(shop).toEqual(expect.arrayContaining(['test/journeys/cart.test.ts', 'test/checkout/stock.test.ts']));
  const files = ['src', 'test', 'tools', 'packages'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  expect([...new Set(all)].sort()).toEqual(files.filter((file) => file.endsWith('.test.ts')).sort());
});
