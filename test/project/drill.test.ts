import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { buildCopy } from '../support/built-copy.js';

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
  'store/orders.ts': [[".where('version', '=', version)", '']],
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

/** Scenarios that are quick, and different. */
const SOUND = ['same-instant', 'forged-answers', 'lost-answers'];

describe('the drill', () => {
  test(
    'passes on this copy of the shop',
    async () => {
      using copy = build({});

      const drill = await run(copy.home, SOUND.join());

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

/** A copy of the shop with the plant in it. */
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
  const args = [join(home, 'dist/drill/main.js'), '--short', '--scale', '0.25', '--only', only];
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
