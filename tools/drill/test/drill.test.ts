import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildCopy } from '../../../test/support/built-copy.js';
import { until } from '../../../test/support/crowd.js';
import { copyProject } from '../../../test/support/project-copy.js';

const LIMIT_MS = 120_000;

/** Source files with a planted fault. The test fails if a text to replace is missing. */
const PLANTED: Readonly<Record<string, readonly [before: string, after: string]>> = {
  'src/domain/payment.ts': ['if (payment.amount !== expected.amount)', 'if (false)'],
  'src/gateway/errors.ts': [
    "'process-payment': { deadlineMs: 24_500, retries: false }",
    "'process-payment': { deadlineMs: 24_500, retries: true }",
  ],
};

test('the drill fails on a shop that ignores the paid amount and sends card payments again', () => {
  using copy = buildCopy((file, source) => {
    const [before, after] = PLANTED[file] ?? ['', ''];
    if (!source.includes(before)) throw new Error(`nothing to replace in ${file}: ${before}`);
    return source.replace(before, after);
  });

  const drill = runDrill(copy.home, 'forged-answers,lost-answers');

  expect(drill.output).toMatch(/FAIL {2}forged-answers .*\n(?: {6}.*\n)*? {6}I1 falsely paid/);
  expect(drill.output).toMatch(
    /FAIL {2}lost-answers .*\n(?: {6}.*\n)*? {6}\d+ card payments were sent again/,
  );
  expect(drill.status).toBe(1);
}, 120_000);

function runDrill(home: string, only: string) {
  const args = [join(home, 'dist/tools/drill/main.js'), '--scale', '0.1', '--only', only];
  const env = { PATH: process.env['PATH'] };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env,
    encoding: 'utf8',
    timeout: LIMIT_MS,
  });
  return { status, output: `${stdout}${stderr}` };
}

describe('npm run drill, stopped in the middle', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  let home: string;

  beforeAll(() => {
    home = copyProject();
    symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'));
  });

  afterAll(() => {
    rmSync(home, { recursive: true, force: true });
  });

  /** Starts `npm run drill` in its own process group and with its own folder for temporary files. */
  function startDrill() {
    const folder = mkdtempSync(join(tmpdir(), 'tianguis-stopped-'));
    const env = { PATH: process.env['PATH'], TMPDIR: folder };
    const child = spawn('npm', ['run', 'drill'], { cwd: home, env, detached: true, stdio: 'ignore' });
    const group = -(child.pid ?? Number.NaN);
    const isRunning = () => {
      try {
        return process.kill(group, 0);
      } catch {
        return false;
      }
    };
    return {
      child,
      group,
      isRunning,
      files: () => readdirSync(folder, { recursive: true, encoding: 'utf8' }),
      [Symbol.dispose]() {
        if (isRunning()) process.kill(group, 'SIGKILL');
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }

  test.each([
    ['SIGTERM to npm', 'SIGTERM'],
    ['SIGINT to all processes while it is being built', 'SIGINT'],
  ] as const)(
    'by %s ends at once, with no process and no file left',
    async (_name, signal) => {
      using drill = startDrill();
      const dist = join(home, 'dist');
      const isBuilding = signal === 'SIGINT';
      if (isBuilding) rmSync(dist, { recursive: true, force: true });
      const isInTheMiddle = () =>
        isBuilding ? existsSync(dist) : drill.files().some((path) => path.endsWith('shop-1.log'));
      await until(isInTheMiddle, { withinMs: LIMIT_MS, everyMs: 10 });

      const sentAt = performance.now();
      process.kill(isBuilding ? drill.group : Number(drill.child.pid), signal);
      await until(() => !drill.isRunning(), { withinMs: LIMIT_MS, everyMs: 10 });
      const ms = performance.now() - sentAt;

      // The drill needs less than 2 s. Other tests may use the processor meanwhile.
      expect(ms).toBeLessThan(4_000);
      expect(drill.files()).toEqual([]);
    },
    120_000,
  );
});
