// Compiles on change and restarts the shop, with the simulator beside it, after each successful build.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const run = (...args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });

const first = run(tsc, '-p', 'tsconfig.build.json');
first.once('exit', (code) => {
  if (code !== 0) process.exit(code ?? 1);
  const children = [
    run(tsc, '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'),
    run('--watch-path=dist', '--watch-path=views', '--watch-path=public', 'dist/start.js'),
  ];
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      for (const child of children) child.kill(signal);
    });
  }
});
