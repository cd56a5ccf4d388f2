/** Payments that came after a backup: the shop that was restored from it finds or lists them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Simulator, startSimulator } from '@tianguis/gateway-tools';
import { processInbox } from '@tianguis/payments/testing';
import { HOUR, MINUTE, orderStates, reconcileAfter } from '../../../../test/checkout/support.js';
import { openBackOffice } from '../../../../test/support/admin.js';
import { importTestCatalog } from '../../../../test/support/catalog.js';
import { commandProcess } from '../../../../test/support/commands.js';
import { openHostedPage, payAndReturn, placePaidOrder } from '../../../../test/support/purchase.js';
import { API_KEY, openTestShop, profileOfThisRun, type TestShop } from '../../../../test/support/test-shop.js';
import { postWebhook, storedEvents } from '../../../../test/support/webhooks.js';
import { runReconcile } from '../../../cli/run-reconcile.js';
import { openDatabase } from '../../../tables/database.js';
import {
  type DocumentedDatabase,
  hasPostgres,
  hasSqliteTool,
  openDocumentedPostgres,
  openDocumentedSqlite,
} from './backup.js';

const LIMIT_MS = 120_000;
const isCi = process.env['CI'] === 'true';

async function fillCatalog(url: string): Promise<void> {
  await using database = openDatabase(url, () => {});
  await database.migrate();
  await importTestCatalog(database);
}

/** Opens a shop on this database with a gateway that outlives the shop. */
async function openShopOn({ url }: DocumentedDatabase, gateway: Simulator): Promise<TestShop> {
  const env = { DATABASE_URL: url, PAYMENTS_BASE_URL: gateway.url, CHECKOUT_API_URL: gateway.url };
  return { ...(await openTestShop({ env })), control: gateway.control };
}

/** Sells, makes a backup, and sells on. Returns the backup, and the payment of an order that is not in it. */
async function sellAndBackUp(database: DocumentedDatabase, gateway: Simulator) {
  await using shop = await openShopOn(database, gateway);
  await placePaidOrder(shop);
  const open = await openHostedPage(shop);
  const backup = database.backUp();
  await payAndReturn(shop, open);
  const { session, order } = await placePaidOrder(shop);
  expect(await orderStates(shop)).toEqual(['paid', 'paid', 'paid']);
  return { backup, session, number: order.number };
}

/** Posts the gateway's event about a session again, and processes it until no order is expected any more. */
async function receiveAgain(shop: TestShop, session: string): Promise<string> {
  const events = shop.control.deliveries().filter(({ event }) => event === 'session.completed');
  const body = events.map(({ payload }) => JSON.stringify(payload)).find((text) => text.includes(session)) ?? '';
  await postWebhook(shop, body);
  for (let hour = 0; hour < 5; hour += 1) {
    await processInbox(shop.checkout);
    shop.clock.advance(HOUR);
  }
  return body;
}

/** Compares the gateway's export with the database. Returns what the command prints. */
async function compareExport({ control, directory, environment }: TestShop): Promise<string> {
  const rows = control.ledger().map(({ id, amountMinor }) => `${id},${amountMinor},completed`);
  const file = join(directory, 'export.csv');
  writeFileSync(file, ['id,amount,status', ...rows].join('\n'));
  return (await runReconcile([file, '--unit', 'centavos'], commandProcess(environment))).stdout;
}

async function restoreAndSell(database: DocumentedDatabase): Promise<void> {
  await fillCatalog(database.url);
  await using gateway = await startSimulator({ port: 0, apiKey: API_KEY, profile: profileOfThisRun() });
  const { backup, session, number } = await sellAndBackUp(database, gateway);

  database.restore(backup);
  await using shop = await openShopOn(database, gateway);

  expect(await orderStates(shop)).toEqual(['paid', 'pending']);
  await reconcileAfter(shop, MINUTE);
  await placePaidOrder(shop);
  expect(await orderStates(shop)).toEqual(['paid', 'paid', 'paid']);

  const body = await receiveAgain(shop, session);
  const merchant = await openBackOffice(shop);
  const list = await merchant.get('/admin/reconciliation');
  const answer = await merchant.get(`/admin/reconciliation/lookup?id=${session}`);

  expect((await storedEvents(shop)).at(-1)).toMatchObject({ body, state: 'unmatched' });
  const row = /data-test="unmatched-payments"[\s\S]*?<\/section>/.exec(list.text)?.[0] ?? '';
  for (const text of [session, number]) expect(row).toContain(text);
  const facts = /data-test="lookup-answer"[\s\S]*?<\/section>/.exec(answer.text)?.[0] ?? '';
  for (const text of ['completed/Success', number, 'Ningún pedido tiene este pago.']) expect(facts).toContain(text);
  expect(await compareExport(shop)).toBe(
    `line 4: ${session} is in the file and not here (completed)\n4 rows compared, differences: 1\n`,
  );
  expect(await orderStates(shop)).toEqual(['paid', 'paid', 'paid']);
}

const DATABASES = [
  ['SQLite', hasSqliteTool, openDocumentedSqlite],
  ['PostgreSQL', hasPostgres, openDocumentedPostgres],
] as const;

for (const [name, isInstalled, open] of DATABASES) {
  (isInstalled || isCi ? test : test.skip)(
    `a payment after the backup that was restored by the documented commands is listed, and the shop has the orders of the backup and sells: ${name}`,
    async () => {
      await using database = await open();
      await restoreAndSell(database);
    },
    LIMIT_MS,
  );
}
