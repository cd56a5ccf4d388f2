/** What removed features left behind. The tables are written without types, which a removed feature does not have. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { isInFlight, type RefundState } from '@tianguis/payments/rules';
import { attemptRow, refundRow } from '@tianguis/payments/testing';
import { sql } from 'kysely';
import { projectRoot } from '../../../src/project-root.js';
import { insertOrder } from '../../../src/tables/orders.js';
import { LINE, orderRow } from '../../../test/support/rows.js';
import { openSharedDatabase } from '../../../test/support/test-database.js';
import { checkRecord } from '../checks/features.js';
import { runDoctor } from '../run-doctor.js';
import { problemsOf } from './support.js';

const database = await openSharedDatabase();
const { queries } = database;

/** Stores a paid order with a refund in this state. */
async function insertRefund(state: RefundState): Promise<void> {
  const order = orderRow({ state: 'paid' });
  await insertOrder(queries, order, [LINE]);
  const attempt = attemptRow(order.id, { state: 'paid' });
  await queries
    .insertInto('attempts')
    .values({ ...attempt, live: null })
    .execute();
  const refund = refundRow(order.id, { attemptId: attempt.id, state });
  const inFlight = isInFlight(state) ? 1 : null;
  await queries
    .insertInto('refunds')
    .values({ ...refund, inFlight })
    .execute();
}

/** Returns the results of these checks for a program with these features. */
async function problems(check: string, features: readonly string[]): Promise<readonly string[]> {
  const results = await runDoctor({
    environment: { DATABASE_URL: database.url, PUBLIC_URL: 'http://localhost:2' },
    production: false,
    offline: false,
    projectDirectory: '/nonexistent',
    envFile: '/nonexistent/.env',
    timeoutMs: 30_000,
    features,
  });
  return problemsOf(results, check);
}

test('tables with rows of removed features are noted with their number of rows, and empty ones are not', async () => {
  const order = orderRow();
  await insertOrder(queries, order, [LINE]);
  await sql`insert into invoice_links (hash, order_id, expires_at)
    values ('a', ${order.id}, 1), ('b', ${order.id}, 1), ('c', ${order.id}, 1)`.execute(queries);
  await sql`insert into reminded_mailboxes (mailbox, reminded_at) values ('a', 1)`.execute(queries);

  expect(await problems('unused tables', ['address-changes', 'pictures'])).toEqual([
    'unused tables note Tables have rows of removed features: invoice_links (3, of invoices), reminded_mailboxes (1, of reminders).',
  ]);
  expect(await problems('unused tables', ['invoices', 'reminders'])).toEqual([]);
});

test.each(['sending', 'pending', 'unknown'] as const)(
  'a refund in the state %s without the feature refunds is an error',
  async (state) => {
    await insertRefund(state);

    expect(await problems('removed refunds', [])).toEqual([
      'removed refunds error The feature refunds is removed, and refunds are in flight: 1.',
    ]);
    expect(await problems('removed refunds', ['refunds'])).toEqual([]);
  },
);

test('a finished refund without the feature refunds is no problem', async () => {
  await insertRefund('succeeded');

  expect(await problems('removed refunds', [])).toEqual([]);
});

test('a record of removed parts that differs from the files is a warning, and a project without the record has none', async () => {
  const root = mkdtempSync(join(tmpdir(), 'tianguis-record-'));
  mkdirSync(join(root, 'tools/bench'), { recursive: true });
  const write = (without: readonly string[]) =>
    writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module', tianguis: { without } }));
  write(['bench']);

  const inImage = await checkRecord(root);
  for (const name of ['features-record.js', 'git.js'])
    cpSync(join(projectRoot, 'tools/dev', name), join(root, 'tools/dev', name));
  const differing = await checkRecord(root);
  write(['drill']);
  const equal = await checkRecord(root);
  rmSync(root, { recursive: true });

  expect([inImage, equal]).toEqual([undefined, undefined]);
  expect(differing).toMatchObject({
    level: 'warning',
    fix: 'bench is recorded as removed, and exists. Run: npm run features -- apply',
  });
});
