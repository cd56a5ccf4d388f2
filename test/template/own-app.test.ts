/** The samples of docs/own-app.md compile beside the package that it copies, with the packages that it names. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { linkPackages } from '../support/link-packages.js';
import { run } from '../support/project-copy.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = 'packages/payments/src';
const text = readFileSync(join(root, 'docs/own-app.md'), 'utf8');
const samples = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, sample = '']) => sample);
let app: string;

beforeAll(() => {
  app = mkdtempSync(join(tmpdir(), 'tianguis-own-app-'));
  mkdirSync(join(app, 'src'));
  cpSync(join(root, SOURCES), join(app, SOURCES), { recursive: true });
  linkPackages(app);
});
afterAll(() => {
  rmSync(app, { recursive: true, force: true });
});

test('the samples of docs/own-app.md compile beside the package of the payments', () => {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
    readonly compilerOptions: object;
  };
  writeFileSync(join(app, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  writeFileSync(join(app, 'src/app.ts'), samples.join('\n'));

  expect(samples.length).toBeGreaterThan(0);
  const compiler = join('node_modules', '@typescript', 'native', 'bin', 'tsc');
  expect(run(app, process.execPath, compiler, '-p', 'tsconfig.json')).toEqual({ code: 0, output: '' });
});

test('docs/own-app.md installs the packages that the payments import, in the versions of package.json', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const files = readdirSync(join(root, SOURCES), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const imports = files.flatMap((path) =>
    [...readFileSync(join(root, SOURCES, path), 'utf8').matchAll(/(?:from |import\()'([^'.][^']*)'/g)].map(
      ([, name = '']) => name,
    ),
  );
  const packages = [...new Set(imports)].filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
  const [, installed = ''] = /^npm install (?!--)(.*)$/m.exec(text) ?? [];

  expect(new Set(installed.split(' '))).toEqual(new Set(packages.map((name) => `${name}@${dependencies[name]}`)));
});
