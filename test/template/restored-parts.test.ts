/**
 * The small shop passes its tests, and each part that it lacks passes its own where it is restored alone. So a test needs
 * nothing that another room, payment flow or locale provides.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { linkPackages } from '../support/link-packages.js';
import { commitAll, copyProject, run } from '../support/project-copy.js';
import { seededRandom } from '../support/seeded-random.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SMALL = ['--preset', 'small', '--flows', 'hosted', '--locales', 'es-MX', '--yes'];
/** The flow and the locale that the small shop lacks. */
const OTHERS = { card: 'test/flows/card/', en: 'test/locales/en/' } as const;
/** One process runs the tests of a restored part. A worker of several would be ended too if a test leaves a connection open. */
const IN_ONE_PROCESS = ['--runInBand', '--forceExit', '--passWithNoTests'];
/** The fastest database and the fewest screens. */
const env = { ...process.env, TEST_DATABASE_URL: undefined, ALL_SCREENS: undefined, MODEL_RUNS: undefined };

// Long enough for a busy machine.
jest.setTimeout(1_800_000);

let small: string;
const folders: string[] = [];
const succeeds = (folder: string, ...command: readonly [string, ...string[]]) => {
  const { code, output } = run(folder, ...command);
  expect([...command, code, output]).toEqual([...command, 0, output]);
  return output;
};

beforeAll(() => {
  small = copyProject();
  folders.push(small);
  // The copy is the template of its repository.
  const { tianguis: _, ...content } = JSON.parse(readFileSync(join(small, 'package.json'), 'utf8'));
  writeFileSync(join(small, 'package.json'), `${JSON.stringify(content, null, 2)}\n`);
  commitAll(small);
  linkPackages(small);
  for (const [name, value] of Object.entries({ name: 'A', email: 'a@shop.example' }))
    succeeds(small, 'git', 'config', `user.${name}`, value);
  succeeds(small, 'npm', 'run', '--silent', 'setup', '--', ...SMALL);
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Runs tests of a shop, and prints what a failed run prints. Returns whether they pass. */
async function passes(folder: string, ...args: readonly string[]): Promise<boolean> {
  const child = spawn('npm', ['test', '--', ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [printed, [code]] = await Promise.all([text(child.stderr), once(child, 'exit'), text(child.stdout)]);
  if (code !== 0) console.error(`npm test -- ${args.join(' ')}\n${printed}`);
  return code === 0;
}

test('the small shop passes its tests', async () => {
  expect(await passes(small)).toBe(true);
});

/** Parts to restore, and the paths of their own tests. */
interface Restoration {
  readonly parts: readonly string[];
  readonly paths: readonly string[];
}

/** Each part alone, and each room with the flow or the locale for which it has tests. */
function restorationsOf(without: readonly string[]): readonly Restoration[] {
  const others = Object.entries(OTHERS).filter(([name]) => without.includes(name));
  const rooms = without.filter((name) => existsSync(join(root, 'src/features', name, 'test')));
  const pairs = rooms.flatMap((room) =>
    others.map(([name]) => ({ parts: [room, name], paths: [`src/features/${room}/test/${name}/`] })),
  );
  return [
    ...rooms.map((room) => ({ parts: [room], paths: [`src/features/${room}/`] })),
    ...others.map(([name, path]) => ({ parts: [name], paths: [path, `src/features/[^/]+/test/${name}/`] })),
    ...pairs.filter(({ paths }) => paths.every((path) => existsSync(join(root, path)))),
  ];
}

/** Restores the parts in the folder. */
function restore(folder: string, parts: readonly string[]): void {
  succeeds(folder, 'git', 'checkout', '--quiet', '--force', '--detach', 'small');
  // Without packages the command builds nothing.
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  succeeds(folder, 'node', 'tools/features/main.js', 'restore', ...parts);
  linkPackages(folder);
}

test('each room, payment flow and locale that the small shop lacks is restored alone, and passes its tests', async () => {
  succeeds(small, 'git', 'tag', 'small');
  const { tianguis } = JSON.parse(readFileSync(join(small, 'package.json'), 'utf8'));
  const waiting = [...restorationsOf(tianguis.without)];
  // With this one the tests of all rooms run too, and the browser. `RESTORED=all` chooses each of them.
  const drawn = waiting[seededRandom(String(jest.getSeed()))(4).readUInt32BE() % waiting.length];
  const failed: string[] = [];

  const work = async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tianguis-restored-'));
    folders.push(folder);
    succeeds(small, 'git', 'worktree', 'add', '--quiet', '--detach', folder, 'small');
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      restore(folder, next.parts);
      const isWhole = process.env['RESTORED'] === 'all' || drawn === next;
      const projects = isWhole ? ['server', 'browser', 'sweeps'] : ['server'];
      const paths = isWhole ? [...next.paths, 'src/features/'] : next.paths;
      if (!(await passes(folder, ...paths, ...IN_ONE_PROCESS, '--selectProjects', ...projects)))
        failed.push(next.parts.join(' with '));
    }
  };
  // One for each of two cores.
  await Promise.all([work(), work()]);

  expect(failed).toEqual([]);
});
