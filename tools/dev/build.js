// Compiles src/ and tools/ to dist/ incrementally. --clean removes dist/ first.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import getExePath from '../../node_modules/@typescript/native/lib/getExePath.js';

const parent = process.ppid;
const root = fileURLToPath(new URL('../..', import.meta.url));
if (process.argv.includes('--clean')) rmSync(`${root}dist`, { recursive: true, force: true });
// Starts the compiler without its wrapper, because the wrapper does not forward signals.
const compiler = spawn(getExePath(), ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
const stops = { SIGINT: 130, SIGTERM: 143 };
const stop = (signal) => {
  compiler.kill('SIGKILL');
  process.exit(stops[signal]);
};
for (const signal of Object.keys(stops)) process.once(signal, stop);
process.exitCode = await new Promise((resolve) => {
  compiler.once('error', () => resolve(1));
  compiler.once('exit', (code) => resolve(code ?? 1));
});
for (const signal of Object.keys(stops)) process.off(signal, stop);
// The shell that npm starts ends on a signal without forwarding it.
if (process.ppid !== parent) process.exit(stops.SIGTERM);
