import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What is to be made of a file of `src/` before it is compiled. */
type Change = (file: string, source: string) => string;

/** The shop as it is delivered, built into a folder of its own, so that no other build is disturbed. */
export function buildCopy(change?: Change): { readonly home: string } & Disposable {
  const home = mkdtempSync(join(tmpdir(), 'tianguis-built-'));
  for (const name of ['node_modules', 'views', 'public', 'package.json'])
    symlinkSync(join(root, name), join(home, name));
  build(home, change);
  return {
    home,
    [Symbol.dispose]() {
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Compiles this project's `src/` into a folder's `dist/`; types are checked elsewhere. */
export function build(home: string, change: Change = (_, source) => source): void {
  const source = join(root, 'src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((path) => path.endsWith('.ts'))) {
    const target = join(home, 'dist', file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, compile(change(file, readFileSync(join(source, file), 'utf8'))));
  }
}

function compile(source: string): string {
  const { code } = transformSync(source, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'es6' },
    swcrc: false,
  });
  return code;
}
