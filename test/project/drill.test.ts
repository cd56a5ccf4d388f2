import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { transformSync } from '@swc/core';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PATIENCE_MS = 240_000;

/** A file of `src/`, and what is put in place of what; a plant that finds nothing to change fails the test. */
type Plant = Readonly<Record<string, readonly (readonly [before: string, after: string])[]>>;

/** Fulfilment as beginners write it: read the order, ask the service, then write, with nothing to guard it. */
const CHECK_THEN_ACT: Plant = {
  'checkout/settle-payment.ts': [
    [
      'const evidence = await read',
      'const seen = await findOrder(services.db.queries, attempt.orderId);\nconst evidence = await read',
    ],
    [
      '{ attempt, serviceId: attempt.serviceId, evidence, trigger, ms }',
      '{ attempt, seen, serviceId: attempt.serviceId, evidence, trigger, ms }',
    ],
    ['await lockOrder(queries, asked.orderId)', 'news.seen'],
    ['await findAttempt(queries, asked.id)', 'asked'],
    ['if (underWay !== undefined)', 'if (false)'],
    ['await takeTurn(services, attempt, trigger)', 'true'],
  ],
  'store/orders.ts': [[".where('version', '=', order.version)", '']],
  'store/outbox.ts': [['key: effectKey(', 'key: Math.random() + effectKey(']],
  'store/migrations.ts': [
    [
      ".createTable('fulfilments')\n    .addColumn('order_id', 'text', (column) => column.primaryKey()",
      ".createTable('fulfilments')\n    .addColumn('order_id', 'text', (column) => column",
    ],
  ],
};

const NO_AMOUNT_CHECK: Plant = {
  'core/payment.ts': [['if (evidence.amount !== promised.amount)', 'if (false)']],
};

const RETRIED_CHARGES: Plant = {
  'gateway/card-payments.ts': [
    ['deadlines.processPayment, retries: false', 'deadlines.processPayment, retries: true'],
  ],
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tianguis-planted-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Scenarios that are quick, and different. */
const SOUND = ['same-instant', 'forged-answers', 'lost-answers'];

describe('the drill', () => {
  test(
    'passes on this copy of the shop',
    async () => {
      const program = build('clean', {});

      const drill = await run(program, SOUND.join());

      expect(drill.output).not.toContain('FAIL');
      expect(drill.output).toContain(`${SOUND.length} passed, 0 failed`);
      expect(drill.code).toBe(0);
    },
    PATIENCE_MS,
  );

  test.each([
    {
      name: 'fulfilment that checks first and acts later',
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
    async ({ name, plant, scenario, reason }) => {
      const program = build(name, plant);

      const drill = await run(program, scenario);

      expect(drill.output).toContain(`FAIL  ${scenario}`);
      expect(drill.output).toMatch(reason);
      expect(drill.code).toBe(1);
    },
    PATIENCE_MS,
  );
});

/** A copy of the shop, built with the plant in it; the path of its drill. */
function build(name: string, plant: Plant): string {
  const copy = join(folder, name.replaceAll(' ', '-'));
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((path) => path.endsWith('.ts'))) {
    const source = (plant[file] ?? []).reduce((text, change) => planted(file, text, change), read(file));
    const target = join(copy, 'dist', file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, compile(source));
  }
  for (const shared of ['views', 'public', 'node_modules'])
    symlinkSync(join(root, shared), join(copy, shared));
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  return join(copy, 'dist/drill/main.js');
}

function planted(file: string, text: string, [before, after]: readonly [string, string]): string {
  if (!text.includes(before)) throw new Error(`nothing to plant in ${file}: ${before}`);
  return text.replace(before, () => after);
}

function read(file: string): string {
  return readFileSync(join(root, 'src', file), 'utf8');
}

function compile(source: string): string {
  const { code } = transformSync(source, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'es6' },
    swcrc: false,
  });
  return code;
}

function run(program: string, only: string): Promise<{ readonly code: number; readonly output: string }> {
  const args = [program, '--short', '--scale', '0.25', '--only', only];
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
