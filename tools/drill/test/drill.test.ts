import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { FLOW_IDS } from '../../../src/shop/rules/flows.js';
import { copyBuild, runBuilt, sharedBuild } from '../../../test/support/built-program.js';
import { until } from '../../../test/support/crowd.js';
import { linkPackages } from '../../../test/support/link-packages.js';
import { copyProject, run } from '../../../test/support/project-copy.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const LIMIT_MS = 120_000;

/** Plants a fault. Throws if the text to replace is missing. */
const plant = (before: string, after: string) => (source: string) => {
  if (!source.includes(before)) throw new Error(`nothing to replace: ${before}`);
  return source.replace(before, after);
};

/** The scenarios use both payment flows. */
const testScenarios = FLOW_IDS.length > 1 ? test : test.skip;

testScenarios(
  'the drill fails on a shop that ignores the paid amount and sends card payments again',
  async () => {
    const sending = "'process-payment': { deadlineMs: 24_500, retries: false }";
    using copy = copyBuild({
      'packages/payments/src/rules/payment.ts': plant('if (payment.amount !== expected.amount)', 'if (false)'),
      'packages/payments/src/gateway/errors.ts': plant(sending, sending.replace('false', 'true')),
    });

    const args = ['--scale', '0.1', '--seed', '7', '--only', 'forged-answers,lost-answers'];
    const { code, stdout } = await runBuilt('tools/drill/main.js', args, { home: copy.home });

    expect(stdout).toMatch(/FAIL {2}forged-answers .*\n(?: {6}.*\n)*? {6}I1 falsely paid/);
    expect(stdout).toMatch(/FAIL {2}lost-answers .*\n(?: {6}.*\n)*? {6}\d+ card payments were sent again/);
    expect(stdout).toContain('Replay: npm run drill -- --only forged-answers --seed 7 --scale 0.1\n');
    expect(code).toBe(1);
  },
  2 * LIMIT_MS,
);

testScenarios(
  'a shop without a payment flow skips the scenarios that pay by it, and plays the others',
  async () => {
    using copy = copyBuild({ 'src/shop/rules/flows.ts': plant("['hosted', 'card']", "['hosted']") });

    const { code, stdout } = await runBuilt(
      'tools/drill/main.js',
      ['--scale', '0.1', '--only', 'refunds,last-piece,lost-answers'],
      { home: copy.home },
    );

    expect([code, stdout.match(/^(?:SKIP|PASS|FAIL) {2}[\w-]+/gm)]).toEqual([
      0,
      ['SKIP  refunds', 'SKIP  lost-answers', 'PASS  last-piece'],
    ]);
    expect(stdout).toContain('SKIP  refunds  It pays by card, which the shop does not have.\n');
  },
  LIMIT_MS,
);

/** Runs `npm run drill` in its own process group, with its own folder for temporary files. */
function startDrill(home: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-stopped-'));
  const env = { PATH: process.env['PATH'], TMPDIR: folder };
  const child = spawn('npm', ['run', 'drill'], { cwd: home, env, detached: true, stdio: 'ignore' });
  const npm = child.pid ?? Number.NaN;
  const processes = () => {
    const lines = run(home, 'ps', '-A', '-o', 'pgid=,stat=,args=').output.split('\n');
    return lines.filter((line) => Number.parseInt(line, 10) === npm && !/^\s*\d+\s+Z/.test(line));
  };
  return {
    npm,
    processes,
    files: () => readdirSync(folder, { recursive: true, encoding: 'utf8' }),
    [Symbol.dispose]() {
      if (processes().length > 0) process.kill(-npm, 'SIGKILL');
      for (const path of [folder, home]) rmSync(path, { recursive: true, force: true });
    },
  };
}

type Drill = ReturnType<typeof startDrill>;

/** Sends a signal to a process or, with a negative id, to a group. The drill needs less than 2 s to end. */
async function expectEnd(drill: Drill, signal: NodeJS.Signals, id: number): Promise<void> {
  process.kill(id, signal);

  // Other tests may use the processor meanwhile.
  await until(() => drill.processes().length === 0, { withinMs: 30_000, everyMs: 50 });
  expect(drill.files()).toEqual([]);
}

test(
  'the drill stopped by SIGTERM to npm ends at once, with no process and no file left',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'tianguis-drill-home-'));
    cpSync(join(root, 'package.json'), join(home, 'package.json'));
    mkdirSync(join(home, 'tools/dev'), { recursive: true });
    cpSync(join(root, 'tools/dev/drill.js'), join(home, 'tools/dev/drill.js'));
    // The programs are built already.
    writeFileSync(join(home, 'tools/dev/build.js'), '');
    symlinkSync(join(sharedBuild(), 'dist'), join(home, 'dist'));
    using drill = startDrill(home);
    const isStarted = () => drill.files().some((path) => path.endsWith('shop-1.log'));
    await until(isStarted, { withinMs: LIMIT_MS, everyMs: 10 });

    await expectEnd(drill, 'SIGTERM', drill.npm);
  },
  2 * LIMIT_MS,
);

test(
  'the drill stopped by SIGINT to all processes while it is being built ends at once, with no process and no file left',
  async () => {
    const home = copyProject();
    linkPackages(home);
    using drill = startDrill(home);
    const isBuilding = () => drill.processes().some((line) => line.includes('tsconfig.build.json'));
    await until(isBuilding, { withinMs: LIMIT_MS, everyMs: 50 });

    await expectEnd(drill, 'SIGINT', -drill.npm);
  },
  2 * LIMIT_MS,
);
