import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc, { type AsyncCommand } from 'fast-check';
import { processOutbox } from '../../../packages/payments/src/process-outbox.js';
import { mailFiles } from '../../support/mailbox.js';
import { TABLES } from '../../support/tables.js';
import { openTestShop, type TestShop } from '../../support/test-shop.js';
import type { Command } from './commands.js';
import { openEnvironment } from './environment.js';
import { runProperty } from './run-property.js';
import { allCommands, finishAllWork } from './sequence.js';
import { System } from './system.js';

const COMMANDS = 12;

/** The second of two starts of one order waits by a timer of the machine. */
const WAITS_BY_TIMER = /twice at once|two devices|two submits|checkout at once|hosted at once/;

/** PostgreSQL processes the statements of concurrent work in any order. */
const embedded = process.env['TEST_DATABASE_URL'] !== undefined ? test.skip : test;

/** Returns sequences that together contain each command once. */
async function sequences(): Promise<readonly Command[][]> {
  const all = await allCommands();
  const shuffled = fc.sample(fc.shuffledSubarray(all, { minLength: all.length }), { seed: 11, numRuns: 1 }).flat();
  const commands = shuffled
    .flatMap((command, seed) => fc.sample(command, { seed, numRuns: 1 }))
    .filter((command) => !WAITS_BY_TIMER.test(String(command)));
  return Array.from({ length: Math.ceil(commands.length / COMMANDS) }, () => commands.splice(0, COMMANDS));
}

/** Runs sequences in a new database. Returns all that was stored, sent, mailed and logged. */
async function record(environmentSeed: number, count?: number): Promise<readonly string[]> {
  await using shop = await openTestShop({ env: { REFUNDS: 'gateway', REFUND_PARTIAL: 'on' } });
  const parts: string[] = [];
  for (const [index, commands] of (await sequences()).slice(0, count).entries()) {
    await using environment = await openEnvironment(shop, environmentSeed + index);
    const { simulator, logged } = environment;
    // The machine chooses the ports.
    const write = (title: string, content: unknown) =>
      parts.push(
        `${title} ${JSON.stringify(content, undefined, 1)}`
          .replaceAll(simulator.url, 'http://gateway')
          .replaceAll(new URL(simulator.url).host, 'gateway')
          .replaceAll(shop.simulator.url, 'http://first-gateway')
          .replaceAll(shop.url, 'http://shop'),
      );
    const system = await System.open(environment);
    if (index === 0) await payTwoOrdersAtOnce(system);
    await system.add('taza-talavera');
    for (const command of commands) {
      await command.run({}, system);
      write(String(command), await rowsOf(shop, ['orders', 'attempts', 'refunds', 'inbox', 'reservations']));
    }
    await finishAllWork(system);
    write('rows', await rowsOf(shop, TABLES));
    const { calls, ledger, refundLedger } = simulator.control;
    write('gateway', [calls(), ledger(), refundLedger()]);
    write(
      'log',
      logged.map((line) => ({ ...JSON.parse(line), time: undefined })),
    );
    // Mails are written at once, so the order in which their jobs end depends on the disk.
    while ((await processOutbox(system.context)) > 0);
    write('mails', await mailsOf(shop));
  }
  return parts;
}

/** The customer pays two pages. The worker has scheduled a lookup with jitter. */
async function payTwoOrdersAtOnce(system: System): Promise<void> {
  await system.add('taza-talavera');
  await system.submitHosted();
  system.advance(5);
  await system.reconcile();
  system.paysAgain = true;
  await system.add('papel-picado');
  await system.submitHosted();
  for (const session of [0, 1]) await system.endSession(session, 'paySession');
  await Promise.all([
    system.settleAll('return'),
    system.deliverWebhooks(),
    system.reconcile(),
    system.settleAll('order_page'),
  ]);
}

async function rowsOf({ queries }: TestShop, tables: typeof TABLES) {
  const rows = tables.map(async (table) => [table, await queries.selectFrom(table).selectAll().execute()]);
  return Object.fromEntries(await Promise.all(rows)) as unknown;
}

/** The mail library chooses date and boundaries. */
async function mailsOf({ directory }: TestShop): Promise<readonly string[]> {
  const mails = await Promise.all(mailFiles(join(directory, 'mail')).map((file) => readFile(file, 'utf8')));
  return mails.map((mail) => mail.replace(/^Date: .*$/m, '').replace(/_NmP-[0-9a-f]+/g, ''));
}

embedded('a seed repeats rows, gateway calls, mails and log lines to the byte, and another seed does not', async () => {
  const first = await record(1);
  for (const part of ['at once', '"webhook.processed"', 'Message-ID: ']) expect(first.join()).toContain(part);
  expect(await record(1)).toEqual(first);
  const other = await record(100, 1);
  expect(other).not.toEqual(first.slice(0, other.length));
});

test('the command of a failure repeats the failed run and no other', async () => {
  const add = (amount: number): AsyncCommand<object, { total: number }> => ({
    check: () => true,
    toString: () => `add ${amount}`,
    async run(_model, real) {
      real.total += amount;
      if (real.total > 50) throw new Error(`the total is ${real.total}`);
    },
  });
  let runs = 0;
  const failureOf = (settings: Record<string, string>) =>
    runProperty(
      (replayPath) =>
        fc.asyncProperty(fc.commands([fc.nat(20).map(add)], { replayPath }), async (commands) => {
          runs += 1;
          await fc.asyncModelRun(() => ({ model: {}, real: { total: 0 } }), commands);
        }),
      { settings },
    ).then(
      () => 'passed',
      ({ message }: Error) => message,
    );

  const message = await failureOf({});

  const [command = '', seed = '', path = ''] = /MODEL_SEED=(\S+) MODEL_PATH=(\S+) npm test.*/.exec(message) ?? [];
  expect(command).toMatch(
    /npm test -- test\/payments-in-shop\/model\/replay --selectProjects server -t "the command of a failure/,
  );
  runs = 0;
  const replayed = await failureOf({ MODEL_SEED: seed, MODEL_PATH: path });
  expect(runs).toBe(1);
  const counterexample = /Counterexample: .*?(?=\/\*)/s;
  expect(counterexample.exec(replayed)?.[0]).toBe(counterexample.exec(message)?.[0]);
});
