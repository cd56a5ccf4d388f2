// Packs packages of this project from a commit.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOCKFILE, packageName, readJson, tarballPath, writeJson } from './vendor.js';

const COMPILER = 'node_modules/@typescript/native/bin/tsc';

/**
 * Returns a tarball of each package as a commit has it, without a change of the project. The same commit gives the same
 * bytes, because the lockfile has their hash. The packages of that commit's lockfile compile it: those that are installed here, or
 * else those of the registry, which `notify` says before.
 */
export function packSources(root, folders, commit, notify) {
  if (folders.length === 0) return [];
  const copy = mkdtempSync(join(tmpdir(), 'tianguis-pack-'));
  try {
    const paths = folders.map((folder) => `packages/${folder}`);
    const archive = execFileSync(
      'git',
      ['archive', commit, 'package.json', LOCKFILE, '.npmrc', 'tsconfig.json', ...paths],
      {
        cwd: root,
        maxBuffer: 1e9,
      },
    );
    execFileSync('tar', ['-x'], { cwd: copy, input: archive });
    installCompiler(root, copy, folders, notify);
    return folders.map((folder) => packSource(copy, folder, commit));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function installCompiler(root, copy, folders, notify) {
  const missing = findMissing(root, copy, folders);
  if (missing.length === 0) return symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  notify(
    `To compile ${folders.map(packageName).join(' and ')}, npm gets these packages from its registry: ${missing.join(', ')}.`,
  );
  runNpm(copy, 'ci', '--ignore-scripts', '--prefer-offline');
}

/** Returns the packages that the sources are compiled with, and that are not installed here in the version of the lockfile. */
function findMissing(root, copy, folders) {
  const { packages } = readJson(join(copy, LOCKFILE));
  const { devDependencies } = readJson(join(copy, 'package.json'));
  const compiling = Object.keys(devDependencies).filter((name) => /^@types(?:cript)?\//.test(name));
  const versionOf = (path) =>
    existsSync(join(root, path)) ? readJson(join(root, path, 'package.json')).version : undefined;
  const names = folders.flatMap((folder) => {
    const { dependencies, peerDependencies } = readJson(join(copy, 'packages', folder, 'package.json'));
    return Object.keys({ ...dependencies, ...peerDependencies });
  });
  const lockedOf = (name) =>
    ['', ...folders.map((folder) => `packages/${folder}/`)]
      .map((home) => packages[`${home}node_modules/${name}`])
      .findLast(Boolean);
  return [...new Set([...compiling, ...names])].flatMap((name) => {
    const { version } = lockedOf(name) ?? {};
    return version === versionOf(`node_modules/${name}`) ? [] : [`${name} ${version}`];
  });
}

function packSource(copy, folder, commit) {
  const source = join(copy, 'packages', folder);
  execFileSync(process.execPath, [join(copy, COMPILER), '-p', source], { cwd: copy, stdio: 'pipe' });
  const manifest = { ...readJson(join(source, 'package.json')), gitHead: commit };
  writeJson(join(source, 'package.json'), manifest);
  const [packed] = JSON.parse(runNpm(source, 'pack', '--json', '--pack-destination', copy));
  const bytes = readFileSync(join(copy, packed.filename));
  return { folder, path: tarballPath(folder, manifest.version, commit), bytes, manifest };
}

function runNpm(cwd, ...args) {
  try {
    return execFileSync('npm', [...args, '--no-audit', '--no-fund'], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    throw new Error(`npm ${args[0]} failed: ${error.stderr?.trim() || error.message}`, { cause: error });
  }
}
