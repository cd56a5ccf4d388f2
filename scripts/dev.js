// Compiles on change and restarts the shop, with the simulator beside it, after each successful build.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = fileURLToPath(new URL('../node_modules/@typescript/native/bin/tsc', import.meta.url));
const run = (...args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });

const first = run(tsc, '-p', 'tsconfig.build.json');
first.once('exit', (code) => {
  if (code !== 0) process.exit(code ?? 1);
  // The compiler is a child of the program that is started here: only its whole group ends with a signal.
  const compiler = spawn(
    process.execPath,
    [tsc, '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'],
    {
      cwd: root,
      stdio: 'inherit',
      detached: true,
    },
  );
  const shop = run('--watch-path=dist', '--watch-path=views', '--watch-path=public', 'dist/start.js');
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      shop.kill(signal);
      process.kill(-compiler.pid, signal);
    });
  }
});
