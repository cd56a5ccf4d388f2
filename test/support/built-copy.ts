import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The shop as it is delivered, built into a folder of its own, so that no other build is disturbed. */
export function buildCopy(): { readonly home: string } & Disposable {
  const home = mkdtempSync(join(tmpdir(), 'tianguis-built-'));
  for (const name of ['node_modules', 'views', 'public', 'package.json'])
    symlinkSync(join(root, name), join(home, name));
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const project = ['-p', join(root, 'tsconfig.build.json'), '--outDir', join(home, 'dist')];
  const flags = ['--noCheck', '--incremental', 'false', '--tsBuildInfoFile', 'null'];
  const built = spawnSync(process.execPath, [tsc, ...project, ...flags]);
  if (built.status !== 0) throw new Error(String(built.stdout));
  return {
    home,
    [Symbol.dispose]() {
      rmSync(home, { recursive: true, force: true });
    },
  };
}
