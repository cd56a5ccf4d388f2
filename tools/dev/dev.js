// Watch mode: compiles and copies on change, and restarts the shop and the simulator when files in dist/, views/ or public/ change.
import './build.js';
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { copyAssets } from './copy-assets.js';

const WATCHED = ['dist', 'views', 'content', 'public'].map((folder) => `--watch-path=${folder}`);

if (!process.exitCode) {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const tsc = 'node_modules/@typescript/native/bin/tsc';
  // Detached, so that a signal to the process group also ends the compiler, which is a child of its wrapper.
  const compiler = spawn(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'], {
    cwd,
    stdio: 'inherit',
    detached: true,
  });
  const assets = watch('src/features', { recursive: true }, (_event, name) => {
    if (/\/(?:views|public)\//.test(name ?? '')) copyAssets();
  });
  const shop = spawn(process.execPath, [...WATCHED, 'dist/tools/dev/start-shop.js'], {
    cwd,
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      assets.close();
      shop.kill(signal);
      process.kill(-compiler.pid, signal);
    });
  }
}
