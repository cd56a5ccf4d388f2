import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Removes git variables of the environment, so that git commands affect the copy and not this repository. */
const env = { ...process.env, GIT_DIR: undefined, GIT_WORK_TREE: undefined, NO_COLOR: '1' };

/** Runs a program to its end. Returns its exit code and output. */
export function run(cwd: string, command: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 1e8 });
  return { code: status, output: `${stdout}${stderr}` };
}

/** Copies this project, uncommitted changes included, into a temporary folder. The caller removes the folder. */
export function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-copy-'));
  const { output } = run(root, 'git', 'ls-files', '--cached', '--others', '--exclude-standard');
  for (const path of output.split('\n').filter((one) => one !== '' && existsSync(join(root, one))))
    cpSync(join(root, path), join(folder, path));
  return folder;
}

/** Creates a git repository in the copy with one commit of all files. */
export function commitAll(folder: string): void {
  const author = ['-c', 'user.name=A', '-c', 'user.email=a@shop.example'];
  run(folder, 'git', 'init', '--quiet');
  run(folder, 'git', 'add', '--all');
  run(folder, 'git', ...author, 'commit', '--quiet', '--message', 'start');
}
