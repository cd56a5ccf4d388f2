// Watch mode: compiles on change, and restarts the shop and the simulator when files in dist/, views/ or public/ change.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = fileURLToPath(new URL('../../node_modules/@typescript/native/bin/tsc', import.meta.url));
const run = (...args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });

const first = run(tsc, '-p', 'tsconfig.build.json');
first.once('exit', (code) => {
  if (code !== 0) process.exit(code ?? 1);
  // Detached, so that a signal to the process group also ends the compiler, which is a child of its wrapper.
  const compiler = spawn(
    process.execPath,
    [tsc, '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'],
    {
      cwd: root,
      stdio: 'inherit',
      detached: true,
    },
  );
  const shop = run(
    '--watch-path=dist',
    '--watch-path=views',
    '--watch-path=content',
    '--watch-path=public',
    'dist/tools/dev/start-shop.js',
  );
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      shop.kill(signal);
      process.kill(-compiler.pid, signal);
    });
  }
});
