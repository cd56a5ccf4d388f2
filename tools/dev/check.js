// Checks generated files, format, lint, types, import rules and dead code. Stops at the first that fails.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readRecord, recordProblems } from './features-record.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { without } = readRecord(root);
const folders = ['src', 'tools', 'examples'].filter((folder) => existsSync(`${root}${folder}`));
// What a removed part used alone is still exported by a kept file.
const unused = without.length === 0 ? [] : ['--include', 'files,dependencies,unlisted'];

const problems = recordProblems(root);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
for (const [command, ...args] of [
  ['node', 'tools/dev/feature-lists.js', '--check'],
  ['biome', 'check', '--error-on-warnings', '.'],
  ['node', 'node_modules/@typescript/native/bin/tsc', '-p', 'tsconfig.json'],
  ['depcruise', '--config', '.dependency-cruiser.cjs', ...folders],
  ['knip', ...unused],
  ['knip', '--production', '--include', 'files,dependencies,unlisted'],
]) {
  // npm puts the folder of these commands into PATH.
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(1);
}
