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
import { ModuleKind, ScriptTarget, transpile } from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));

const OPTIONS = { module: ModuleKind.ESNext, target: ScriptTarget.ES2023 };

/** Changes a source file before compilation. `file` is relative to the project root. */
type Change = (file: string, source: string) => string;

/** Builds the shop into its own folder, so that other builds are not affected. */
export function buildCopy(change?: Change): { readonly home: string } & Disposable {
  const home = mkdtempSync(join(tmpdir(), 'tianguis-built-'));
  mkdirSync(join(home, 'tools/simulator'), { recursive: true });
  for (const name of [
    ...['node_modules', 'views', 'public', 'content', 'sample', 'package.json'],
    ...['tools/simulator/views', 'tools/simulator/public'],
  ])
    symlinkSync(join(root, name), join(home, name));
  build(home, change);
  return {
    home,
    [Symbol.dispose]() {
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Compiles `src/`, `tools/` and `test/support/` without tests into `dist/` below `home`. Does not check types. */
function build(home: string, change: Change = (_, source) => source): void {
  const files = ['src', 'tools', 'test/support'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  for (const file of files.filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))) {
    const target = join(home, 'dist', file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, transpile(change(file, readFileSync(join(root, file), 'utf8')), OPTIONS));
  }
}
