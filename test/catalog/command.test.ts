import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildCopy } from '../support/built-copy.js';

let copy: ReturnType<typeof buildCopy>;
const SAMPLE = 'sample/products.csv';

beforeAll(() => {
  copy = buildCopy();
});
afterAll(() => {
  copy[Symbol.dispose]();
});

/** Runs `node dist/src/cli/catalog.js` in the copy. */
function catalog(...args: readonly string[]) {
  const env = { PATH: process.env['PATH'], DATABASE_URL: `file:${join(copy.home, 'shop.db')}` };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/src/cli/catalog.js', ...args], {
    ...{ cwd: copy.home, env, encoding: 'utf8' },
  });
  return { status, stdout, stderr };
}

test('the catalog command imports, exports and reports what changed, what would change and what is refused', () => {
  const first = catalog('import', SAMPLE);
  const exported = catalog('export', 'out.csv');
  const file = join(copy.home, 'out.csv');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('289.00', '299.00'));
  const dry = catalog('import', 'out.csv', '--dry-run', '--stock', '--hide-missing');
  const changed = catalog('import', 'out.csv');
  writeFileSync(file, text.replace('289.00', 'gratis').replace('745.50', '-1'));
  const refused = catalog('import', 'out.csv');

  expect(first).toMatchObject({ status: 0, stderr: '' });
  expect(first.stdout).toContain('16 new, 0 changed, 0 unchanged, 0 hidden\n');
  expect(exported).toMatchObject({ status: 0, stdout: 'The products were exported to out.csv.\n' });
  const line = '0 new, 1 changed, 15 unchanged, 0 hidden\n  - changed: taza-talavera (price)\n';
  expect(dry).toEqual({ status: 0, stdout: `Dry run, nothing was written: ${line}`, stderr: '' });
  expect(changed).toEqual({ status: 0, stdout: line, stderr: '' });
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toContain('out.csv was refused, and nothing changed:\n  - row 2, price: "gratis" ');
  expect(refused.stderr).toContain('  - row 3, price: "-1" ');
}, 90_000);

test.each([[[]], [['import', 'a', '--all']]])(
  'the catalog command with the arguments %j prints its usage: exit code 2',
  (args) => {
    const { status, stderr } = catalog(...args);

    expect([status, stderr.includes('npm run catalog -- import FILE')]).toEqual([2, true]);
  },
);

test('the catalog command with a file that does not exist ends with its reason: exit code 1', () => {
  const { status, stderr } = catalog('import', 'nothing.csv');

  expect([status, stderr]).toEqual([1, expect.stringContaining('nothing.csv')]);
});
