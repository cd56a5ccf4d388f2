import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildCopy } from '../../../test/support/built-copy.js';
import { until } from '../../../test/support/inspect.js';
import { copyProject } from '../../../test/support/project-copy.js';

const PATIENCE_MS = 240_000;

/** Replacements per source file. The test fails if a text to replace is missing. */
type Plant = Readonly<Record<string, readonly (readonly [before: string, after: string])[]>>;

/** A common mistake: read the order, look up the payment, then write without a lock or a version check. */
const CHECK_THEN_ACT: Plant = {
  'src/checkout/settle-payment.ts': [
    [
      'const evidence = await read',
      'const seen = await findOrder(context.db.queries, attempt.orderId);\nconst evidence = await read',
    ],
    ['{ attempt, result: final,', '{ attempt, seen, result: final,'],
    [
      'const order = await lockOrder(queries, asked.orderId);\n    const attempts',
      'const order = news.seen;\n    const attempts',
    ],
    ['const attempt = attempts.find(({ id }) => id === asked.id)', 'const attempt = asked'],
    ['if (running && freshMs(trigger) > 0)', 'if (false)'],
    [
      'return shareLookup(lookups, attempt.id, () => settleAttempt(context, attempt, trigger));',
      'return settleAttempt(context, attempt, trigger);',
    ],
    [
      "if (!(await acquireLookup(db.queries, attempt.id, { at, notSince: at - freshMs(trigger) }))) return 'recent';",
      '',
    ],
  ],
  'src/db/orders.ts': [[".where('version', '=', version)", '']],
  'src/db/outbox.ts': [['key: jobKey(', 'key: Math.random() + jobKey(']],
  'src/db/migrations.ts': [
    [
      ".createTable('fulfillments')\n    .addColumn('order_id', 'text', (column) => column.primaryKey()",
      ".createTable('fulfillments')\n    .addColumn('order_id', 'text', (column) => column",
    ],
  ],
};

const NO_AMOUNT_CHECK: Plant = {
  'src/domain/payment.ts': [['if (payment.amount !== expected.amount)', 'if (false)']],
};

const RETRIED_CHARGES: Plant = {
  'src/gateway/card-payments.ts': [['    retries: false,', '    retries: true,']],
};

/** Fast scenarios that test different parts. */
const SOUND = ['same-instant', 'forged-answers', 'lost-answers'];

describe('the drill', () => {
  test(
    'passes on this copy of the shop',
    async () => {
      using copy = build({});

      const drill = await run(copy.home, SOUND.join());

      expect(drill.output).not.toContain('FAIL');
      expect(drill.output).toMatch(/^0 of 3 done, \d+ s: same-instant$/m);
      expect(drill.output).toContain(`${SOUND.length} passed, 0 failed`);
      expect(drill.code).toBe(0);
    },
    PATIENCE_MS,
  );

  test.each([
    {
      name: 'fulfillment that checks first and acts later',
      plant: CHECK_THEN_ACT,
      scenario: 'same-instant',
      reason: /I2 fulfilled twice/,
    },
    {
      name: 'a judge that does not compare amounts',
      plant: NO_AMOUNT_CHECK,
      scenario: 'forged-answers',
      reason: /I1 falsely paid/,
    },
    {
      name: 'card payments that are sent again',
      plant: RETRIED_CHARGES,
      scenario: 'lost-answers',
      reason: /sent again by machine/,
    },
  ])(
    'finds $name',
    async ({ plant, scenario, reason }) => {
      using copy = build(plant);

      const drill = await run(copy.home, scenario);

      expect(drill.output).toContain(`FAIL  ${scenario}`);
      expect(drill.output).toMatch(reason);
      expect(drill.code).toBe(1);
    },
    PATIENCE_MS,
  );
});

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

  /** Starts `npm run drill` in its own process group. */
  function startDrill() {
    const folder = mkdtempSync(join(tmpdir(), 'tianguis-stopped-'));
    const env = { PATH: process.env['PATH'], TMPDIR: folder };
    const child = spawn('npm', ['run', 'drill'], { cwd: home, env, detached: true });
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes) => output.push(String(bytes)));
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
      output: () => output.join(''),
      left: () => readdirSync(folder, { recursive: true, encoding: 'utf8' }),
      [Symbol.dispose]() {
        if (isRunning()) process.kill(group, 'SIGKILL');
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }

  test.each([
    ['SIGTERM, as a process manager sends it to npm', 'SIGTERM', 'npm'],
    ['SIGINT, as Ctrl-C sends it to all processes', 'SIGINT', 'all'],
    ['SIGTERM while it is being built', 'SIGTERM', 'build'],
  ] as const)(
    'by %s ends within 2 s, with no process and no file left',
    async (_name, signal, target) => {
      using drill = startDrill();
      const dist = join(home, 'dist');
      if (target === 'build') rmSync(dist, { recursive: true, force: true });
      const inTheMiddle = () => drill.left().some((path) => path.endsWith('shop-0.log'));
      await until(() => (target === 'build' ? existsSync(dist) : inTheMiddle()));

      const sentAt = performance.now();
      process.kill(target === 'all' ? drill.group : Number(drill.child.pid), signal);
      await until(() => !drill.isRunning());
      const ms = performance.now() - sentAt;

      expect(ms).toBeLessThan(2_000);
      expect(drill.left()).toEqual([]);
      expect(drill.output()).not.toContain('FAIL');
    },
    PATIENCE_MS,
  );
});

/** Builds a copy of the shop with the replacements. */
function build(plant: Plant) {
  return buildCopy((file, source) =>
    (plant[file] ?? []).reduce((text, change) => planted(file, text, change), source),
  );
}

function planted(file: string, text: string, [before, after]: readonly [string, string]): string {
  if (!text.includes(before)) throw new Error(`nothing to plant in ${file}: ${before}`);
  return text.replace(before, () => after);
}

function run(home: string, only: string): Promise<{ readonly code: number; readonly output: string }> {
  const args = [join(home, 'dist/tools/drill/main.js'), '--scale', '0.25', '--only', only];
  const env = { PATH: process.env['PATH'] };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { env, timeout: PATIENCE_MS },
      (_error, stdout, stderr) => {
        resolve({ code: child.exitCode ?? -1, output: `${stdout}${stderr}` });
      },
    );
  });
}
