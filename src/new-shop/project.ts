/** The project on the disk: read whole, and written all at once. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SETTINGS_FILE } from './answers.js';
import type { Files } from './code/source.js';

const PICTURES = /\.(?:png|jpe?g|svg|ico)$/;

/** Every text that git keeps, and the settings. Throws when something is not committed: then nothing could be undone. */
export function readProject(root: string): Map<string, string> {
  const changes = git(root, 'status', '--porcelain');
  if (changes !== '')
    throw new Error(`commit or stash your changes first, so that these can be undone:\n${changes}`);
  const paths = git(root, 'ls-files')
    .split('\n')
    .filter((path) => !PICTURES.test(path));
  const kept = existsSync(join(root, SETTINGS_FILE)) ? [SETTINGS_FILE] : [];
  return new Map([...paths, ...kept].map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

function git(root: string, ...args: readonly string[]): string {
  const { status, stdout } = spawnSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0)
    throw new Error(
      'this folder is not kept by git, so nothing could be undone: git init && git add -A && git commit -m start',
    );
  return stdout.trimEnd();
}

export interface Changes {
  /** New texts, by path. */
  readonly written: Files;
  readonly removed: readonly string[];
}

/** What the plan changes, with the code in the form that `npm run check` asks for. Throws when it is no code any more. */
export function changesOf(root: string, files: Files, plan: Files): Changes {
  const written = new Map([...plan].filter(([path, text]) => files.get(path) !== text));
  return {
    written: formatted(root, written),
    removed: [...files.keys()].filter((path) => !plan.has(path)),
  };
}

/** Formats in a folder of its own: the project is not touched before everything is known. */
function formatted(root: string, written: Files): Files {
  const code = [...written.keys()].filter((path) => path.endsWith('.ts'));
  if (code.length === 0) return written;
  const folder = mkdtempSync(join(tmpdir(), 'new-shop-'));
  try {
    for (const path of ['biome.json', '.gitignore'])
      writeFileSync(join(folder, path), readFileSync(join(root, path)));
    writeAll(folder, written);
    biome(root, folder, ['lint', '--write', '--only=style/useImportType', ...code]);
    biome(root, folder, ['check', '--write', '--linter-enabled=false', ...code]);
    return new Map([...written.keys()].map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function biome(root: string, folder: string, args: readonly string[]): void {
  const program = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the changed code cannot be formatted:\n${stderr}`);
}

export function writeChanges(root: string, { written, removed }: Changes): void {
  writeAll(root, written);
  for (const path of removed) rmSync(join(root, path));
}

function writeAll(folder: string, texts: Files): void {
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
