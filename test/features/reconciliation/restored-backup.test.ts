/** Payments that came after a backup: the shop that was restored from it lists them. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import Sqlite from 'libsql';
import { processInbox } from '../../../src/payments/process-inbox.js';
import { HOUR, orderStates } from '../../checkout/support.js';
import { openBackOffice } from '../../support/admin.js';
import { until } from '../../support/crowd.js';
import { allOrders } from '../../support/inspect.js';
import { openHostedPage, placePaidOrder } from '../../support/purchase.js';
import { openDatabaseOf, type TemporaryDatabase } from '../../support/temporary-database.js';
import { openTestShop, type TestShop } from '../../support/test-shop.js';
import { postWebhook, storedEvents } from '../../support/webhooks.js';

/** Backs the database up as `docs/examples/backup.sh` does, and restores the backup as another database. */
async function backUp({ environment, directory }: TestShop): Promise<TemporaryDatabase> {
  const { DATABASE_URL = '' } = environment;
  const file = join(directory, 'backup');
  if (DATABASE_URL.startsWith('file:')) {
    const database = new Sqlite(DATABASE_URL.slice('file:'.length));
    database.exec(`vacuum into '${file}'`);
    database.close();
    return { url: `file:${file}`, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const { searchParams } = new URL(DATABASE_URL);
  const schema = searchParams.get('options')?.split('=')[1] ?? '';
  // The programs of PostgreSQL read no `+` as a blank.
  const address = DATABASE_URL.replaceAll('+', '%20');
  execFileSync('pg_dump', ['--no-owner', `--schema=${schema}`, `--file=${file}`, address]);
  const restored = await openDatabaseOf(DATABASE_URL);
  execFileSync('psql', ['--quiet', '--set=ON_ERROR_STOP=1', `--file=${file}`, restored.url.replace(/\?.*/, '')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return restored;
}

test('a payment after the backup that was restored is listed with its id and reference, and the gateway shows it without a change of any order', async () => {
  await using shop = await openTestShop({ webhooks: true });
  await placePaidOrder(shop);
  await using backup = await backUp(shop);
  const { session } = await openHostedPage(shop);
  shop.control.paySession(session);
  const completed = async () =>
    (await storedEvents(shop)).find(({ event, body }) => event === 'session.completed' && body.includes(session));
  await until(async () => (await completed()) !== undefined);
  const { body = '' } = (await completed()) ?? {};
  const [{ number = '' } = {}] = (await allOrders(shop)).slice(-1);
  const gateway = { PAYMENTS_BASE_URL: shop.simulator.url, CHECKOUT_API_URL: shop.simulator.url };
  await using restored = await openTestShop({ env: { DATABASE_URL: backup.url, ...gateway } });

  await postWebhook(restored, body);
  for (let hour = 0; hour < 5; hour += 1) {
    await processInbox(restored.checkout);
    restored.clock.advance(HOUR);
  }
  const merchant = await openBackOffice(restored);
  const list = await merchant.get('/admin/reconciliation');
  const answer = await merchant.get(`/admin/reconciliation/lookup?id=${session}`);

  expect((await storedEvents(restored)).at(-1)).toMatchObject({ body, state: 'unmatched' });
  const row = /data-test="unmatched-payments"[\s\S]*?<\/section>/.exec(list.text)?.[0] ?? '';
  for (const text of [session, number]) expect(row).toContain(text);
  const facts = /data-test="lookup-answer"[\s\S]*?<\/section>/.exec(answer.text)?.[0] ?? '';
  for (const text of ['completed/Success', number, 'Ningún pedido tiene este pago.']) expect(facts).toContain(text);
  expect(await orderStates(restored)).toEqual(['paid']);
});
