/** A host on PostgreSQL or SQLite whose own tables have the names of the payments' tables, with integer ids. */

import { startSimulator } from '@tianguis/gateway-tools';
import type { PayableOrdersTable } from '@tianguis/payments';
import { createPayments, newPayment, openPaymentDatabase, readPaymentSettings } from '@tianguis/payments';
import type { DatabaseOf, Tx } from '@tianguis/payments/database';
import { centavos } from '@tianguis/payments/rules';
import express from 'express';
import { sql } from 'kysely';
import { openServer } from '../../../test/support/http.js';
import { openTestDatabase } from '../../../test/support/test-database.js';
import { API_KEY, profileOfThisRun, TestClock, WEBHOOK_TOKEN } from '../../../test/support/test-shop.js';
import { silentPayments } from '../src/observer.js';

/** The host names the tables of its own, and `pay_orders`, in which it places orders. */
export interface OwnTables {
  orders: { id: number; state: string; version: number; token: string; total: string };
  payOrders: PayableOrdersTable;
}

/**
 * The columns that statements of the payments filter by or set, in other types where the types matter. The rows are due, done
 * for years, in flight, or have an id of an order of the payments, so that a statement on a wrong table changes or reads one.
 */
const OWN_ROWS = {
  orders: [
    'id integer primary key, state text, version integer, token text, total text',
    "1, 'pending', 1, 'x', '12.50'",
  ],
  attempts: ['id integer primary key, order_id integer, state text, next_check_at bigint', "1, 1, 'open', 0"],
  refunds: ['id integer primary key, order_id integer, state text, leased_until bigint', "1, 1, 'sending', 0"],
  order_events: ['id integer primary key, order_id integer, detail text', "1, 1, '{}'"],
  inbox: ['id integer primary key, state text, next_at bigint, body text, done_at bigint', "1, 'new', 0, '1', 1"],
  outbox: ['key integer primary key, job text, next_at bigint, done_at bigint', "1, 'receipt', 0, 1"],
  attempt_limits: ['key varchar(255) primary key, points integer, expire bigint, id integer', "'lookups', 9, 1, 1"],
  payment_migration: ['id integer primary key, name text', "1, 'x'"],
} as const;

/** Opens the database of the host with the payments' tables, which have the prefix `pay_`. */
export async function openOwnTables() {
  const place = await openTestDatabase({ migrated: false });
  const open = () => openPaymentDatabase<OwnTables>(place.url, () => {}, { tablePrefix: 'pay_' });
  const database = open();
  const { queries } = database;
  for (const [table, [columns, row]] of Object.entries(OWN_ROWS)) {
    await sql.raw(`create table ${table} (${columns})`).execute(queries);
    await sql.raw(`insert into ${table} values (${row})`).execute(queries);
  }
  await database.migrate();
  return {
    database,
    /** The rows of the host by table, in order of the first column. */
    async ownRows() {
      const rows: Record<string, readonly unknown[]> = {};
      for (const table of Object.keys(OWN_ROWS))
        rows[table] = (await sql`select * from ${sql.table(table)} order by 1`.execute(queries)).rows;
      return rows;
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

/** The row of the host for an order that it places. */
export const ownOrder = (id: number) => ({ id, state: 'own', version: 7, token: 'own', total: '249.00' });

/** Inserts an order of the host and that of the payments, with the same id. */
export async function insertOrder(tx: Tx<OwnTables>, id: number): Promise<void> {
  const at = Date.now();
  const payment = newPayment({ number: `MX-ORDER${id}`, total: centavos(24_900), at, payableUntil: at + 60 * 60_000 });
  await tx.insertInto('orders').values(ownOrder(id)).execute();
  await tx
    .insertInto('payOrders')
    .values({ id: String(id), ...payment })
    .execute();
}

/** Starts the host with a gateway that sends webhooks to it. */
export async function openPrefixedHost() {
  const own = await openOwnTables();
  const app = express();
  const server = await openServer(app);
  const url = `http://localhost:${server.port}`;
  const webhook = { url: `${url}/webhooks/payments`, auth: { scheme: 'bearer', token: WEBHOOK_TOKEN } } as const;
  const simulator = await startSimulator({ port: 0, apiKey: API_KEY, profile: profileOfThisRun(), webhook });
  const configuration = readPaymentSettings({
    PUBLIC_URL: url,
    PAYMENTS_BASE_URL: simulator.url,
    CHECKOUT_API_URL: simulator.url,
    PAYMENTS_API_KEY: API_KEY,
    TOKENIZER_URL: `${simulator.url}/vault/v1/gateway/inboundRoutes/demo/token`,
    REFUNDS: 'gateway',
    WEBHOOK_AUTH: `bearer:${WEBHOOK_TOKEN}`,
  });
  if (!configuration.ok) throw new Error(configuration.problems.join('\n'));
  const clock = new TestClock();
  const seen: string[] = [];
  const faults: string[] = [];
  const payments = createPayments<OwnTables>({
    database: own.database,
    settings: configuration.settings,
    clock,
    log: { info() {}, warn: (event) => faults.push(event), error: (event) => faults.push(event) },
    observer: { ...silentPayments, workerRan: (_ms, well) => void (well || faults.push('worker.run')) },
    host: {
      async describe(tx, order) {
        const { total } = await rowOf(tx, order.id);
        const line = { productId: 'cafe', name: `Café de ${total}`, unitPrice: order.total, quantity: 1 };
        return { lines: [line], payer: { firstName: 'Eva', lastName: 'Ruiz', email: 'eva@example.com' } };
      },
      orderPath: ({ token }) => `/orders/${token}`,
      async applyChange(tx, { before, after, at }) {
        if (after.state !== 'paid' || before.state === 'paid') return;
        const { total } = await rowOf(tx, after.id);
        const attempts = await payments.orders.attempts(after.id, tx);
        seen.push(`paid ${after.id} ${total} ${attempts.map(({ state }) => state)}`);
        await payments.queueJob(tx, { key: `receipt:${after.id}`, orderId: after.id, job: 'receipt', at });
      },
      moneyReturned: async (tx, order) => void seen.push(`returned ${(await rowOf(tx, order.id)).id}`),
      jobs: { receipt: async ({ id }) => void seen.push(`receipt ${id}`) },
    },
  });
  app.use(payments.routes({ webhookAuth: configuration.webhookAuth }));
  return {
    ...own,
    payments,
    clock,
    control: simulator.control,
    /** What the host was asked for, in order. */
    seen,
    /** Warnings, errors, and batches of the worker that failed. */
    faults,
    /** Sends a browser back from the gateway. Returns the path to which it is redirected. */
    async comeBack(token: string) {
      const { headers } = await fetch(`${url}/checkout/return/${token}`, { redirect: 'manual' });
      return headers.get('location');
    },
    async order(id: string) {
      const order = await payments.orders.find(id);
      if (!order) throw new Error(`no order ${id}`);
      return order;
    },
    place: (id: number) => own.database.transaction((tx) => insertOrder(tx, id)),
    async [Symbol.asyncDispose]() {
      await payments[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await simulator.close();
      await own[Symbol.asyncDispose]();
    },
  };
}

function rowOf(tx: DatabaseOf<OwnTables>['queries'], id: string) {
  return tx.selectFrom('orders').selectAll().where('id', '=', Number(id)).executeTakeFirstOrThrow();
}
