/** Programs of the built project, with only the given settings as their environment. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach } from '@jest/globals';
import { transformSync } from '@swc/core';
import { CATALOG_FILE } from './catalog.js';
import { linkPackages } from './link-packages.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const COMPILER = 'node_modules/@typescript/native/bin/tsc';
const OPTIONS = ['--noCheck', '--incremental', 'false'];
/** The packages whose sources are here, in the order in which they are compiled. */
const PACKAGES = ['packages/payments', 'packages/gateway-tools'].filter((folder) =>
  existsSync(join(root, folder, 'src')),
);
const LINKED = ['views', 'public', 'content', 'package.json', 'examples'];
const NOT_COPIED = ['src', 'test', 'dist', 'node_modules'];

/** Returns the folder of an unchanged build, with the catalog of the test shop as its sample. The first caller of the test run creates it. Tests write nothing into it. */
export function sharedBuild(): string {
  const folder = process.env['TEST_TEMPLATES'];
  if (folder === undefined) throw new Error('TEST_TEMPLATES is not set');
  const shared = join(folder, 'built');
  if (existsSync(shared)) return shared;
  const home = mkdtempSync(join(folder, 'new-'));
  linkFolders(home);
  for (const [project, dist] of [
    ...PACKAGES.map((folder) => [folder, join(home, folder, 'dist')] as const),
    ['tsconfig.build.json', join(home, 'dist')] as const,
  ])
    spawnSync(process.execPath, [COMPILER, '-p', project, ...OPTIONS, '--outDir', dist], { cwd: root });
  spawnSync(process.execPath, ['tools/dev/copy-assets.js', join(home, 'dist')], { cwd: root });
  try {
    renameSync(home, shared);
  } catch (error) {
    // Another worker created the build meanwhile.
    if (!existsSync(shared)) throw error;
    rmSync(home, { recursive: true });
  }
  return shared;
}

function linkFolders(home: string): void {
  for (const folder of PACKAGES)
    cpSync(join(root, folder), join(home, folder), {
      recursive: true,
      filter: (path) => !NOT_COPIED.some((name) => path === join(root, folder, name)),
    });
  linkPackages(home);
  for (const name of LINKED) if (existsSync(join(root, name))) symlinkSync(join(root, name), join(home, name));
  mkdirSync(join(home, 'sample'));
  symlinkSync(CATALOG_FILE, join(home, 'sample/products.csv'));
}

/** Copies the build into its own folder. Each source file that `changes` names is changed and compiled again. */
export function copyBuild(changes: Readonly<Record<string, (source: string) => string>>) {
  const home = mkdtempSync(join(tmpdir(), 'tianguis-built-'));
  linkFolders(home);
  for (const dist of ['dist', ...PACKAGES.map((folder) => `${folder}/dist`)])
    cpSync(join(sharedBuild(), dist), join(home, dist), { recursive: true });
  for (const [file, change] of Object.entries(changes)) {
    const source = change(readFileSync(join(root, file), 'utf8'));
    const { code } = transformSync(source, { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' } });
    writeFileSync(join(home, builtPathOf(file)), code);
  }
  return {
    home,
    [Symbol.dispose]() {
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function builtPathOf(source: string): string {
  const script = source.replace(/\.ts$/, '.js');
  const inPackage = script.replace(/^(packages\/[^/]+)\/src\//, '$1/dist/');
  return inPackage === script ? `dist/${script}` : inPackage;
}

interface RunOptions {
  /** The standard input. `'open'`: a pipe that stays open and sends nothing. */
  readonly input?: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** The folder of the build. */
  readonly home?: string;
  readonly cwd?: string;
}

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill();
  running.clear();
});

/** Runs `dist/<script>` to its end. A test that fails before ends it. */
export async function runBuilt(
  script: string,
  args: readonly string[],
  { input = '', settings = {}, home = sharedBuild(), cwd = home }: RunOptions = {},
) {
  const env = { PATH: process.env['PATH'], ...settings };
  const child = spawn(process.execPath, [join(home, 'dist', script), ...args], { cwd, env });
  child.stdin.on('error', () => {});
  if (input !== 'open') child.stdin.end(input);
  running.add(child);
  const outputs = [text(child.stdout), text(child.stderr)] as const;
  const [code] = await once(child, 'close');
  const [stdout, stderr] = await Promise.all(outputs);
  return { code: code as number, stdout, stderr };
}
