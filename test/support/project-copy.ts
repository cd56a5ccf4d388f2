import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** A copy has its own git: what stands in ours must not reach it. */
const env = { ...process.env, GIT_DIR: undefined, GIT_WORK_TREE: undefined, NO_COLOR: '1' };

/** Runs a program to its end. */
export function run(cwd: string, command: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 1e8 });
  return { code: status, output: `${stdout}${stderr}` };
}

/** This project as it lies here, uncommitted changes included, in a folder of its own; who asks for it removes it. */
export function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-copy-'));
  const { output } = run(root, 'git', 'ls-files', '--cached', '--others', '--exclude-standard');
  for (const path of output.split('\n').filter((one) => one !== '' && existsSync(join(root, one))))
    cpSync(join(root, path), join(folder, path));
  return folder;
}

/** Makes the copy a repository with all of it in one commit. */
export function commitAll(folder: string): void {
  const author = ['-c', 'user.name=A', '-c', 'user.email=a@shop.example'];
  run(folder, 'git', 'init', '--quiet');
  // A link is not what .gitignore means by a folder.
  writeFileSync(join(folder, '.git/info/exclude'), 'node_modules\n');
  run(folder, 'git', 'add', '--all');
  run(folder, 'git', ...author, 'commit', '--quiet', '--message', 'start');
}
