// Runs git in the project.
import { execFileSync } from 'node:child_process';

/** Runs git and returns its output. Throws an error with the message of git. */
export function git(root, ...args) {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1e8,
    });
  } catch (error) {
    throw new Error(`git ${args[0]} failed: ${error.stderr?.trim() || error.message}`, { cause: error });
  }
}

/** Runs a git command with the option `-z` and returns the entries of its output. */
export function gitList(root, ...args) {
  return git(root, ...args)
    .split('\0')
    .filter((entry) => entry !== '');
}

/** Returns the id of a commit, or `undefined` if git or the commit is absent. */
export function findCommit(root, name) {
  try {
    return git(root, 'rev-parse', '--quiet', '--verify', `${name}^{commit}`).trim();
  } catch {
    return undefined;
  }
}
