// Runs Jest with ESM support. Arguments are passed to Jest: `npm test -- test/db` runs the tests of one directory.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const jest = fileURLToPath(new URL('../../node_modules/jest/bin/jest.js', import.meta.url));
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--no-deprecation'];
const run = spawnSync(process.execPath, [...flags, jest, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = run.status ?? 1;
