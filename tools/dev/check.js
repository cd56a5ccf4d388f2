// Checks generated files, format, lint, types, import rules and dead code. Stops at the first that fails.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readRecord, recordProblems } from './features-record.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const problems = recordProblems(root);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
const { without } = readRecord(root);
const folders = ['src', 'tools', 'examples', 'packages'].filter((folder) => existsSync(`${root}${folder}`));
const isWhole = without.length === 0;
// What a removed part used alone is still exported by a kept file, and its packages are still installed.
const unused = isWhole ? [] : ['--include', 'files,unlisted'];
// The hints are about entries of knip.json for parts that may be removed.
const knip = ['knip', '--no-config-hints'];
const unusedInProduction = isWhole ? 'files,dependencies,unlisted' : 'files,unlisted';

for (const [command, ...args] of [
  ['node', 'tools/dev/feature-lists.js', '--check'],
  ['biome', 'check', '--error-on-warnings', '.'],
  ['node', 'node_modules/@typescript/native/bin/tsc', '-p', 'tsconfig.json'],
  ['depcruise', '--config', '.dependency-cruiser.cjs', ...folders],
  [...knip, ...unused],
  [...knip, '--production', '--include', unusedInProduction],
]) {
  // npm puts the folder of these commands into PATH.
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(1);
}
if (!isWhole) hintAtPackages();

/** Prints the packages that no file uses, such as those of removed parts. They make no check fail. */
function hintAtPackages() {
  const args = ['--include', 'dependencies', '--no-exit-code', '--no-config-hints', '--reporter', 'json'];
  const { stdout } = spawnSync('knip', args, { cwd: root, encoding: 'utf8' });
  const { issues = [] } = JSON.parse(stdout || '{}');
  const names = issues.flatMap(({ dependencies = [], devDependencies = [] }) =>
    [...dependencies, ...devDependencies].map(({ name }) => name),
  );
  if (names.length > 0) console.log(`No file uses these packages: npm uninstall ${names.join(' ')}`);
}
