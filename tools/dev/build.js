// Compiles the packages to their dist/, then src/ and tools/ to dist/, incrementally, and copies the assets of features. --clean removes them first.
import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import getExePath from '../../node_modules/@typescript/native/lib/getExePath.js';
import { copyAssets } from './copy-assets.js';

const parent = process.ppid;
const root = fileURLToPath(new URL('../..', import.meta.url));
/** The folders of packages whose sources are here. Each is compiled before what imports it. */
const PACKAGES = ['packages/payments', 'packages/gateway-tools'].filter((folder) => existsSync(`${root}${folder}/src`));
if (process.argv.includes('--clean'))
  for (const folder of [...PACKAGES.map((one) => `${one}/dist`), 'dist'])
    rmSync(`${root}${folder}`, { recursive: true, force: true });

let compiler;
const stops = { SIGINT: 130, SIGTERM: 143 };
const stop = (signal) => {
  compiler?.kill('SIGKILL');
  process.exit(stops[signal]);
};
for (const signal of Object.keys(stops)) process.once(signal, stop);
for (const project of [...PACKAGES, 'tsconfig.build.json']) {
  // Starts the compiler without its wrapper, because the wrapper does not forward signals.
  compiler = spawn(getExePath(), ['-p', project], { cwd: root, stdio: 'inherit' });
  process.exitCode = await new Promise((resolve) => {
    compiler.once('error', () => resolve(1));
    compiler.once('exit', (code) => resolve(code ?? 1));
  });
  if (process.exitCode) break;
}
if (!process.exitCode) copyAssets();
for (const signal of Object.keys(stops)) process.off(signal, stop);
// The shell that npm starts ends on a signal without forwarding it.
if (process.ppid !== parent) process.exit(stops.SIGTERM);
