/** `npm run release-check` in a project whose scripts end at once. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { run } from '../../../test/support/project-copy.js';

const COMMAND = 'tools/dev/release-check.js';
/** With these variables no test is skipped for a missing program. */
const NOTHING_SKIPPED = 'test "$CI $ENGINES" = "true all"';
const root = fileURLToPath(new URL('../../..', import.meta.url));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tianguis-release-'));
  mkdirSync(join(folder, 'tools/dev'), { recursive: true });
  copyFileSync(join(root, COMMAND), join(folder, COMMAND));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Runs the command in a project with these scripts. */
function check(scripts: Readonly<Record<string, string>>, ...args: readonly string[]) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts }));
  return run(folder, process.execPath, COMMAND, ...args);
}

test('after a failed step the others run, and the report has what passed, failed and could not run', () => {
  const scripts = { check: 'exit 3', build: 'touch built', 'test:all': NOTHING_SKIPPED, drill: 'exit 0' };

  const { code, output } = check(scripts);

  expect(code).toBe(1);
  const [, report = ''] = output.split('== drill on SQLite\n');
  const lines = report.trim().split('\n');
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
    ['check', 'FAILED with exit code 3'],
    ['build', expect.stringMatching(/^passed in \d+ s$/)],
    ['test:all', expect.stringMatching(/^passed/)],
    ['drill on SQLite', expect.stringMatching(/^passed/)],
    ['drill on PostgreSQL', 'not run: add --database postgres://…'],
    ...['interface', 'minimal', 'public-docs'].map((profile) => [
      `contract, profile ${profile}`,
      'not run: removed from this shop',
    ]),
    ...['adopted shop 1', 'adopted shop 2', 'adopted shop 3', 'image'].map((name) => [
      name,
      'not run: removed from this shop',
    ]),
  ]);
  expect(existsSync(join(folder, 'built'))).toBe(true);
});

test('without a failed step, a step that could not run has exit code 2', () => {
  expect(check({ check: 'exit 0' }).code).toBe(2);
});

test('--dry-run lists each step with its command, and runs none', () => {
  const scripts = { check: 'touch ran', drill: 'touch ran', contract: 'touch ran' };

  const { code, output } = check(scripts, '--dry-run', '--database', 'postgres://db.example/shop');

  expect(code).toBe(0);
  expect(output).toMatch(/^drill on PostgreSQL +npm run drill -- --database postgres:\/\/db\.example\/shop$/m);
  expect(output).toMatch(/^contract, profile minimal +npm run contract -- --pay --guided$/m);
  expect(existsSync(join(folder, 'ran'))).toBe(false);
});

test('each step of this project has its script', () => {
  const { output } = run(root, process.execPath, COMMAND, '--dry-run', '--database', 'postgres://db.example/shop');

  const steps = output
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('image'));
  expect(
    steps.filter((line) => line.includes('removed from this shop') && !/^(?:drill|contract|adopted)/.test(line)),
  ).toEqual([]);
  expect(steps).toHaveLength(11);
});
