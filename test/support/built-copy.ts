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

/**
 * The shop as it is delivered, built into a folder of its own, so that no other build is disturbed. Its types are
 * checked elsewhere. `change` may plant something in a file of `src/`.
 */
export function buildCopy(
  change: (file: string, source: string) => string = (_, source) => source,
): { readonly home: string } & Disposable {
  const home = mkdtempSync(join(tmpdir(), 'tianguis-built-'));
  for (const name of ['node_modules', 'views', 'public', 'package.json'])
    symlinkSync(join(root, name), join(home, name));
  const source = join(root, 'src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((path) => path.endsWith('.ts'))) {
    const target = join(home, 'dist', file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, compile(change(file, readFileSync(join(source, file), 'utf8'))));
  }
  return {
    home,
    [Symbol.dispose]() {
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function compile(source: string): string {
  const { code } = transformSync(source, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'es6' },
    swcrc: false,
  });
  return code;
}
