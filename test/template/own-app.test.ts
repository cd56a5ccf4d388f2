/** The samples of docs/own-app.md compile beside the folders that it copies, with the packages that it names. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { run } from '../support/project-copy.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['src/payments', 'src/database'];
const text = readFileSync(join(root, 'docs/own-app.md'), 'utf8');
const samples = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, sample = '']) => sample);
let app: string;

beforeAll(() => {
  app = mkdtempSync(join(tmpdir(), 'tianguis-own-app-'));
  mkdirSync(join(app, 'src'));
  for (const folder of FOLDERS) cpSync(join(root, folder), join(app, folder), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(app, 'node_modules'));
});
afterAll(() => {
  rmSync(app, { recursive: true, force: true });
});

test('the samples of docs/own-app.md compile beside the two folders of the payments', () => {
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

test('docs/own-app.md installs the packages that the two folders import, in the versions of package.json', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(root, folder, name)),
  ).filter((path) => path.endsWith('.ts'));
  const imports = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/(?:from |import\()'([^'.][^']*)'/g)].map(([, name = '']) => name),
  );
  const packages = [...new Set(imports)].filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
  const [, installed = ''] = /^npm install (?!--)(.*)$/m.exec(text) ?? [];

  expect(new Set(installed.split(' '))).toEqual(new Set(packages.map((name) => `${name}@${dependencies[name]}`)));
});
