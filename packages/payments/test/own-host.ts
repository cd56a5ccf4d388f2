/** A host of its own: carts with one line, in a shared table `orders` or beside the payments' tables with a prefix. */
import { randomBytes, randomUUID } from 'node:crypto';
import { startSimulator } from '@tianguis/gateway-tools';
import {
  createPayments,
  openPaymentDatabase,
  type PayableOrdersTable,
  type PaymentTables,
  readPaymentSettings,
} from '@tianguis/payments';
import { isPostgres } from '@tianguis/payments/database';
import { centavos, ORDER_NUMBER_BYTES, orderNumber } from '@tianguis/payments/rules';
import { type Kysely, sql } from 'kysely';
import { openTestDatabase } from '../../../test/support/test-database.js';
import { API_KEY } from '../../../test/support/test-shop.js';
import type { PlaceRequest } from '../src/place-order.js';

/** The host's order: its key names a cart and a content of it. */
interface OwnOrder {
  readonly id: string;
  readonly contentKey: string;
  readonly amount: number;
}
interface OwnTables {
  readonly orders: { id: string | number; contentKey: string; amount: number };
  readonly payOrders: PayableOrdersTable;
}

/** How the payments' orders are stored. */
export const SHAPES = ['shared', 'pay_'] as const;
export type Shape = (typeof SHAPES)[number];

type Request = PlaceRequest<PaymentTables, OwnOrder>;

async function insertOwn(tx: Kysely<OwnTables>, row: Omit<OwnOrder, 'id'>): Promise<string> {
  const inserted = tx
    .insertInto('orders')
    .values(row as OwnTables['orders'])
    .returning('id');
  return String((await inserted.executeTakeFirstOrThrow()).id);
}

/** Starts the host with a simulator. */
export async function openOwnHost(shape: Shape) {
  const place = await openTestDatabase({ migrated: false });
  const tablePrefix = shape === 'shared' ? undefined : shape;
  const database = tablePrefix
    ? openPaymentDatabase<PaymentTables>(place.url, () => {}, { tablePrefix })
    : openPaymentDatabase<PaymentTables>(place.url, () => {}, { orders: 'add_columns' });
  const idType = isPostgres(database.queries) ? 'serial' : 'integer';
  const id = tablePrefix ? sql.raw(`${idType} primary key`) : sql`text primary key`;
  await sql`create table orders (id ${id}, content_key text not null unique, amount integer not null)`.execute(
    database.queries,
  );
  await database.migrate();
  const simulator = await startSimulator({ port: 0, apiKey: API_KEY });
  const { url } = simulator;
  const configuration = readPaymentSettings(
    { PAYMENTS_BASE_URL: url, CHECKOUT_API_URL: url, PAYMENTS_API_KEY: API_KEY },
    { needsTokenizer: false },
  );
  if (!configuration.ok) throw new Error(configuration.problems.join());
  let last = 0;
  const clock = {
    // No two orders have the same time.
    now() {
      last = Math.max(last + 1, Date.now());
      return last;
    },
  };
  const payments = createPayments<PaymentTables>({
    ...configuration,
    database,
    clock,
    log: { info() {}, warn() {}, error() {} },
    host: {
      describe: async (_tx, { total }) => ({
        lines: [{ productId: 'cup', name: 'Copita', unitPrice: total, quantity: 1 }],
        payer: { firstName: 'Eva', lastName: 'Ruiz', email: 'eva@example.com' },
      }),
      orderPath: ({ token }) => `/orders/${token}`,
    },
  });
  const own = (tx: unknown) => tx as Kysely<OwnTables>;
  /** Returns the request for a content of a cart. */
  const requestOf = (contentKey: string, amount = 15_000): Request => ({
    number: orderNumber('MX', randomBytes(ORDER_NUMBER_BYTES)),
    total: centavos(amount),
    payableUntil: clock.now() + 3_600_000,
    flow: 'hosted',
    async find(tx) {
      const orders = own(tx).selectFrom('orders').select(['id', 'contentKey', 'amount']);
      const found = await orders.where('contentKey', '=', contentKey).executeTakeFirst();
      return found && { ...found, id: String(found.id) };
    },
    same: (found) => found.amount === amount,
    async insert(tx, payment) {
      const row = { contentKey, amount };
      const id = tablePrefix ? await insertOwn(own(tx), row) : randomUUID();
      if (tablePrefix)
        await own(tx)
          .insertInto('payOrders')
          .values({ id, ...payment })
          .execute();
      else
        await own(tx)
          .insertInto('orders')
          .values({ id, ...row, ...payment })
          .execute();
      return { id };
    },
  });
  return {
    payments,
    control: simulator.control,
    requestOf,
    /** Places the order of a content of a cart. */
    place: (contentKey: string, { amount, ...changes }: Partial<Request> & { readonly amount?: number } = {}) =>
      payments.place<OwnOrder>({ ...requestOf(contentKey, amount), ...changes }),
    /** Returns the number of the host's own orders. */
    async countOwn(): Promise<number> {
      const rows = await own(database.queries).selectFrom('orders').select('id').execute();
      return rows.length;
    },
    /** Returns the payments' orders, oldest first. */
    orders: () => payments.context.db.queries.selectFrom('orders').selectAll().orderBy('createdAt').execute(),
    async [Symbol.asyncDispose]() {
      await payments[Symbol.asyncDispose]();
      await simulator.close();
      await database[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

export type OwnHost = Awaited<ReturnType<typeof openOwnHost>>;
