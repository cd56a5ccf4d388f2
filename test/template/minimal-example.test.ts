/** `examples/minimal` compiles and runs with `packages/payments` and packages alone, and stays small. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { runBuilt } from '../support/built-program.js';
import { linkPackages } from '../support/link-packages.js';
import { PRODUCTION } from '../support/production-settings.js';
import { run } from '../support/project-copy.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tianguis-minimal-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the example compiles in a folder that has only itself, the payments, the database and packages', async () => {
  for (const part of ['examples/minimal', 'packages/payments', 'package.json', 'tsconfig.json']) {
    mkdirSync(join(folder, part, '..'), { recursive: true });
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  linkPackages(folder);

  const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
  for (const project of ['packages/payments', 'examples/minimal'])
    expect(run(folder, process.execPath, compiler, '-p', project)).toEqual({ code: 0, output: '' });

  const { code, stderr } = await runBuilt('examples/minimal/main.js', [], { home: folder, settings: PRODUCTION });
  expect([code, stderr.includes('- session store')]).toEqual([1, true]);
});

test('the README names constants that their files have', () => {
  const read = (name: string) => readFileSync(join(root, 'examples/minimal', name), 'utf8');
  const named = [...read('README.md').matchAll(/`(\w+)` in `(\w+\.ts)`/g)];

  expect(named.filter(([, name, file = '']) => !new RegExp(`^const ${name}\\b`, 'm').test(read(file)))).toEqual([]);
  expect(named.length).toBeGreaterThan(0);
});

test('the example has at most 350 lines of TypeScript and five views', () => {
  const home = join(root, 'examples/minimal');
  const files = readdirSync(home).filter((name) => name.endsWith('.ts'));
  const lines = files.map((file) => readFileSync(join(home, file), 'utf8').split('\n').length - 1);

  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(350);
  expect(readdirSync(join(home, 'views'))).toHaveLength(5);
});
