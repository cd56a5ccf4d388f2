// Lists what no file uses any more, such as exports of the core that only removed parts used.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readJson, writeJson } from './vendor.js';

const KNIP = 'node_modules/knip/bin/knip.js';
const CONFIG = 'knip.json';
/** The kinds of knip's issues. */
const KINDS = {
  files: 'file',
  exports: 'export',
  types: 'export',
  dependencies: 'package',
  devDependencies: 'package',
};

/**
 * Returns the exports, files and packages that no file uses, sorted by file. An export that only its own file uses is used.
 * `isTested` marks those that only tests use. Changes nothing in the project. Throws an error if knip is not installed or fails.
 */
export function findUnused(root) {
  if (!existsSync(join(root, KNIP))) throw new Error('The packages are not installed. Run: npm ci');
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-sweep-'));
  try {
    const config = join(folder, CONFIG);
    writeJson(config, { ...readJson(join(root, CONFIG)), ignoreExportsUsedInFile: true });
    const unused = runKnip(root, config, '--include', 'files,exports,types,dependencies');
    const names = new Set(unused.map(lineOf));
    const inProduction = runKnip(root, config, '--include', 'files,exports,types', '--production');
    const tested = inProduction.filter((each) => !names.has(lineOf(each)));
    const all = [...unused, ...tested.map((each) => ({ ...each, isTested: true }))];
    return all.sort((a, b) => lineOf(a).localeCompare(lineOf(b), 'en'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns `file: name`. */
export function lineOf({ kind, file, name }) {
  return kind === 'file' ? `${file}: the whole file` : `${file}: ${name}`;
}

function runKnip(root, config, ...args) {
  const common = ['--config', config, '--no-config-hints', '--no-exit-code', '--reporter', 'json'];
  const { status, error, stdout, stderr } = spawnSync(process.execPath, [join(root, KNIP), ...common, ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1e8,
  });
  if (status !== 0) throw new Error(`knip failed: ${error?.message ?? stderr.trim()}`);
  return JSON.parse(stdout).issues.flatMap(({ file, ...issues }) =>
    Object.entries(KINDS).flatMap(([key, kind]) => (issues[key] ?? []).map(({ name }) => ({ kind, file, name }))),
  );
}
